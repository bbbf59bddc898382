#!/usr/bin/env bash
# The same scenario and seed give the same bytes in every table: on one thread and two, alone and in a batch, in debug and in release.
# Needs SIM_CLI, SIM_CLI_DEBUG (the two builds) and SCRATCH (a folder to write in).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out="$SCRATCH/same-bytes"
rm -rf "$out" && mkdir -p "$out"
failures=0

run() { # binary, folder, flags...
    local binary="$1" folder="$2"
    shift 2
    "$binary" run "$scenario" --steps 900 -q --out "$folder" "$@"
}

same() { # what, folder, folder
    if diff --recursive --brief --exclude timing.json "$2" "$3"; then
        echo "same bytes: $1"
    else
        echo "DIFFERENT: $1" >&2
        failures=$((failures + 1))
    fi
}

for name in swarm-30 swarm-30-considerate swarm-30-differential cubes-tour sea-fleet; do
    scenario="scenarios/$name.json"
    run "$SIM_CLI" "$out/$name-one" --runs 4 --jobs 1
    run "$SIM_CLI" "$out/$name-two" --runs 4 --jobs 2
    same "$name, one thread and two" "$out/$name-one" "$out/$name-two"

    run "$SIM_CLI" "$out/$name-alone" --run-index 3
    same "$name, alone and in a batch" "$out/$name-alone" "$out/$name-one/run-00003"

    run "$SIM_CLI_DEBUG" "$out/$name-debug" --run-index 3
    same "$name, release and debug" "$out/$name-alone" "$out/$name-debug"
done

# A check that cannot fail proves nothing: another run must differ.
if diff --brief "$out/swarm-30-one/run-00000/agents.csv" "$out/swarm-30-one/run-00001/agents.csv" >/dev/null; then
    echo "two runs of a batch are the same run" >&2
    failures=$((failures + 1))
fi
exit "$((failures > 0))"
