#!/bin/sh
# The similarity figures of [004] on a crawl of one's own: a test Web is served, crawled with its words kept, and
# crawled again in the lab with a topic. Writes docs/img/papers/topic-004-pst.svg and topic-004-pcs.svg and prints the
# table. BOWERBIRD: the program; WORK: a folder for what is made on the way.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
program=${BOWERBIRD:-$here/build/release/bowerbird}
work=${WORK:-$here/build/topic}
topic="garden soil compost seed bulb hedge lawn rose"
rm -rf "$work"
mkdir -p "$work"
"$program" web serve synthetic:pages=20k --port 0 --quiet >"$work/served" &
server=$!
trap 'kill $server' EXIT
while ! grep -q port= "$work/served"; do sleep 0.1; done
port=$(sed -n 's/.*port=\([0-9]*\).*/\1/p' "$work/served")
seed=http://$(curl -s "http://127.0.0.1:$port/" | grep -o '/~/[^"]*' | head -1 | sed 's,/~/,,')
"$program" crawl "$seed" --out "$work/crawl" --scope any --policy bfs --terms --quiet --contact figures@bowerbird.example \
  --connect-to "127.0.0.1:$port" --allow-net 127.0.0.0/8 --delay 0 --connections 1 --no-traps
for importance in on-topic similarity; do
  "$program" lab "$work/crawl" --topic "$topic" --importance "$importance" --seeds ids:0 --out "$work/$importance" --quiet \
    --policies batch-pagerank,backlink,bfs,similar:variant=basic,similar,similar:by=backlink,similar:by=batch-pagerank
done
cp "$work/on-topic/figures/004-pst.svg" "$here/docs/img/papers/topic-004-pst.svg"
cp "$work/similarity/figures/004-pcs.svg" "$here/docs/img/papers/topic-004-pcs.svg"
