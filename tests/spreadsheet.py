#!/usr/bin/env python3
"""Opens every table below a folder in LibreOffice and checks that numbers become numbers and all else stays text.

    python3 tests/spreadsheet.py DIR

The import settings are those of docs/guide/run-folder.md: UTF-8, separated by commas, the language English (USA), and the type Text for a
column `hex`. Each table is opened twice, by a program that speaks English and by one that speaks German.

Exit status: 0 all is well; 1 a cell is not what it should be, or a table does not open.
"""

import csv
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

# Comma, quotes, UTF-8, from the first line, formats of columns, English (USA).
SETTINGS = "CSV:44,34,76,1,{},1033"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
# What LibreOffice keeps of a number: 15 digits, and 20 decimals.
RELATIVE, ABSOLUTE = 1e-14, 1e-20
# More rows than these add nothing but time.
ROWS = 300


def short_tables(folder, into):
    """The first rows of each table below a folder, as files of their own; bytes come from the whole table."""
    paths = []
    for number, path in enumerate(sorted(folder.rglob("*.csv"))):
        lines = path.read_bytes().splitlines(keepends=True)
        short = into / f"{number:03}-{path.parent.name}-{path.name}"
        short.write_bytes(b"".join(lines[: ROWS + 1]))
        paths.append(short)
    return paths


def text_column(path):
    """The format that makes the column of bytes text: its number, and LibreOffice's number of that format; empty without bytes."""
    header = path.read_text(encoding="utf-8").split("\n", 1)[0].split(",")
    return f"{header.index('hex') + 1}/2" if "hex" in header else ""


def convert(paths, language, work):
    """The tables as LibreOffice saves them after it opened them, in the order of their names."""
    profile = work / f"profile-{language}"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry">\n'
        '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">'
        f"<value>{language}</value></prop></item>\n</oor:items>\n"
    )
    out = work / language
    by_format = {}
    for path in paths:
        by_format.setdefault(text_column(path), []).append(str(path))
    for columns, same in by_format.items():
        command = ["soffice", "--headless", "--norestore", f"-env:UserInstallation={profile.as_uri()}"]
        command += [f"--infilter={SETTINGS.format(columns)}", "--convert-to", "ods", "--outdir", str(out), *same]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900)
    return [out / f"{path.stem}.ods" for path in paths]


def cells(path):
    """The rows of a saved table: numbers as float, truths as bool, all else as text; what is empty as an empty text."""
    with zipfile.ZipFile(path) as archive:
        root = xml.fromstring(archive.read("content.xml"))
    rows = []
    for row in root.iter(f"{TABLE}table-row"):
        found = []
        for cell in row:
            again = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
            kind = cell.get(f"{OFFICE}value-type")
            if kind == "float":
                value = float(cell.get(f"{OFFICE}value"))
            elif kind == "boolean":
                value = cell.get(f"{OFFICE}boolean-value") == "true"
            elif kind in (None, "string"):
                value = "\n".join("".join(part.itertext()) for part in cell)
            else:
                value = f"<{kind}>"
            found += [value] * min(again, 1000)
        rows += [found] * min(int(row.get(f"{TABLE}number-rows-repeated", "1")), 1000)
    return rows


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def fault(text, found, is_bytes):
    """What is wrong with a cell; none if nothing is."""
    wanted = None if is_bytes else number(text)
    if text in ("true", "false"):
        return None if found is (text == "true") else f"{text} became {found!r}"
    if wanted is None:
        return None if found == text else f"{text!r} became {found!r}"
    if not isinstance(found, float):
        return f"the number {text} became {found!r}"
    near = abs(found - wanted) <= max(ABSOLUTE, RELATIVE * abs(wanted))
    return None if near else f"{text} became {found!r}"


def check(path, saved):
    """All that is wrong with a table."""
    with path.open(newline="", encoding="utf-8") as file:
        written = list(csv.reader(file))
    read = cells(saved)
    faults = []
    for line, row in enumerate(written):
        found = read[line] if line < len(read) else []
        found += [""] * (len(row) - len(found))
        for column, text in enumerate(row):
            wrong = fault(text, found[column], written[0][column] == "hex")
            if wrong:
                faults.append(f"{path.name}, row {line}, {written[0][column]}: {wrong}")
    return faults


def main():
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        paths = short_tables(folder, work)
        failed = 0
        for language in ("en-US", "de-DE"):
            faults = []
            for path, saved in zip(paths, convert(paths, language, work)):
                faults += check(path, saved) if saved.is_file() else [f"{path.name} does not open"]
            for line in faults[:20]:
                print(f"FAILED ({language}): {line}", file=sys.stderr)
            failed += len(faults)
            if not faults:
                print(f"ok: {len(paths)} tables in LibreOffice, {language}")
    sys.exit(1 if failed else 0)


main()
