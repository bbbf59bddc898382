#!/usr/bin/env bash
# An hour of sea-fleet in waves keeps its limits and takes no more memory than a minute. Needs SIM_CLI and SCRATCH, and /proc.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/common/check.bash

if [ ! -r /proc/self/status ]; then
    echo "SKIPPED: memory of an hour at sea: there is no /proc"
    exit 77
fi

out="$SCRATCH/sea-hour"
rm -rf "$out" && mkdir -p "$out"
# The tables of the hour are the longer ones, not the memory: 1 MB covers what the allocator keeps.
MOST_GROWTH_KB=1024

# Runs sea-fleet and prints the largest resident memory that its process had, read until it ends.
peak_kb() { # folder, steps
    local peak=0 now pid
    "$SIM_CLI" run scenarios/sea-fleet.json --steps "$2" --trace-every 10 --accept -q --out "$out/$1" >&2 &
    pid=$!
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB$/\1/p' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.02
    done
    wait "$pid" && echo "$peak"
}

minute_kb=$(peak_kb minute 3000)
check "a minute of sea-fleet keeps its limits" [ $? = 0 ]
hour_kb=$(peak_kb hour 180000)
check "an hour of sea-fleet keeps its limits: no vehicle leaves, none collides, all numbers are finite" [ $? = 0 ]
echo "at its peak: ${minute_kb:-?} kB for a minute, ${hour_kb:-?} kB for an hour"
check "memory is flat" [ "${hour_kb:-9999999}" -le "$((${minute_kb:-0} + MOST_GROWTH_KB))" ]
rm -rf "$out"
exit "$((failures > 0))"
