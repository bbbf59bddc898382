#!/usr/bin/env bash
# Runs that are cut short: a full disk, kill -9, a request to stop, a folder that cannot be made. Nothing that was written is lost, what
# is left is marked as not complete, and the message says what happened. Needs SIM_CLI and SCRATCH.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out="$SCRATCH/cut-short"
rm -rf "$out" && mkdir -p "$out"
. tests/common/check.bash

is_not_complete() { grep -q '"complete": false' "$1/run.json"; }
says() { grep -qiE "$2" "$1"; }

# Rows that are there have all their cells, but for the very last one, which the end may have cut.
rows_are_whole() {
    local table="$1"
    [ -s "$table" ] && sed '$d' "$table" | awk -F, 'NR == 1 { cells = NF } NF != cells { exit 1 } END { exit NR < 2 }'
}

# A quota on the size of a file stands for a full disk where no file system can be mounted: the write is refused in the same way.
(
    trap '' XFSZ
    ulimit -f 512
    exec "$SIM_CLI" run scenarios/swarm-30.json --out "$out/quota" 2>"$out/quota.txt" >/dev/null
)
status=$?
check "a full disk ends with status 1" test "$status" = 1
check "a full disk is named with the file" says "$out/quota.txt" 'agents\.csv'
check "a full disk leaves a marked partial" is_not_complete "$out/quota"
check "a full disk leaves the rows that fitted" rows_are_whole "$out/quota/agents.csv.partial"

# The real thing, where this user may mount one.
if mkdir -p "$out/small" && mount -t tmpfs -o size=512k tmpfs "$out/small" 2>/dev/null; then
    "$SIM_CLI" run scenarios/swarm-30.json --out "$out/small/run" 2>"$out/small.txt" >/dev/null
    status=$?
    check "a full file system ends with status 1" test "$status" = 1
    check "a full file system is named so" says "$out/small.txt" 'no space|space left'
    check "a full file system leaves the rows that fitted" rows_are_whole "$out/small/run/agents.csv.partial"
    umount "$out/small"
else
    echo "skipped: no file system can be mounted here; the quota above stands for it"
fi

wait_for() { # file: until it holds something, ten seconds at most
    for _ in $(seq 1000); do
        [ -s "$1" ] && return 0
        sleep 0.01
    done
    return 1
}

long=(--steps 3600000 --trace-every 6 --set name=long)

"$SIM_CLI" run scenarios/swarm-30.json "${long[@]}" --out "$out/killed" >/dev/null 2>&1 &
pid=$!
check "rows come while the run goes on" wait_for "$out/killed/agents.csv.partial"
sleep 0.5
kill -9 "$pid"
wait "$pid" 2>/dev/null
check "kill -9 leaves a folder that says it is not complete" is_not_complete "$out/killed"
check "kill -9 leaves whole rows" rows_are_whole "$out/killed/agents.csv.partial"
check "kill -9 leaves no table that looks finished" test ! -e "$out/killed/agents.csv"

"$SIM_CLI" run scenarios/swarm-30.json "${long[@]}" --out "$out/stopped" >/dev/null 2>"$out/stopped.txt" &
pid=$!
check "rows come here too" wait_for "$out/stopped/agents.csv.partial"
sleep 0.3
kill -INT "$pid"
wait "$pid"
status=$?
check "a stopped run ends with 130" test "$status" = 130
check "a stopped run is marked" is_not_complete "$out/stopped"
check "a stopped run leaves whole rows" rows_are_whole "$out/stopped/agents.csv.partial"

# In a batch, finished runs stay whole.
"$SIM_CLI" run scenarios/swarm-10.json --runs 100000 --steps 600 --jobs 1 --out "$out/batch" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1000); do
    [ -e "$out/batch/run-00002/summary.csv" ] && break
    sleep 0.01
done
kill -TERM "$pid"
wait "$pid"
check "a batch that was asked to stop ends with 143" test "$?" = 143
check "a stopped batch is marked" is_not_complete "$out/batch"
check "its finished runs are whole" grep -q '"complete": true' "$out/batch/run-00000/run.json"

# A file where the folder should be: an answer that names it, before any work is done.
echo mine >"$out/taken"
"$SIM_CLI" run scenarios/swarm-10.json --steps 60 --out "$out/taken" 2>"$out/taken.txt" >/dev/null
status=$?
check "an output that is no folder is refused" test "$status" -ne 0
check "and named" says "$out/taken.txt" 'taken'
check "and left as it was" test "$(cat "$out/taken")" = mine

exit "$((failures > 0))"
