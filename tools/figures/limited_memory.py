#!/usr/bin/env python3
"""Runs the experiments of [002] and two beyond it (scored orderings, a queue on disk), and writes docs/limited-memory.md.

usage: tools/figures/limited_memory.py run [GRAPH ...]   results go to build/limited-memory/GRAPH/EXPERIMENT; what is there stays
       tools/figures/limited_memory.py write             figures to docs/img/limited-memory, tables to docs/limited-memory.md

GRAPH is one of cnr, uci, hollins and large (synthetic, 10 M pages). $BOWERBIRD_DATA has the real graphs, default
../shared/data; $BOWERBIRD is the program, default build/release/bowerbird. A graph that was not run is left out.
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
program = os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird"))
results = root / "build/limited-memory"
pictures = root / "docs/img/limited-memory"
page = root / "docs/limited-memory.md"

# key: name in tables, how to open it, seeds
GRAPHS = {
    "cnr": ("cnr-2000", f'path = "{data}/cnr-2000-nat/cnr-2000-nat"\nhosts = "{data}/cnr-2000-nat/cnr-2000-nat.blocks.gz"', "top:160"),
    "uci": ("uci-ics-2019", f'path = "{data}/uci-ics-2019/uci-ics-2019"', "top:20"),
    "hollins": ("hollins", f'path = "{data}/hollins/hollins"', "ids:1"),
    "large": ("synthetic, 10 M", 'path = "synthetic:pages=10M"', "random:50"),
}
T = (64, 32, 16, 8)
SYDNEY = ["all"] + [f"sydney@{t}" for t in T] + ["truncated@8", "truncated@16"]
BUDGETS = [f"sydney@{t}:budget={share}%" for t in (8, 16) for share in (3, 5, 7)]
SCORED = ["bfs", "opic", "fpr", "fpr@100", "ieca"]
SCORED_STRATEGIES = ["all", "sydney@8", "sydney@8:budget=5%"]
SPILLED = ["bfs", "opic", "fpr@100", "ieca"]
QUEUED_SHARE = 0.03  # of the pages may be queued in memory where the rest goes to disk
COMMON = {"buffer": ["none"], "baselines": False}
EXPERIMENTS = {
    "queue": {"policies": ["bfs", "dfs"]},
    "paper": {"policies": ["bfs"], "strategies": SYDNEY + BUDGETS},
    "scored": {"policies": SCORED, "strategies": SCORED_STRATEGIES},
    "free": {"policies": SPILLED},
    "spill": {"policies": SPILLED, "memory": None},  # by the number of pages
}
# Judging ten million pages would take longer than crawling them: queues and coverage alone.
LARGE = {"importance": "none"}


def budget_for(pages):
    """8 bytes for each page; 16 for each that may be queued in memory, which is three eighths of what the queue is allowed;
    and the lab's slack of a 32nd."""
    return int((8 * pages + max(72 << 10, 16 * QUEUED_SHARE * pages * 8 / 3)) * 32 / 31)


def run(key, experiment):
    name, graph, seeds = GRAPHS[key]
    folder = results / key / experiment
    if (folder / "results.json").exists():
        return
    options = dict(EXPERIMENTS[experiment], **COMMON, seeds=seeds)
    if key == "large":
        options.update(LARGE)
    if "memory" in options:
        options["memory"] = budget_for(json.loads((results / key / "queue/results.json").read_text())["graph"]["pages"])
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{option} = {json.dumps(value)}" for option, value in options.items()]
    (folder / "experiment.toml").write_text("\n".join(lines + ["[[graph]]", graph, f"name = {json.dumps(name)}"]) + "\n")
    print(f"== {name}: {experiment}", file=sys.stderr)
    with open(folder / "table.txt", "w") as table:
        subprocess.run([program, "lab", str(folder / "experiment.toml"), "--out", str(folder), "-q"], check=True, stdout=table)


class Results:
    """Of one graph and experiment; runs by their label."""

    def __init__(self, key, experiment):
        self.all = json.loads((results / key / experiment / "results.json").read_text())
        self.runs = {}
        for one in self.all["runs"]:
            self.runs[one["policy"] if one["strategy"] == "all" else f"{one['policy']} {one['strategy']}"] = one

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


def size(value):
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def names(found):
    return [GRAPHS[key][0] for key in found]


def graphs():
    rows = []
    for key, r in load("queue").items():
        graph = r.all["graph"]
        rows.append([GRAPHS[key][0], f"{graph['pages']:,}", f"{graph['links']:,}", f"{graph['reachable']:,}", f"{r.all['seeds']} ({r.all['seed_spec']})"])
    return table(["graph", "pages", "links", "reachable", "seeds"], rows)


def table1():
    found = load("paper")
    rows = [["[002], WebBase"] + ["0.14", "0.12 (0.1 %)", "0.11 (0.4 %)", "0.09 (1.0 %)", "0.07 (2.2 %)"]]
    for key, r in found.items():
        row = [GRAPHS[key][0], number(r.get("bfs", "peak_queue"), 3)]
        row += [f"{number(r.get(f'bfs sydney@{t}', 'peak_queue'), 3)} ({percent(r.get(f'bfs sydney@{t}', 'revisits'))})" for t in T]
        rows.append(row)
    return table(["largest queue (re-visited)", "all", "t = 64", "t = 32", "t = 16", "t = 8"], rows)


def table2():
    found = load("paper")
    rows = [["[002], .it", "t = 8", "93.8 %", "97.5 %", "99.9 %"], ["", "t = 16", "89.0 %", "94.8 %", "98.1 %"]]
    for key, r in found.items():
        for t in (8, 16):
            shares = []
            for share in (3, 5, 7):
                label = f"bfs sydney@{t}:budget={share}%"
                worth = r.get(label, "cumulative", "1")
                shares.append(percent(r.get(label, "coverage")) + (f" ({percent(worth)})" if worth is not None else ""))
            rows.append([GRAPHS[key][0] if t == 8 else "", f"t = {t}"] + shares)
    return table(["coverage (of the PageRank)", "", "3 %", "5 %", "7 %"], rows)


def scored():
    rows = []
    for key, r in load("scored").items():
        for policy in SCORED:
            row = [GRAPHS[key][0], f"`{policy}`"]
            if policy not in r.runs:
                continue
            for strategy in SCORED_STRATEGIES:
                label = policy if strategy == "all" else f"{policy} {strategy}"
                cell = f"{number(r.get(label, 'peak_queue'), 3)}"
                if r.get(label, "auc") is not None:
                    cell += f", auc {number(r.get(label, 'auc'), 3)}"
                if strategy.endswith("%"):
                    cell += f", {percent(r.get(label, 'coverage'))}"
                    if r.get(label, "dropped_worth"):
                        cell += f", {r.get(label, 'dropped'):,} links dropped, worth {r.get(label, 'dropped_worth'):.3g}"
                row.append(cell)
            rows.append(row)
    return table(["graph", "ordering", "all: largest queue", "`sydney@8`", "`sydney@8:budget=5%`: with coverage"], rows)


def spill():
    rows = []
    free = load("free")
    for key, r in load("spill").items():
        for policy in SPILLED:
            one, other = r.runs.get(policy), free[key].runs.get(policy)
            if one is None or other is None:
                continue
            rows.append([GRAPHS[key][0], f"`{policy}`", size(other["peak_bytes"]), size(r.all["memory_budget"]), size(one["peak_bytes"]),
                         percent(one["coverage"]), percent(one["spilled"]), f"{one['returned']:,}", f"{one['distance']:.1e}" if one["distance"] else "0",
                         f"{number(other.get('auc'))} → {number(one.get('auc'))}", f"{other['seconds']:.1f} → {one['seconds']:.1f} s"])
    return table(["graph", "ordering", "memory without a budget", "budget", "memory with it", "coverage", "spilled at most", "returned", "distance", "auc", "scheduling"], rows)


def quality():
    found = load("paper")
    labels = ["bfs", "bfs sydney@16", "bfs sydney@8", "bfs truncated@16", "bfs truncated@8"]
    parts = []
    for title, name in (("PageRank", "auc"), ("in-degree", "auc_indegree"), ("home pages", "auc_home")):
        judged = {key: r for key, r in found.items() if r.get("bfs", name) is not None}
        if judged:
            rows = [[f"`{label}`"] + [number(r.get(label, name)) for r in judged.values()] for label in labels]
            parts.append(f"{title}:\n\n" + table(["strategy"] + names(judged), rows))
    return "\n\n".join(parts)


BLOCKS = {"graphs": graphs, "table1": table1, "table2": table2, "scored": scored, "spill": spill, "quality": quality}


def copy_figures(text):
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    wanted = re.findall(r"img/limited-memory/([a-z]+)\.([a-z]+)-([\w-]+)\.svg", text)
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
    copy_figures(text)


if len(sys.argv) > 1 and sys.argv[1] == "run":
    for graph in sys.argv[2:] or GRAPHS:
        for each in EXPERIMENTS:
            run(graph, each)
elif sys.argv[1:] == ["write"]:
    write()
else:
    sys.exit(__doc__)
