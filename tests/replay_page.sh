#!/usr/bin/env bash
# The replay page, the report of a sweep and the live stage in a browser without a window: tests/replay_page.mjs, report_page.mjs,
# report_answers.mjs, page_access.mjs and live_page.mjs.
# Needs SIM_CLI and SCRATCH, and node, Chromium and playwright-core; axe-core too for all of page_access.mjs. If MAY_INSTALL is yes,
# what is missing is installed (npm packages below SCRATCH, Chromium by apt-get); otherwise the check is skipped with a word.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: the replay page in a browser: $1"
    exit 77
}

may_install() { [ "${MAY_INSTALL:-}" = yes ]; }

command -v node >/dev/null || skip "node is not installed"

find_chromium() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}
if ! find_chromium >/dev/null && may_install && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >"$SCRATCH/chromium.log" 2>&1
fi
chromium=$(find_chromium) || skip "Chromium is not installed"

packages="$SCRATCH/node"
if [ ! -d "$packages/node_modules/playwright-core" ]; then
    may_install || skip "playwright-core is not installed"
    command -v npm >/dev/null || skip "there is no npm to install playwright-core"
    mkdir -p "$packages"
    npm install --silent --no-fund --no-audit --prefix "$packages" playwright-core@1 ||
        skip "npm cannot install playwright-core (is there a network?)"
fi

# Without axe-core, page_access.mjs says that it leaves these checks out.
if [ ! -d "$packages/node_modules/axe-core" ] && may_install; then
    npm install --silent --no-fund --no-audit --prefix "$packages" axe-core@4 || true
fi

out="$SCRATCH/replay-page"
rm -rf "$out" && mkdir -p "$out"
export CHROMIUM="$chromium" PACKAGES="$packages/node_modules" OUT="$out"
failed=0
for page in replay_page report_page report_answers page_access live_page; do
    node "tests/$page.mjs" || failed=1
done
exit "$failed"
