#!/usr/bin/env python3
"""Makes every figure of docs/lipr.md again: the tables between its marks, and docs/img/lipr.svg.

usage: tools/figures/lipr.py [--bench FILE] [--cache DIR] [table ...]     tables: auc, ablation, cost, disk (default: all)

The graphs are looked for in $BOWERBIRD_DATA (default ../shared/data beside the sources). --cache keeps what the papers'
orderings came to in DIR, one file a graph and set of seeds, and takes it from there the next time; `lipr` itself is
always run. --bench takes the figures of the tables cost and disk from the JSON that lipr_bench wrote
(BENCH_PAGES=100k,1M,10M build/release/lipr_bench --benchmark_out=FILE); without it the bench is run.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
data = pathlib.Path(os.environ.get("BOWERBIRD_DATA", root / "../shared/data"))
page = root / "docs/lipr.md"

PAPERS = ("bfs dfs backlink batch-pagerank partial-pagerank opic fica ieca rankmass windowed-rankmass@5 "
          "fpr fpr@2 fpr@20 fpr@100").split()
WEIGHTED = ["fpr@2", "fpr@20", "fpr@100"]  # they need hosts, and the pages of a host graph are hosts
# name: (arguments, one home page, further seeds, orderings that take too long or mean nothing)
GRAPHS = {
    "cnr-2000-nat": ([data / "cnr-2000-nat/cnr-2000-nat", "--hosts", data / "cnr-2000-nat/cnr-2000-nat.blocks.gz"],
                     "ids:46918", [], ["rankmass"]),
    "uci-ics-2019": ([data / "uci-ics-2019/uci-ics-2019.graph-txt.gz"], "home:1", [], []),
    "hollins": ([data / "hollins/hollins.graph-txt.gz"], "ids:1", [], []),
    "webkb": ([data / "webkb/webkb.graph-txt.gz"], "ids:2254", ["top:160"], []),
    "uci-ics-2019-open": ([data / "uci-ics-2019/uci-ics-2019-open.graph-txt.gz"], "ids:109929", [], ["rankmass"]),
    "ukwa-1996": ([data / "ukwa-1996-hosts/ukwa-1996.hostgraph-txt.gz"], "ids:53126", [], ["rankmass", *WEIGHTED]),
    "indie-map": ([data / "indie-map/indie-map.hostgraph-txt.gz"], "ids:219184", [], ["rankmass", *WEIGHTED]),
}
DRAWN = ["cnr-2000-nat", "uci-ics-2019", "hollins", "webkb"]
# How often `lipr` is run, and sets of random seeds.
REPEAT = {"uci-ics-2019": 2, "hollins": 5, "webkb": 5}
DRAWS = {"uci-ics-2019": 3, "hollins": 3, "webkb": 3}
ABLATIONS = ["lipr"] + [f"lipr:without={part}" for part in
                        "imputation levels learning hosts directories taken prior spread bonus reveals".split()] + [
                            "lipr:first=64", "lipr:growth=1.4", "lipr:iterations=2", "lipr:samples=5000"]


def lab(graph, seeds, draw, policies, repeat=1, baselines=False):
    """The runs of an experiment by ordering."""
    command = [root / "build/release/bowerbird", "lab", *GRAPHS[graph][0], "--seeds", seeds, "--seed", str(draw),
               "--policies", ",".join(policies), "--repeat", str(repeat), "--json"]
    command += [] if baselines else ["--no-baselines"]
    print(*command, file=sys.stderr)
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True)
    return {run["policy"]: run for run in json.loads(done.stdout)["runs"]}


def papers(graph, seeds, draw, cache):
    file = cache / f"{graph}.{seeds}.{draw}.json" if cache else None
    if file and file.exists():
        return json.loads(file.read_text())
    runs = lab(graph, seeds, draw, [p for p in PAPERS if p not in GRAPHS[graph][3]], baselines=True)
    if file:
        cache.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(runs))
    return runs


def settings(graph):
    """(what the table says, seeds, random seed)"""
    _, home, further, _ = GRAPHS[graph]
    yield "top:20", "top:20", 1
    for draw in range(1, DRAWS.get(graph, 1) + 1):
        yield f"random:50 ({draw})", "random:50", draw
    yield f"one page ({home})", home, 1
    for seeds in further:
        yield seeds, seeds, 1


def auc_table(cache):
    lines = ["| graph | seeds | `lipr` | sd | best of the papers | | second | | distance closed | at 10 %: `lipr` | best |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    curves = {}
    for graph in GRAPHS:
        for label, seeds, draw in settings(graph):
            others = papers(graph, seeds, draw, cache)
            own = lab(graph, seeds, draw, ["lipr"], REPEAT.get(graph, 2))["lipr"]
            ranked = sorted((p for p in others if p in PAPERS or p == "location"), key=lambda p: -others[p]["auc"])
            first, second = ranked[:2]
            auc, best, top = own["auc"], others[first]["auc"], others["omniscient"]["auc"]
            deviation = own["spread"]["auc"]["sd"] if own["repeats"] > 1 else 0
            # Where omniscient is hardly better than the best, there is no distance to close.
            closed = f"{round(100 * (auc - best) / (top - best))} %" if top - best >= 0.001 else ""
            tenth = max(others[p]["cumulative"]["0.1"] for p in ranked)
            lines.append(f"| {graph} | {label} | **{auc:.4f}** | {deviation:.4f} | `{first}` {best:.4f} | {auc - best:+.4f} "
                         f"| `{second}` {others[second]['auc']:.4f} | {auc - others[second]['auc']:+.4f} | {closed} "
                         f"| {own['cumulative']['0.1']:.3f} | {tenth:.3f} |")
            if seeds == "top:20" and graph in DRAWN:
                curves[graph] = {**others, "lipr": own}
    draw_curves(curves)
    return lines


def ablation_table(_):
    """Means over the sets of seeds of table auc: one set alone says more of its luck than of the part."""
    names = ["uci-ics-2019", "hollins", "webkb", "cnr-2000-nat", "uci-ics-2019-open"]
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    runs = {graph: [lab(graph, seeds, draw, ABLATIONS, REPEAT.get(graph, 2)) for _, seeds, draw in settings(graph)]
            for graph in names}

    def mean(graph, value):
        return sum(value(run) for run in runs[graph]) / len(runs[graph])

    for spec in ABLATIONS:
        cells = []
        for graph in names:
            if spec == "lipr":
                deviation = mean(graph, lambda run: run["lipr"]["spread"]["auc"]["sd"] ** 2 / len(runs[graph])) ** .5
                cells.append(f"{mean(graph, lambda run: run['lipr']['auc']):.4f} ± {deviation:.4f}")
            else:
                cells.append(f"{mean(graph, lambda run: run[spec]['auc'] - run['lipr']['auc']):+.4f}")
        lines.append(f"| `{spec}` | " + " | ".join(cells) + " |")
    return lines


def run_bench():
    bench = pathlib.Path(tempfile.mkstemp(suffix=".json")[1])
    subprocess.run([root / "build/release/lipr_bench", f"--benchmark_out={bench}"], check=True, stdout=sys.stderr)
    return bench


def cost_table(bench):
    return bench_table(bench, lambda name: "on disk" not in name,
                       ["links", "CPU s", "ns/link", "times fpr", "times fpr, whole crawl", "recomputations",
                        "recomputed links/link", "state B/page", "graph B/link", "all B/page"])


def disk_table(bench):
    return bench_table(bench, lambda name: name.startswith("lipr"),
                       ["CPU s", "ns/link", "times in memory", "state B/page", "graph B/link", "disk B/link",
                        "all B/page"])


def bench_table(bench, wanted, columns):
    """The runs whose name is wanted, with these columns."""
    lines = ["| crawl | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for run in json.loads(bench.read_text())["benchmarks"]:
        if not wanted(run["name"]):
            continue
        run["CPU s"] = run["real_time"] / 1000
        cells = []
        for column in columns:
            value = run.get(column)
            cells.append("" if value is None else f"{value:,.0f}" if column in ("links", "recomputations", "ns/link")
                         else f"{value:.2f}" if column in ("times in memory", "disk B/link") else f"{value:.1f}")
        name = re.sub(r"/iterations:1/manual_time", "", run["name"]).replace("/threads:", ", threads ")
        lines.append(f"| {name.replace('/', ', ')} | " + " | ".join(cells) + " |")
    return lines


def draw_curves(curves):
    styles = {"omniscient": ("#555555", 1.5, 3), "ideal": ("#999999", 1.5, 2), "lipr": ("#d55e00", 3, 1),
              "partial-pagerank": ("#0072b2", 1.5, 1), "ieca": ("#009e73", 1.5, 1), "fica": ("#56b4e9", 1.5, 1),
              "fpr@100": ("#cc79a7", 1.5, 1), "opic": ("#e69f00", 1.5, 1), "bfs": ("#000000", 1, 1)}
    with tempfile.TemporaryDirectory() as folder:
        plots = []
        for number, (graph, runs) in enumerate(curves.items()):
            rest, named = [], []
            for ordering, run in runs.items():
                if ordering == "random":
                    continue
                file = f"{folder}/{number}.{ordering}"
                points = [(0, 0)] + [(100 * float(x), 100 * y) for x, y in run["cumulative"].items()]
                pathlib.Path(file).write_text("".join(f"{x} {y}\n" for x, y in points))
                if ordering in styles:
                    colour, width, dash = styles[ordering]
                    named.append((list(styles).index(ordering), f"'{file}' w l lw {width} dt {dash} lc rgb '{colour}' "
                                  f"title '{ordering}'"))
                else:
                    rest.append(f"'{file}' w l lw 1 lc rgb '#cccccc' "
                                + ("title 'the other papers’ orderings'" if not rest else "notitle"))
            key = "set key bottom right font ',9'" if number == 0 else "unset key"
            plots.append(f"{key}\nset title '{graph}, seeds top:20'\nplot "
                         + ", ".join(rest + [text for _, text in sorted(named, reverse=True)]))
        script = f"""set terminal svg size 900,760 font 'DejaVu Sans,11' background 'white' noenhanced
set output '{root}/docs/img/lipr.svg'
set multiplot layout 2,2
set xlabel 'pages crawled (% of all reachable)'
set ylabel 'PageRank collected (% of all)'
set xrange [0:100]
set yrange [0:100]
set grid lc rgb '#dddddd'
""" + "\n".join(plots) + "\nunset multiplot\n"
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("tables", nargs="*")
    options = parser.parse_args()
    makers = {"auc": lambda: auc_table(options.cache), "ablation": lambda: ablation_table(options.cache),
              "cost": lambda: cost_table(options.bench), "disk": lambda: disk_table(options.bench)}
    names = options.tables or list(makers)
    if not options.bench and ("cost" in names or "disk" in names):
        options.bench = run_bench()
    for name in names:
        table = "\n".join(makers[name]())
        mark = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- /{name} -->)", re.S)
        page.write_text(mark.sub(lambda match: match.group(1) + table + "\n" + match.group(2), page.read_text()))


main()
