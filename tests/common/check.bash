# What checks share that ask a command whether something holds. They end with the status of whether `failures` is 0.
failures=0

check() { # what, command...
    local what="$1"
    shift
    if "$@"; then
        echo "ok: $what"
    else
        echo "FAILED: $what" >&2
        failures=$((failures + 1))
    fi
}
