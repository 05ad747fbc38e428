#!/bin/sh
# The crawler beside others, on one core, on a real corpus served by nginx on loopback: pages per CPU-second, memory,
# pages missed, robots violations. Needs the harness of docs/performance.md (its folder as the argument, or in
# BOWERBIRD_PEERS); without it, says so and ends well. SET=small|full, WARC=none|zstd|gzip, MORE="further options".
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
peers=${1:-${BOWERBIRD_PEERS:-$here/../shared/peers}}
if [ ! -x "$peers/run.sh" ]; then
  echo "crawl_peers: no harness at $peers: name its folder, or set BOWERBIRD_PEERS" >&2
  exit 0
fi
warc=${WARC:-zstd}
program=${BOWERBIRD:-$here/build/release/bowerbird}
export LABEL="bowerbird-$warc"
# shellcheck disable=SC2016
exec "$peers/run.sh" -- sh -c 'exec "$0" crawl --seed-file "$SEEDS" --scope host --host "*.$DOMAIN" \
  --policy fpr@100 --warc "$1" --out "$OUT/crawl" --quiet --no-report \
  --contact bench@bowerbird.example --allow-net 127.0.0.0/8 --delay 0 --adapt 0 \
  --connections "${CONC:-16}" --connections-per-host "${CONC:-16}" --parsers "${PARSERS:-0}" --network-threads "${NETWORK_THREADS:-0}" ${MORE:-}' "$program" "$warc"
