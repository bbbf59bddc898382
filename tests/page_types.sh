#!/usr/bin/env bash
# The types of the replay page's modules, which stand in their comments: checked by the TypeScript compiler.
# Needs SCRATCH; npm installs the compiler there if MAY_INSTALL is yes.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: the types of the replay page: $1"
    exit 77
}

packages="$SCRATCH/typescript"
tsc="$packages/node_modules/.bin/tsc"
if [ ! -x "$tsc" ]; then
    [ "${MAY_INSTALL:-}" = yes ] || skip "TypeScript is not installed"
    command -v npm >/dev/null || skip "there is no npm to install TypeScript"
    mkdir -p "$packages"
    npm install --silent --no-fund --no-audit --prefix "$packages" typescript@5 ||
        skip "npm cannot install typescript (is there a network?)"
fi
"$tsc" --allowJs --checkJs --noEmit --strict --noUnusedLocals --target es2023 --module es2022 --moduleResolution bundler \
    --lib es2023,dom,dom.iterable crates/sim-view/page/*.js && echo "ok: the types of the replay page"
