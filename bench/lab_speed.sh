#!/bin/sh
# How fast the lab crawls, from small webs to a billion pages: links per second, time and memory on synthetic webs that
# are computed on the fly, nothing judged.
#
#   bench/lab_speed.sh [-p POLICIES] [-o FILE.csv] [PAGES...]     default: -p fpr@100, pages 100k 1M 10M 100M 1G
#   bench/lab_speed.sh -g GRAPH [-H HOSTS]                        all orderings on a graph, evaluation included
#
# One run at a time. Markdown on standard output; with -o the same figures as CSV.
# Columns: scheduling = time in frontier and ordering; wall = all of it, the links computed too.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bowerbird=${BOWERBIRD:-$root/build/release/bowerbird}
policies=fpr@100 csv= graph= hosts=
while getopts p:o:g:H: option; do
  case $option in
    p) policies=$OPTARG ;;
    o) csv=$OPTARG ;;
    g) graph=$OPTARG ;;
    H) hosts=$OPTARG ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$bowerbird" ] || { echo "$bowerbird is not there: build it with ./run --version" >&2; exit 69; }

if [ -n "$graph" ]; then
  start=$(date +%s.%N)
  "$bowerbird" lab "$graph" ${hosts:+--hosts "$hosts"} --json >"${csv:-/dev/null}"
  end=$(date +%s.%N)
  echo "all orderings on $(basename "$graph"), evaluation included: $(echo "$end $start" | awk '{printf "%.1f", $1 - $2}') s"
  exit 0
fi

[ $# -gt 0 ] || set -- 100k 1M 10M 100M 1G
row='
import json, sys
report = json.load(sys.stdin)
graph = report["graph"]
for run in report["runs"]:
    links, wall = run["links"], run["wall_seconds"]
    print(",".join(str(x) for x in (
        graph["pages"], run["crawled"], links, run["policy"], round(run["seconds"], 3), round(wall, 3),
        round(run["links_per_s"] / 1e6, 2), round(links / wall / 1e6, 2), round(run["bytes_per_page"], 2),
        round(report["peak_memory"] / 2**30, 2))))
'
head='pages,crawled,links,ordering,scheduling s,wall s,M links/s scheduling,M links/s wall,bytes/page,peak GiB'
[ -z "$csv" ] || echo "$head" >"$csv"
echo "| $(echo "$head" | sed 's/,/ | /g') |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for pages in "$@"; do
  for policy in $(echo "$policies" | tr ',' ' '); do
    line=$("$bowerbird" lab "synthetic:pages=$pages" --policies "$policy" --importance none --threads 1 --json |
      python3 -c "$row")
    [ -z "$csv" ] || echo "$line" >>"$csv"
    echo "| $(echo "$line" | sed 's/,/ | /g') |"
  done
done
