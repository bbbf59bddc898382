#!/usr/bin/env bash
# The REMUS 100 beside Fossen's Python Vehicle Simulator: see tests/compare_remus.py.
#     tests/compare_remus.sh          how far each one's integration is off
#     tests/compare_remus.sh cost     processor time of a step of the originals, a name and a number a line
# A folder in PVS (a checkout of PythonVehicleSimulator, which PyPI does not have) lets the original itself run as well, one in SAM_PY (a
# checkout of smarc_modelling) its SAM.py. They need numpy, scipy, sympy and matplotlib: an environment under SCRATCH gets these if
# MAY_INSTALL is yes.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: comparison with Fossen's REMUS 100: $1"
    exit 77
}

python=python3
command -v "$python" >/dev/null || skip "there is no python3 on this machine"
if [ -n "${PVS:-}${SAM_PY:-}" ] && [ "${MAY_INSTALL:-}" = yes ]; then
    venv="${SCRATCH:?}/fossen"
    if [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"; then
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
            "numpy>=1.24,<3" "scipy>=1.11,<2" "sympy>=1.12,<2" "matplotlib>=3.7,<4" &&
            python="$venv/bin/python"
    fi
fi

export PYTHONPATH="${PVS:+$PVS/src:}${SAM_PY:+$SAM_PY/src:}${PYTHONPATH:-}"
if [ "${1:-}" = cost ]; then
    exec "$python" -B tests/compare_remus.py --cost
fi
"${CARGO:-cargo}" build --quiet --package sea-sim --example remus_track || exit 1
exec "$python" -B tests/compare_remus.py "${CARGO_TARGET_DIR:-target}/debug/examples/remus_track"
