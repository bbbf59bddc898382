#!/usr/bin/env bash
# Unmodified programs for real cubes run against simulated ones: toio.py and bleak, noble and toio.js, Web Bluetooth and p5.toio, btleplug,
# OSC. The programs of ours lie in tests/clients.
# Needs SIM_CLI and SCRATCH. Packages are installed below SCRATCH if MAY_INSTALL is yes; what cannot be had is skipped with a word, and the
# whole check with status 77 if nothing may be installed. TOIO_PY names a copy of the repository toio/toio.py (without it, GitHub is asked),
# P5_TOIO one of tetunori/p5.toio. ONLY names parts: python, node, web, rust, osc, many.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/common/check.bash

out="$SCRATCH/toio-programs"
mkdir -p "$out"

skip() {
    echo "SKIPPED: programs for real cubes: $1"
    exit 77
}

without() { echo "SKIPPED: $1: $2"; }

wanted() { [[ " ${ONLY:-python node web rust osc many} " = *" $1 "* ]]; }

# Runs a program against two cubes: folder of the run, doors and other flags, --, program.
live() {
    local name="$1"
    shift
    timeout 300 "$SIM_CLI" live scenarios/cubes-link.json --out "$out/$name" --overwrite -q --no-page "$@"
}

# The same, as a check with the last lines of what it says if it fails: words, folder, flags, --, program.
passes() {
    local what="$1" name="$2"
    live "${@:2}" >"$out/$name.txt" 2>&1 || { tail -n 5 "$out/$name.txt" >&2 && false; }
    check "$what" [ $? = 0 ]
}

hash_of() { sed -n 's/.*"final_state_hash": *"\([^"]*\)".*/\1/p' "$out/$1/run.json"; }

# The record of a run ends as the run did, without the program.
repeats() {
    "$SIM_CLI" run "$out/$1/scenario.json" --out "$out/again" --overwrite -q --no-trace
    check "its record repeats it" [ "$(hash_of "$1")" = "$(hash_of again)" ]
}

cubes() { # how many, in rows of six
    local list="" n place
    for ((n = 0; n < $1; n++)); do
        place="[$((110 + n % 6 * 55)),$((160 + n / 6 * 45))]"
        list+="{\"name\":\"c$n\",\"at_dot\":$place,\"connected\":false,\"radio\":{\"link\":\"perfect\"}},"
    done
    echo "cubes=[${list%,}]"
}

[ "${MAY_INSTALL:-}" = yes ] || skip "packages are not installed"

# Examples for two cubes. Those that run until Ctrl-C, wait for a button or draw lots are not here.
EXAMPLES=(
    "examples/motor_control.py"
    "examples/multi_cubes_with_attribute.py"
    "examples/multi_cubes_with_named.py"
    "examples/scan_and_connect.py"
    "examples/tutorial_pursuer.py"
    "examples-simple/angle_control.py"
    "examples-simple/basic_motor_control.py"
    "examples-simple/lamp.py"
    "examples-simple/move_to.py"
    "examples-simple/sound.py"
    "examples-simple/step.py"
)

examples_of_toio_py() { # bleak
    local example name
    for example in "${EXAMPLES[@]}"; do
        # toio.py 1.1.0 never disconnects with bleak 1.0 and later, so that its third part finds no third cube.
        [ "$1 $example" = "3.1.0 examples/motor_control.py" ] && continue
        name="$1-$(basename "$example" .py)"
        live "$name-1" --link lockstep -- "$python" "$TOIO_PY/$example" >"$out/$name-1.txt" 2>"$out/$name-1.err"
        check "$example ends as with real cubes" [ $? = 0 ]
        live "$name-2" --link lockstep -- "$python" "$TOIO_PY/$example" >"$out/$name-2.txt" 2>"$out/$name-2.err"
        check "$example says the same again" cmp -s "$out/$name-1.txt" "$out/$name-2.txt"
        check "$example does the same again" [ "$(hash_of "$name-1")" = "$(hash_of "$name-2")" ]
    done
    # A program against the wall clock takes as long as it says.
    passes "scan_and_connect.py ends in real time" real --link dbus -- "$python" "$TOIO_PY/examples/scan_and_connect.py"
    repeats real
}

# A Python with toio.py and that bleak.
python_with() {
    python="$out/venv-$1/bin/python"
    [ -x "$python" ] && "$python" -c "import toio, pytest" 2>/dev/null && return
    python3 -m venv "$out/venv-$1" && "$out/venv-$1/bin/pip" install -q "toio-py==1.1.0" "bleak==$1" pytest
} >"$out/pip.log" 2>&1

python_programs() {
    python3 -c "import venv" 2>"$out/venv.log" || { without "Python programs" "there is no Python with venv"; return; }
    if [ -z "${TOIO_PY:-}" ]; then
        TOIO_PY="$out/toio.py"
        [ -d "$TOIO_PY" ] || git clone -q --depth 1 https://github.com/toio/toio.py "$TOIO_PY" 2>"$out/git.log"
    fi
    for bleak in 0.22.3 3.1.0; do
        python_with "$bleak" || { without "Python programs" "PyPI cannot be reached"; return; }
        echo "bleak $bleak"
        if [ -d "$TOIO_PY/examples" ]; then
            examples_of_toio_py "$bleak"
        else
            without "examples of toio.py" "GitHub cannot be reached, and TOIO_PY names no copy"
        fi
        passes "the tests of examples/toio pass" pytest --link lockstep -- "$python" -m pytest -q -p no:cacheprovider examples/toio
        passes "a cube that is switched off calls back" off --link dbus -- "$python" tests/clients/switched_off.py
        passes "a cube of a killed program advertises again" killed --link dbus -- "$python" tests/clients/killed.py
        live choose --link dbus --set "$(cubes 3)" -- bash -c "for n in 1 2 3; do '$python' tests/clients/choose.py 8 & done; wait" \
            >"$out/choose.txt" 2>"$out/choose.err"
        check "three programs at once choose three cubes" [ "$(sort -u "$out/choose.txt" | wc -l)" = 3 ]
    done
}

# Packages in a folder of their own, with a noble in the place of noble-mac: folder, noble, version, more packages.
node_with() {
    export PACKAGES="$out/$1"
    [ -d "$PACKAGES/node_modules/@toio/cube" ] && return
    mkdir -p "$PACKAGES"
    echo "{\"overrides\":{\"noble-mac\":\"npm:$2@$3\"}}" >"$PACKAGES/package.json"
    npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$PACKAGES" @toio/scanner@1.0.0 @toio/cube@1.0.0 "$2@$3" "${@:4}"
} >"$out/npm.log" 2>&1

node_programs() {
    command -v npm >/dev/null || { without "programs with noble" "there is no npm"; return; }
    local name noble version more
    while read -r name noble version more; do
        # shellcheck disable=SC2086
        node_with "$name" "$noble" "$version" $more || { without "programs with noble" "npm cannot be reached"; return; }
        export NOBLE="$noble"
        echo "$noble $version"
        passes "a chase by toio.js" "$name" --link noble -- node tests/clients/chase.cjs
        repeats "$name"
        passes "a cube that is switched off says so" "$name-off" --link noble -- node tests/clients/switched_off.cjs
        if [ "$name" = stoprocent ]; then
            passes "a chase over D-Bus" "$name-dbus" --link dbus -- env NOBLE_BINDINGS=dbus node tests/clients/chase.cjs
        else
            passes "a chase over the WebSocket of noble" "$name-ws" --link noble -- \
                env -u NODE_OPTIONS NOBLE_WEBSOCKET=1 node tests/clients/chase.cjs
        fi
    done <<'END'
noble noble 1.9.1 ws@8.23.0
abandonware @abandonware/noble 1.9.2-26 ws@8.23.0
stoprocent @stoprocent/noble 2.8.0 dbus-next@0.10.2
END
}

web_programs() {
    CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        { without "pages with Web Bluetooth" "Chromium is not installed"; return; }
    local packages="$out/web"
    mkdir -p "$packages"
    [ -d "$packages/node_modules/p5" ] ||
        npm install --silent --no-fund --no-audit --prefix "$packages" playwright-core@1 p5@1.9.0 >"$out/npm.log" 2>&1 ||
        { without "pages with Web Bluetooth" "npm cannot be reached"; return; }
    CHROMIUM="$CHROMIUM" PACKAGES="$packages" OUT="$out" timeout 300 node tests/clients/web_bluetooth.mjs
    check "pages with Web Bluetooth" [ $? = 0 ]
}

rust_programs() {
    local has="pkg-config --exists dbus-1"
    $has 2>"$out/apt.log" || { [ "$(id -u)" = 0 ] && apt-get install -y -qq libdbus-1-dev pkg-config; } >"$out/apt.log" 2>&1
    $has 2>"$out/apt.log" || { without "btleplug" "libdbus-1-dev is not installed"; return; }
    CARGO_TARGET_DIR="$out/btleplug" cargo build -q --manifest-path tests/clients/btleplug/Cargo.toml >"$out/btleplug.log" 2>&1 ||
        { without "btleplug" "it cannot be built, see $out/btleplug.log"; return; }
    passes "two cubes by btleplug" btleplug-run --link dbus -- "$out/btleplug/debug/btleplug-client"
}

osc_programs() {
    passes "a program with OSC drives and hears a cube" osc --link osc --osc-listen 13334 --osc-send 13333 -- \
        python3 tests/clients/osc.py 13333 13334
    repeats osc
}

# Every notification that the cubes sent while the program listened must have come: as many as the table of messages has.
many_cubes() {
    python_with 3.1.0 || { without "thirty cubes" "PyPI cannot be reached"; return; }
    passes "thirty cubes from one process" many --link dbus --set "$(cubes 30)" -- "$python" tests/clients/many.py 30
    python3 - "$out" <<'END'
import csv, json, sys
folder = sys.argv[1]
figures = next(json.loads(line) for line in open(f"{folder}/many.txt") if line.startswith("{"))
sent = [0] * figures["cubes"]
for row in csv.DictReader(open(f"{folder}/many/messages.csv")):
    if row["dir"] == "notify" and row["characteristic"] == "101":
        sent[int(row["cube"])] += 1
heard = figures.pop("heard")
print(figures, "load", open("/proc/loadavg").read().split()[0])
lost = [(cube, of, got) for cube, (of, got) in enumerate(zip(sent, heard)) if of != got]
sys.exit(f"lost: {lost}" if lost else 0)
END
    check "each of their notifications is delivered" [ $? = 0 ]
}

wanted python && python_programs
wanted node && node_programs
wanted web && web_programs
wanted rust && rust_programs
wanted osc && osc_programs
wanted many && many_cubes
exit "$((failures > 0))"
