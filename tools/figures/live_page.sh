#!/bin/sh
# Takes docs/img/live.png again: the live page during a crawl of a hostile test Web, as Chromium shows it.
# usage: tools/figures/live_page.sh
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
for program in node npm chromium; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install nodejs npm chromium" >&2; exit 69; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent playwright-core@1.61.1 >&2
tar xzf playwright-core-1.61.1.tgz
cat > shot.mjs <<SHOT
import { createRequire } from "node:module";
import { startCrawl, startWeb } from "$root/tests/live_crawl.mjs";
const { chromium } = createRequire(import.meta.url)("$work/package");
const program = "${BOWERBIRD:-$root/build/release/bowerbird}";
const web = await startWeb(program, "synthetic:pages=100k", ["--hostile"]);
const crawl = await startCrawl(program, "mycrawl", web, ["--delay", "0.5s", "--connections", "60", "--pages", "20000", "--time", "1h", "--bound"]);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
await page.goto(crawl.address + "#token=" + crawl.token);
await page.waitForTimeout(60_000);
await page.screenshot({ path: "$root/docs/img/live.png" });
await browser.close();
await crawl.stop();
await web.stop();
SHOT
node shot.mjs
