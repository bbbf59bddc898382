#!/usr/bin/env bash
# The replay page and the report of a sweep in a browser that nobody sees: tests/replay_page.mjs and tests/report_page.mjs. Needs SIM_CLI
# and SCRATCH, and node, npm and Chromium: what is missing is installed where that can be done (npm packages below SCRATCH, Chromium by
# apt-get); otherwise the check is skipped with a word.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: the replay page in a browser: $1"
    exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || skip "there is no node with npm on this machine"

find_chromium() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}
if ! find_chromium >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >"$SCRATCH/chromium.log" 2>&1
fi
chromium=$(find_chromium) || skip "there is no Chromium, and apt-get cannot install it here"

packages="$SCRATCH/node"
if [ ! -d "$packages/node_modules/playwright-core" ]; then
    mkdir -p "$packages"
    npm install --silent --no-fund --no-audit --prefix "$packages" playwright-core@1 ||
        skip "npm cannot install playwright-core (is there a network?)"
fi

out="$SCRATCH/replay-page"
rm -rf "$out" && mkdir -p "$out"
export CHROMIUM="$chromium" PACKAGES="$packages/node_modules" OUT="$out"
node tests/replay_page.mjs
replay=$?
node tests/report_page.mjs && exit "$replay"
