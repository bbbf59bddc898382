#!/usr/bin/env bash
# Tables of all worlds and of a sweep in LibreOffice, in English and in German, opened by the settings of docs/guide/run-folder.md.
# Needs SIM_CLI and SCRATCH. Skipped where LibreOffice is not installed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: tables in a spreadsheet: $1"
    exit 77
}
command -v soffice >/dev/null || skip "LibreOffice is not installed"
command -v python3 >/dev/null || skip "there is no python3 to read what LibreOffice saves"

out="$SCRATCH/spreadsheet"
rm -rf "$out" && mkdir -p "$out"
for scenario in cubes-tour swarm-10 car-loop sea-fleet; do
    "$SIM_CLI" run "scenarios/$scenario.json" --duration 3s --out "$out/$scenario" -q || exit 1
done
cat >"$out/question.json" <<'JSON'
{
  "name": "question",
  "scenario": "@swarm-10",
  "set": { "steps": 120 },
  "axes": [{ "path": "safety.filter", "values": ["joint", "orca"] }],
  "repeats": 3
}
JSON
"$SIM_CLI" sweep "$out/question.json" --out "$out/question" -q || exit 1
python3 -B tests/spreadsheet.py "$out"
