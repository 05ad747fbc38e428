#!/usr/bin/env python3
"""Runs the experiments of the papers on the graphs at hand, and writes their figures and tables into docs/papers.md.

usage: tools/figures/papers.py run [GRAPH ...]   runs them (hours for all); results go to build/papers/GRAPH/EXPERIMENT
       tools/figures/papers.py write             figures to docs/img/papers, tables to docs/papers.md, from those results

GRAPH is one of cnr, uci, hollins and large (synthetic, 10 M pages, about 4 GiB of memory). $BOWERBIRD_DATA has the real
graphs, default ../shared/data; $BOWERBIRD is the program, default build/release/bowerbird. A graph that was not run is
left out.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
data = pathlib.Path(os.environ.get("BOWERBIRD_DATA", root.parent / "shared/data"))
results = root / "build/papers"
pictures = root / "docs/img/papers"
page = root / "docs/papers.md"

# key: name in tables, how to open it, seeds
GRAPHS = {
    "cnr": ("cnr-2000", f'path = "{data}/cnr-2000-nat/cnr-2000-nat"\nhosts = "{data}/cnr-2000-nat/cnr-2000-nat.blocks.gz"', "top:160"),
    "uci": ("uci-ics-2019", f'path = "{data}/uci-ics-2019/uci-ics-2019"', "top:20"),
    "hollins": ("hollins", f'path = "{data}/hollins/hollins"', "ids:1"),
    "large": ("synthetic, 10 M", 'path = "synthetic:pages=10M"', "top:160"),
}
SYDNEY = ["all", "sydney@8", "sydney@16", "sydney@32", "sydney@64", "truncated@8", "truncated@16"]
BUDGETS = [f"sydney@{t}:budget={share}%" for t in (8, 16) for share in (3, 5, 7)]
SEVEN = ["ieca", "fica", "partial-pagerank", "batch-pagerank", "opic", "backlink", "bfs"]
FPR = ["windowed-rankmass@5", "fpr", "fpr@2", "fpr@20", "fpr@100"]
EXPERIMENTS = {
    "orderings": {"policies": SEVEN + FPR + ["lipr"], "buffer": ["none"]},
    "strategies": {"policies": ["bfs", "dfs"], "strategies": SYDNEY + BUDGETS, "buffer": ["none"]},
    "backlink": {"policies": ["batch-pagerank", "backlink", "bfs"], "importance": "backlink", "buffer": ["none"]},
}
# Ten million pages are too many for the orderings that compute PageRank again and again, and for judging every strategy:
# there the orderings run without baselines, and the strategies for their queues and coverage alone.
LARGE = {
    "orderings": {"policies": [one for one in SEVEN if "pagerank" not in one] + FPR, "buffer": ["none"], "baselines": False, "threads": 1},
    "strategies": {"policies": ["bfs"], "strategies": SYDNEY + BUDGETS, "importance": "none", "threads": 1},
}


def toml(value):
    return json.dumps(value)


def run(key, experiment):
    name, graph, seeds = GRAPHS[key]
    options = (LARGE if key == "large" else EXPERIMENTS)[experiment]
    folder = results / key / experiment
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{option} = {toml(value)}" for option, value in options.items()]
    lines += [f"seeds = {toml(seeds)}"] if options.get("importance") != "none" else []
    lines += ["[[graph]]", graph, f"name = {toml(name)}"]
    (folder / "experiment.toml").write_text("\n".join(lines) + "\n")
    print(f"== {name}: {experiment}", file=sys.stderr)
    with open(folder / "table.txt", "w") as table:
        subprocess.run([os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird")), "lab", str(folder / "experiment.toml"), "--out", str(folder), "-q"],
                       check=True, stdout=table)


class Results:
    """Of one graph and experiment; runs by their label, without the k of the large web."""

    def __init__(self, key, experiment):
        self.all = json.loads((results / key / experiment / "results.json").read_text())
        self.runs = {}
        for one in self.all["runs"]:
            policy = one["policy"].partition(":")[0]
            label = policy if one["strategy"] == "all" else f"{policy} {one['strategy']}"
            self.runs[label] = one

    def get(self, label, *path):
        value = self.runs.get(label)
        for step in path:
            value = None if value is None else value.get(step)
        return value


def load(experiment):
    return {key: Results(key, experiment) for key in GRAPHS if (results / key / experiment / "results.json").exists()}


def percent(value, digits=1):
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def number(value, digits=4):
    return "–" if value is None else f"{value:.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def best(values, texts):
    """The texts, the best one bold."""
    known = [value for value in values if value is not None]
    return [f"**{text}**" if value is not None and value == max(known) else text for value, text in zip(values, texts)]


def columns(labels, found, value, text):
    """One row a label, one column a graph; the best of a column bold."""
    by_graph = {key: [value(result, label) for label in labels] for key, result in found.items()}
    marked = {key: best(values, [text(one) for one in values]) for key, values in by_graph.items()}
    return [[f"`{label}`"] + [marked[key][i] for key in found] for i, label in enumerate(labels)]


def graphs_table():
    rows = []
    for key, result in load("orderings").items():
        graph = result.all["graph"]
        rows.append([GRAPHS[key][0], f"{graph['pages']:,}", f"{graph['links']:,}", f"{graph['reachable']:,}",
                     f"{graph['hosts']:,}" if graph["hosts"] else "–", percent(graph["interhost"]), f"{result.all['seeds']} ({result.all['seed_spec']})"])
    return table(["graph", "pages", "links", "reachable", "hosts", "links between hosts", "seeds"], rows)


def fpr_quality():
    found = load("orderings")
    head = ["ordering"] + [GRAPHS[key][0] for key in found]
    return table(head, columns(FPR + ["bfs", "random"], found, lambda r, label: r.get(label, "auc"), number))


def fpr_time():
    found = {key: r for key, r in load("orderings").items() if r.all["graph"]["pages"] > 100_000}  # the others take no time
    rows = [[f"`{label}`"] + [f"{r.get(label, 'seconds'):.2f} s" if r.get(label, "seconds") is not None else "–" for r in found.values()] for label in FPR]
    ratio = [r.get("windowed-rankmass@5", "seconds") / r.get("fpr", "seconds") for r in found.values()]
    rows.append(["windowed / fpr"] + [f"{value:.1f} times" for value in ratio])
    return table(["ordering"] + [GRAPHS[key][0] for key in found], rows)


def queues():
    found = load("strategies")
    labels = ["bfs", "bfs sydney@64", "bfs sydney@32", "bfs sydney@16", "bfs sydney@8", "dfs"]
    rows = []
    for label in labels:
        row = [f"`{label}`"]
        for r in found.values():
            row.append(f"{number(r.get(label, 'peak_queue'), 3)} ({percent(r.get(label, 'revisits'))})")
        rows.append(row)
    ratio = [f"{r.get('bfs sydney@8', 'peak_queue') / r.get('bfs', 'peak_queue'):.2f}" for r in found.values()]
    return table(["strategy"] + [GRAPHS[key][0] for key in found], rows + [["t = 8 / bfs"] + ratio])


def budgets():
    found = load("strategies")
    rows = [[f"`{label}`"] + [percent(r.get(f"bfs {label}", "coverage")) for r in found.values()] for label in BUDGETS]
    rows += [[f"`{label}`"] + [f"{percent(r.get(f'bfs {label}', 'coverage'))} with {percent(r.get(f'bfs {label}', 'cumulative', '1'))} of the PageRank" for r in found.values()]
             for label in ("truncated@8", "truncated@16")]
    return table(["strategy"] + [GRAPHS[key][0] for key in found], rows)


def sydney_quality():
    found = load("strategies")
    labels = ["bfs", "bfs sydney@16", "bfs sydney@8", "dfs"]
    parts = []
    for title, name in (("PageRank", "auc"), ("in-degree", "auc_indegree"), ("home pages", "auc_home")):
        rows = columns(labels, found, lambda r, label: r.get(label, name), number)
        parts.append(f"{title}:\n\n" + table(["strategy"] + [GRAPHS[key][0] for key in found], rows))
    return "\n\n".join(parts)


def hot_pages():
    found = load("orderings")
    labels = SEVEN + FPR[1:2] + FPR[4:] + ["lipr", "random"]
    return table(["ordering"] + [GRAPHS[key][0] for key in found], columns(labels, found, lambda r, label: r.get(label, "hot", "0.45"), percent))


def memory():
    found = load("orderings")
    rows = []
    for label in ("ieca", "partial-pagerank", "batch-pagerank"):
        rows.append([f"`{label}`"] + [f"{number(r.get(label, 'bytes_per_page'), 1)} bytes, {number(r.get(label, 'seconds'), 2)} s" for r in found.values()])
    return table(["ordering"] + [GRAPHS[key][0] for key in found], rows)


def stanford():
    parts = []
    labels = ["batch-pagerank", "backlink", "bfs", "random"]
    for title, experiment in (("I = IB (backlinks)", "backlink"), ("I = IR (PageRank)", "orderings")):
        found = load(experiment)
        for model, name in (("P_ST", "threshold"), ("P_CS", "hot")):
            rows = columns(labels, found, lambda r, label: r.get(label, name, "0.1"), percent)
            parts.append(f"{title}, {model} after 10 % of the pages:\n\n" + table(["ordering"] + [GRAPHS[key][0] for key in found], rows))
    return "\n\n".join(parts)


BLOCKS = {"graphs": graphs_table, "fpr-quality": fpr_quality, "fpr-time": fpr_time, "queues": queues, "budgets": budgets,
          "sydney-quality": sydney_quality, "hot-pages": hot_pages, "memory": memory, "stanford": stanford}


def copy_figures():
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    wanted = re.findall(r"img/papers/([\w-]+?)\.([a-z]+)-([\w-]+)\.svg", page.read_text())
    for experiment, key, name in wanted:
        shutil.copy(results / key / experiment / "figures" / f"{name}.svg", pictures / f"{experiment}.{key}-{name}.svg")
    print(f"{len(wanted)} figures", file=sys.stderr)


def write():
    text = page.read_text()
    for name, block in BLOCKS.items():
        marker = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
        if not marker.search(text):
            sys.exit(f"{page} has no place for {name}")
        text = marker.sub(lambda match: f"{match.group(1)}{block()}\n{match.group(2)}", text)
    page.write_text(text)
    copy_figures()


if len(sys.argv) > 1 and sys.argv[1] == "run":
    for graph in sys.argv[2:] or GRAPHS:
        for each in LARGE if graph == "large" else EXPERIMENTS:
            run(graph, each)
elif sys.argv[1:] == ["write"]:
    write()
else:
    sys.exit(__doc__)
