#!/usr/bin/env bash
# A sweep on a cluster gives the bytes of a sweep on one machine, even if a node is lost in the middle. The cluster is Slurm with one
# controller and two nodes, all on this machine, with ports, a key and folders of their own. GNU parallel makes the same sweep too.
# Needs SIM_CLI and SCRATCH; installs Debian's packages if they are missing and MAY_INSTALL is yes; else it is skipped (77).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out="$SCRATCH/sweep-slurm"
rm -rf "$out" && mkdir -p "$out"
. tests/common/check.bash

task=none
victims=""

skip() {
    echo "SKIPPED: the sweep on a cluster: $1"
    exit 77
}

has() { command -v "$@" >/dev/null; }

# -- Slurm, installed and started

if ! { has slurmctld && has slurmd && has sbatch && has munged && has parallel; }; then
    [ "${MAY_INSTALL:-}" = yes ] || skip "Slurm, munge or GNU parallel is not installed"
    [ "$(id -u)" = 0 ] || skip "Slurm is not installed, and only root may install it"
    has apt-get || skip "Slurm is not installed, and there is no apt-get"
    echo "installing Slurm, munge and GNU parallel from Debian's packages"
    export DEBIAN_FRONTEND=noninteractive
    apt="timeout 240 apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=10"
    { $apt update && $apt install -y --no-install-recommends slurm-wlm munge parallel; } >"$out/apt.log" 2>&1 \
        || skip "its packages could not be installed (is there a network?): $(tail -n 1 "$out/apt.log")"
fi
[ "$(id -u)" = 0 ] || skip "node daemons want to be root"

# Not below SCRATCH: the name of a socket has 107 characters at most, and munge wants folders that only root can write.
cluster="$(mktemp -d /tmp/sweep-slurm.XXXXXX)"
chmod 755 "$cluster"
mkdir "$cluster"/{state,log,spool.n1,spool.n2}
export SLURM_CONF="$cluster/slurm.conf"

# Daemons, and what watches over the tasks of a node, hold the log of their machine open: so all can be found again, and no others
# are touched. Their children are the tasks.
processes_of() { # machine: controller, munge, n1, n2, or a pattern
    local process
    for process in $(find /proc/[0-9]*/fd -lname "$cluster/log/$1.log" 2>/dev/null | cut -d/ -f3 | sort -u); do
        echo "$process"
        pgrep -P "$process"
    done
}

end_of_cluster() {
    # shellcheck disable=SC2046 # one word a process
    kill -9 $(processes_of '*') 2>/dev/null
    rm -rf "$cluster"
}
trap end_of_cluster EXIT
trap 'exit 1' INT TERM HUP

port=$((20000 + $$ % 10000))
host="$(uname -n)"
cat >"$SLURM_CONF" <<CONF
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldLogFile=$cluster/log/controller.log
SlurmdLogFile=$cluster/log/%n.log
SlurmdTimeout=5
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2))-$((port + 3)) CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

start() { # command...
    "$@" </dev/null >"$cluster/start.txt" 2>&1
}

wait_until() { # seconds, command...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep 0.05
    done
}

idle_nodes() { sinfo --noheader --Node --states idle --format %N 2>/dev/null | sort | tr '\n' ' '; }
both_are_idle() { [ "$(idle_nodes)" = "n1 n2 " ]; }

(umask 077 && head -c 1024 /dev/urandom >"$cluster/munge.key")
start munged --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
    --log-file="$cluster/log/munge.log" --seed-file="$cluster/munge.seed" || skip "munged did not start: $(cat "$cluster/start.txt")"
start slurmctld -i || skip "slurmctld did not start: $(cat "$cluster/start.txt")"
for node in n1 n2; do
    start slurmd -N "$node" || skip "slurmd did not start: $(cat "$cluster/start.txt")"
done
wait_until 30 both_are_idle || skip "the nodes did not come up: $(tail -n 3 "$cluster"/log/*.log)"

# -- The sweep

cat >"$out/tiny.json" <<'JSON'
{ "name": "tiny", "world": "mat", "steps": 24000, "agents": { "count": 10 } }
JSON
cat >"$out/sweep.json" <<'JSON'
{ "name": "cluster", "scenario": "tiny.json", "repeats": 6, "measures": ["moving_share"], "baseline": { "agents.count": 10 },
  "axes": [{ "path": "agents.count", "values": [10, 12] }] }
JSON

same() { # folder: all that does not depend on the clock or on how the sweep was split
    diff --recursive --brief --exclude timing.json --exclude shards --exclude slurm "$out/local" "$1"
}

xtask() { cargo xtask sweep "$out/sweep.json" --binary "$SIM_CLI" "$@"; }

xtask --out "$out/local" --quiet || { echo "FAILED: the sweep on one machine, with which the others are compared" >&2 && exit 1; }

shard_of() { echo "$out/slurm/shards/runs-0000$1-of-00006.csv"; }

# Some shards are whole, and n1 is making another one. Sets the task and its processes, for what is to come must come fast.
in_the_middle() {
    compgen -G "$(shard_of '?')" >/dev/null || return 1
    task="$(squeue --noheader --nodelist n1 --states running --format %K)"
    [ -n "$task" ] || return 1
    victims="$(processes_of n1)"
    compgen -G "$(shard_of "$task").*.partial" >/dev/null
}

# Slurm would give the lost task to the other node two minutes later; --no-requeue leaves that to us.
xtask --engine slurm --shards 6 --sbatch "--no-requeue" --out "$out/slurm" >"$out/slurm.txt" 2>&1 &
sweep=$!
check "the cluster is in the middle of the sweep" wait_until 30 in_the_middle
# shellcheck disable=SC2086 # one word a process
kill -9 $victims 2>/dev/null
check "the node is lost before its shard is whole" test ! -e "$(shard_of "$task")"
wait "$sweep"
check "the sweep on the cluster ends well" test "$?" = 0
cat "$out/slurm.txt"
check "the node stays lost" test "$(idle_nodes)" = "n2 "
check "its shard was submitted again, and nothing else" \
    test "$(grep '^submitting' "$out/slurm.txt")" = "submitting shards 0-5 of 6"$'\n'"submitting shards $task of 6"
check "the same bytes on one machine and on a cluster that lost a node" same "$out/slurm"

# A sweep that is whole is not submitted again; a cluster without sbatch is told apart from one that fails.
xtask --engine slurm --shards 6 --out "$out/slurm" >"$out/again.txt" 2>&1
check "a sweep that is whole starts no tasks" bash -c "[ $? = 0 ] && ! grep -q submitting '$out/again.txt'"

# -- Another engine, by the same contract

seq 0 4 | parallel --jobs 2 "'$SIM_CLI' sweep '$out/sweep.json' --shard {}/5 --out '$out/parallel' --jobs 1 --quiet"
check "GNU parallel makes all shards" test "$?" = 0
"$SIM_CLI" sweep "$out/sweep.json" --merge --out "$out/parallel" --quiet
check "the same bytes with GNU parallel" same "$out/parallel"

# A check that cannot fail proves nothing.
echo >>"$out/parallel/runs.csv"
check "another table is seen" bash -c "! cmp -s '$out/local/runs.csv' '$out/parallel/runs.csv'"

exit "$((failures > 0))"
