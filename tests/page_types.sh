#!/usr/bin/env bash
# The types of the replay page's modules, which stand in their comments: checked by the TypeScript compiler, installed by npm below SCRATCH.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v npm >/dev/null || { echo "SKIPPED: the types of the replay page: there is no npm on this machine"; exit 77; }
packages="$SCRATCH/typescript"
tsc="$packages/node_modules/.bin/tsc"
if [ ! -x "$tsc" ]; then
    mkdir -p "$packages"
    npm install --silent --no-fund --no-audit --prefix "$packages" typescript@5 ||
        { echo "SKIPPED: the types of the replay page: npm cannot install typescript (is there a network?)"; exit 77; }
fi
"$tsc" --allowJs --checkJs --noEmit --strict --noUnusedLocals --target es2023 --module es2022 --moduleResolution bundler \
    --lib es2023,dom,dom.iterable crates/sim-view/page/*.js && echo "ok: the types of the replay page"
