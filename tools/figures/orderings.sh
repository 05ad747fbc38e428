#!/bin/sh
# Draws docs/img/orderings.svg, the picture of the README: cumulative PageRank of several orderings on cnr-2000.
# usage: tools/figures/orderings.sh [GRAPH [lab options ...]]
# Without a graph: cnr-2000-nat of $BOWERBIRD_DATA (default ../shared/data) with its inferred hosts.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
data=${BOWERBIRD_DATA:-$root/../shared/data}
command -v gnuplot >/dev/null || { echo "gnuplot is missing: apt-get install gnuplot-nox" >&2; exit 69; }
[ $# -gt 0 ] || set -- "$data/cnr-2000-nat/cnr-2000-nat" --hosts "$data/cnr-2000-nat/cnr-2000-nat.blocks.gz" --seeds top:160
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/run" lab "$@" --policies lipr,bfs,fpr@100,ieca,partial-pagerank --out "$work" >&2
gnuplot <<PLOT
set terminal svg size 860,480 font "DejaVu Sans,13" background "white"
set output "$root/docs/img/orderings.svg"
set datafile separator ","
set xlabel "pages crawled (% of all reachable)"
set ylabel "PageRank collected (% of all)"
set xrange [0:100]
set yrange [0:100]
set key bottom right
set grid lc rgb "#dddddd"
set style data lines
curve(p) = sprintf("< grep -F -e graph, -e ',%s,all,' '$work/curves.csv'", p)
x(i) = 100*column("share")
y(i) = 100*column("cumulative")
plot curve("ideal")            using (x(0)):(y(0)) lw 2 dt 2 lc rgb "#999999" title "ideal: the best pages, known or not", \
     curve("omniscient")       using (x(0)):(y(0)) lw 2 dt 3 lc rgb "#555555" title "omniscient: knows what each link is worth", \
     curve("lipr")             using (x(0)):(y(0)) lw 4 lc rgb "#e69f00" title "lipr: the default", \
     curve("partial-pagerank") using (x(0)):(y(0)) lw 2.5 lc rgb "#0072b2" title "partial-pagerank", \
     curve("ieca")             using (x(0)):(y(0)) lw 2.5 lc rgb "#009e73" title "ieca", \
     curve("fpr@100")          using (x(0)):(y(0)) lw 2.5 lc rgb "#d55e00" title "fpr\\\\@100", \
     curve("bfs")              using (x(0)):(y(0)) lw 2.5 lc rgb "#cc79a7" title "bfs: in the order found", \
     curve("random")           using (x(0)):(y(0)) lw 1.5 lc rgb "#000000" title "random"
PLOT
