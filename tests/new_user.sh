#!/usr/bin/env bash
# The first hour of a new user, in an empty folder with nothing but the packed program: list, run, watch, change, sweep, read the answer,
# completions, typing errors, a script that wants a verdict. Needs ARCHIVE and SCRATCH.
set -uo pipefail

out="$SCRATCH/new-user"
rm -rf "$out" && mkdir -p "$out"
tar -xzf "$ARCHIVE" -C "$out" && cd "$out"/sim-cli-* || exit 1
SIM_CLI="$PWD/sim-cli"
failures=0

cat >"$out/question.json" <<'JSON'
{
  "name": "question",
  "question": "How near do robots come to the foot?",
  "scenario": "@swarm-10",
  "set": { "steps": 600 },
  "axes": [{ "path": "agents.count", "name": "robots", "values": [5, 10] }],
  "repeats": 50,
  "measures": ["min_robot_foot_mm", "wish_followed_share"]
}
JSON

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

check "the page of a run" 0 'open it in a browser' "$SIM_CLI" replay "$out/start"
check "it is one file, with nothing to load" 1 '' grep -qE '(src|href)="https?:' "$out/start/replay.html"
check "a question of a hundred runs" 0 'min_robot_foot_mm' "$SIM_CLI" sweep "$out/question.json" --out "$out/question"
check "the report answers it in words" 0 'min_robot_foot_mm|smallest distance' cat "$out/question/report.html"
check "a row for each of a hundred runs" 0 '^101$' bash -c "wc -l < '$out/question/runs.csv'"
check "summary of a run of cubes" 0 'cube_targets_reached' "$SIM_CLI" run @cubes-tour --duration 5s --out "$out/cubes"
check "guide, licences and changes came along" 0 '' ls docs/guide/getting-started.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md

completes() { # shell, words that it prints, script
    command -v "$1" >/dev/null || { echo "skipped: $1 is not installed" && return; }
    check "$1 takes the completions" 0 "$2" "$1" -c "$3"
}
completes bash '^scenarios' 'source completions/sim-cli.bash; COMP_WORDS=(sim-cli scen) COMP_CWORD=1 COMPREPLY=()
    [[ $(complete -p sim-cli) =~ -F\ ([^ ]+) ]]; "${BASH_REMATCH[1]}" sim-cli scen sim-cli; printf "%s\n" "${COMPREPLY[@]}"'
completes fish '^scenarios' 'source completions/sim-cli.fish; complete -C "sim-cli scen"'
completes zsh '^_sim-cli$' 'fpath=($PWD/completions $fpath); autoload -U compinit; compinit -u -D; print -r -- $_comps[sim-cli]'

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
