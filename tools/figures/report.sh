#!/bin/sh
# Takes docs/img/report.png again: the beginning of a lab report, as Chromium shows it.
# usage: tools/figures/report.sh [GRAPH [lab options ...]]
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
for program in node chromium; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install nodejs chromium" >&2; exit 69; }
done
[ $# -gt 0 ] || set -- synthetic:pages=100k
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${BOWERBIRD:-$root/run}" lab "$@" --out "$work" >&2
cat > "$work/shot.mjs" <<SHOT
import { writeFileSync } from "node:fs";
import { Browser } from "$root/tests/browser.mjs";
const browser = await Browser.start("chromium");
await browser.size(1000, 1180);
await browser.open("file://$work/report.html");
await browser.scheme("light");
writeFileSync("$root/docs/img/report.png", await browser.screenshot(false));
await browser.close();
SHOT
node "$work/shot.mjs"
