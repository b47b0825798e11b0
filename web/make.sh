#!/bin/sh
# Builds the front end of the page into web/dist, from where the program embeds it. Nothing is done where it is newer than its
# sources. Without node all else of swissmatch can be built; with `must` that is an error.
set -eu
cd "$(dirname "$0")"
least=20.19
has_node() {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}
if ! has_node; then
  echo "web: node $least or later and npm are needed for the page of an event (report); without them the program is built without it"
  [ "${1:-}" = must ] && exit 1
  exit 0
fi
# npm leaves this file where all is installed.
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --no-audit --no-fund
fi
newer=$(find package.json package-lock.json vite.config.mjs tsconfig.json src tools make.sh ../docs/schema -newer dist/page.js 2>/dev/null || echo all)
[ -e dist/page.js ] && [ -e dist/page.css ] && [ -e dist/licences.txt ] && [ -z "$newer" ] && exit 0
npm run --silent check
npm run --silent build
