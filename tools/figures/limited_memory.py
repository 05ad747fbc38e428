#!/usr/bin/env python3
"""Runs experiments beyond [002] (scored orderings, a queue on disk; papers.py repeats its own), and writes docs/limited-memory.md.

usage: tools/figures/limited_memory.py run [GRAPH ...]   results go to build/limited-memory/GRAPH/EXPERIMENT; what is there stays
       tools/figures/limited_memory.py write             figures to docs/img/limited-memory, tables to docs/limited-memory.md

GRAPH is one of cnr, uci, hollins and large (synthetic, 10 M pages). $BOWERBIRD_DATA has the real graphs, default
../shared/data; $BOWERBIRD is the program, default build/release/bowerbird. A graph that was not run is left out.
"""
from experiments import GRAPHS, Study, main, number, percent, size, table

study = Study("limited-memory")
load = study.load

SYDNEY = ["all"] + [f"sydney@{t}" for t in (64, 32, 16, 8)]
SCORED = ["bfs", "opic", "fpr", "fpr@100", "ieca"]
SCORED_STRATEGIES = ["all", "sydney@8", "sydney@8:budget=5%"]
SPILLED = ["bfs", "opic", "fpr@100", "ieca"]
QUEUED_SHARE = 0.03  # of the pages may be queued in memory where the rest goes to disk
COMMON = {"buffer": ["none"], "baselines": False}
EXPERIMENTS = {
    "queue": {"policies": ["bfs", "dfs"]},
    "paper": {"policies": ["bfs"], "strategies": SYDNEY},
    "scored": {"policies": SCORED, "strategies": SCORED_STRATEGIES},
    "free": {"policies": SPILLED},
    "spill": {"policies": SPILLED, "memory": None},  # by the number of pages
}
# Judging ten million pages would take longer than crawling them: queues and coverage alone.
LARGE = {"importance": "none", "seeds": "random:50"}


def budget_for(pages):
    """8 bytes for each page; 16 for each that may be queued in memory, which is three eighths of what the queue is allowed;
    and the lab's slack of a 32nd."""
    return int((8 * pages + max(72 << 10, 16 * QUEUED_SHARE * pages * 8 / 3)) * 32 / 31)


def run(key):
    for experiment, options in EXPERIMENTS.items():
        if (study.folder(key, experiment) / "results.json").exists():
            continue
        options = {**options, **COMMON, **(LARGE if key == "large" else {})}
        if "memory" in options:
            options["memory"] = budget_for(load("queue")[key].all["graph"]["pages"])
        study.run(key, experiment, options)


def graphs():
    rows = []
    for key, r in load("queue").items():
        graph = r.all["graph"]
        rows.append([GRAPHS[key][0], f"{graph['pages']:,}", f"{graph['links']:,}", f"{graph['reachable']:,}", f"{r.all['seeds']} ({r.all['seed_spec']})"])
    return table(["graph", "pages", "links", "reachable", "seeds"], rows)


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


BLOCKS = {"graphs": graphs, "scored": scored, "spill": spill}


main(__doc__, run, lambda: study.write(BLOCKS))
