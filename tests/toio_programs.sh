#!/usr/bin/env bash
# Unmodified programs for real cubes run against simulated ones. Needs SIM_CLI and SCRATCH, Python, PyPI, and the examples of toio.py:
# TOIO_PY names a copy of its repository; without it, GitHub is asked. All is installed below SCRATCH if MAY_INSTALL is yes; the check is
# skipped otherwise, and where the network does not reach that far.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/common/check.bash

out="$SCRATCH/toio-programs"
rm -rf "$out" && mkdir -p "$out"

skip() {
    echo "SKIPPED: programs for real cubes: $1"
    exit 77
}

[ "${MAY_INSTALL:-}" = yes ] || skip "toio.py and bleak are not installed"
python3 -c "import venv" 2>"$out/venv.log" || skip "there is no Python with venv"
if [ -z "${TOIO_PY:-}" ]; then
    TOIO_PY="$out/toio.py"
    git clone -q --depth 1 https://github.com/toio/toio.py "$TOIO_PY" 2>"$out/git.log" || skip "GitHub cannot be reached"
fi

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

# Runs a program in virtual time: folder, program. Prints its output; its folder gets the run.
lockstep() {
    timeout 300 "$SIM_CLI" live scenarios/cubes-link.json --no-page --link lockstep --out "$out/$1" --overwrite -q -- \
        "$venv/bin/python" "$2"
}

hash_of() { sed -n 's/.*"final_state_hash": *"\([^"]*\)".*/\1/p' "$out/$1/run.json"; }

for bleak in 0.22.3 3.1.0; do
    venv="$out/venv-$bleak"
    python3 -m venv "$venv" && "$venv/bin/pip" install -q "toio-py==1.1.0" "bleak==$bleak" pytest >"$out/pip.log" 2>&1 ||
        skip "PyPI cannot be reached"
    echo "bleak $bleak"
    for example in "${EXAMPLES[@]}"; do
        # toio.py 1.1.0 never disconnects with bleak 1.0 and later, so that its third part finds no third cube.
        [ "$bleak $example" = "3.1.0 examples/motor_control.py" ] && continue
        name="$bleak-$(basename "$example" .py)"
        lockstep "$name-1" "$TOIO_PY/$example" >"$out/$name-1.txt" 2>"$out/$name-1.err"
        check "$example ends as with real cubes" [ $? = 0 ]
        lockstep "$name-2" "$TOIO_PY/$example" >"$out/$name-2.txt" 2>"$out/$name-2.err"
        check "$example says the same again" cmp -s "$out/$name-1.txt" "$out/$name-2.txt"
        check "$example does the same again" [ "$(hash_of "$name-1")" = "$(hash_of "$name-2")" ]
    done
    timeout 300 "$SIM_CLI" live scenarios/cubes-link.json --no-page --link lockstep --out "$out/pytest" --overwrite -q -- \
        "$venv/bin/python" -m pytest -q -p no:cacheprovider examples/toio >"$out/pytest.txt" 2>&1
    check "the tests of examples/toio pass" [ $? = 0 ]
    # A program against the wall clock takes as long as it says.
    timeout 300 "$SIM_CLI" live scenarios/cubes-link.json --no-page --link dbus --out "$out/real" --overwrite -q -- \
        "$venv/bin/python" "$TOIO_PY/examples/scan_and_connect.py" >"$out/real.txt" 2>&1
    check "scan_and_connect.py ends in real time" [ $? = 0 ]
    "$SIM_CLI" run "$out/real/scenario.json" --out "$out/again" --overwrite -q --no-trace
    check "its record repeats it" [ "$(hash_of real)" = "$(hash_of again)" ]
done
exit "$((failures > 0))"
