#!/usr/bin/env bash
# What a new user does first: help at each level, a copied scenario with one number changed, a typing error in it, a script that
# wants a verdict. Needs SIM_CLI and SCRATCH.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out="$SCRATCH/new-user"
rm -rf "$out" && mkdir -p "$out"
failures=0

check() { # what, wanted exit status, words that standard output or error must hold, command...
    local what="$1" wanted="$2" words="$3" status
    shift 3
    "$@" >"$out/said.txt" 2>&1
    status=$?
    if [ "$status" = "$wanted" ] && { [ -z "$words" ] || grep -qiE -- "$words" "$out/said.txt"; }; then
        echo "ok: $what"
    else
        echo "FAILED: $what: status $status (wanted $wanted), said (wanted '$words'):" >&2
        cat "$out/said.txt" >&2
        failures=$((failures + 1))
    fi
}

check "help" 0 'run' "$SIM_CLI" --help
check "the scenarios that came along" 0 '@swarm-30 .*30 robots' "$SIM_CLI" scenarios
check "one of them, by its name" 0 '' "$SIM_CLI" run @swarm-10 --duration 5s --out "$out/by-name"
check "a scenario to start from" 0 'agents\.count' "$SIM_CLI" new "$out/start.json"
check "it runs" 0 '' "$SIM_CLI" run "$out/start.json" --duration 5s --out "$out/start"
check "all measures are explained" 0 'min_robot_foot_mm .*smallest swept distance' "$SIM_CLI" docs measures
check "a sweep is no scenario" 2 'sim-cli sweep sweeps/filters\.json' "$SIM_CLI" run sweeps/filters.json
for command in run scenarios new check schema explain docs render replay completions; do
    check "help of $command" 0 'usage' "$SIM_CLI" "$command" --help
done
check "a command that is not there" 2 'fly' "$SIM_CLI" fly
check "a flag that is not there" 2 'fast' "$SIM_CLI" run scenarios/swarm-30.json --fast
check "a scenario that is not there" 2 'none\.json' "$SIM_CLI" run scenarios/none.json

check "all scenarios at once, the schema beside them left out" 0 'skip .*schema' "$SIM_CLI" check scenarios/*.json
for scenario in scenarios/*.json; do
    case "$scenario" in *.schema.json) continue ;; esac
    check "$scenario would run" 0 '' "$SIM_CLI" check "$scenario"
done

cp scenarios/swarm-10.json "$out/mine.json"
sed -i 's/"count": 10/"count": 12/' "$out/mine.json"
check "a copy with one number changed" 0 '' "$SIM_CLI" run "$out/mine.json" --steps 600 --out "$out/mine"
check "it has its twelve robots" 0 '"count": 12' cat "$out/mine/scenario.json"
check "explain writes the defaults out" 0 'v_max_mm_s' "$SIM_CLI" explain "$out/mine.json"
check "a second run does not overwrite the first" 2 'overwrite' "$SIM_CLI" run "$out/mine.json" --steps 600 --out "$out/mine"
check "unless it is told to" 0 '' "$SIM_CLI" run "$out/mine.json" --steps 600 --out "$out/mine" --overwrite
check "an accepted run" 0 '' "$SIM_CLI" run "$out/mine.json" --steps 600 --out "$out/accepted" --accept

sed 's/"count"/"cuont"/' "$out/mine.json" >"$out/typing.json"
check "a typing error is named with its place" 2 'typing\.json:[0-9]+:[0-9]+' "$SIM_CLI" check "$out/typing.json"
check "and with the key that was meant" 2 'did you mean.*count' "$SIM_CLI" run "$out/typing.json" --out "$out/typing"
sed 's/"count": 12/"count": 300/' "$out/mine.json" >"$out/crowd.json"
check "a crowd that does not fit is refused with a number that does" 2 '300.*fit|fit.*300' "$SIM_CLI" check "$out/crowd.json"
check "a wrong override is named" 2 'agents\.cuont' "$SIM_CLI" run scenarios/swarm-10.json --set agents.cuont=3 --out "$out/wrong"
check "no filter, and a verdict wanted" 3 '' \
    "$SIM_CLI" run scenarios/swarm-30.json --set safety.filter=none --steps 3600 --no-trace --out "$out/none" --accept

exit "$((failures > 0))"
