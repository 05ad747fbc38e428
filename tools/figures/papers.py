#!/usr/bin/env python3
"""Runs the experiments of the papers on the graphs at hand, and writes their figures and tables into docs/papers.md.

usage: tools/figures/papers.py run [GRAPH ...]   runs them (a quarter of an hour for all); results go to build/papers/GRAPH/EXPERIMENT
       tools/figures/papers.py write             figures to docs/img/papers, tables to docs/papers.md, from those results

GRAPH is one of cnr, uci, hollins and large (synthetic, 10 M pages, about 4 GiB of memory). $BOWERBIRD_DATA has the real
graphs, default ../shared/data; $BOWERBIRD is the program, default build/release/bowerbird. A graph that was not run is
left out.
"""
from experiments import GRAPHS, Study, main, names, number, percent, table

study = Study("papers")
load = study.load

SYDNEY = ["all", "sydney@8", "sydney@16", "sydney@32", "sydney@64", "truncated@8", "truncated@16"]
BUDGETS = [f"sydney@{t}:budget={share}%" for t in (8, 16) for share in (3, 5, 7)]
SEVEN = ["ieca", "fica", "partial-pagerank", "batch-pagerank", "opic", "backlink", "bfs"]
FPR = ["windowed-rankmass@5", "fpr", "fpr@2", "fpr@20", "fpr@100"]
# What a strategy samples is drawn at random: means over five draws.
EXPERIMENTS = {
    "orderings": {"policies": SEVEN + FPR + ["lipr"], "buffer": ["none"]},
    "strategies": {"policies": ["bfs", "dfs"], "strategies": SYDNEY + BUDGETS, "buffer": ["none"], "repeat": 5},
    "backlink": {"policies": ["batch-pagerank", "backlink", "bfs"], "importance": "backlink", "buffer": ["none"]},
}
# Ten million pages are too many for the orderings that compute PageRank again and again, and for judging every strategy:
# there the orderings run without baselines, and the strategies for their queues and coverage alone.
LARGE = {
    "orderings": {"policies": [one for one in SEVEN if "pagerank" not in one] + FPR + ["lipr"], "buffer": ["none"], "baselines": False, "threads": 1},
    "strategies": {"policies": ["bfs"], "strategies": SYDNEY + BUDGETS, "importance": "none", "threads": 1},
}


def run(key):
    for experiment, options in (LARGE if key == "large" else EXPERIMENTS).items():
        study.run(key, experiment, options)


def best(values, texts):
    """The texts, the best one bold."""
    known = [value for value in values if value is not None]
    return [f"**{text}**" if value is not None and value == max(known) else text for value, text in zip(values, texts)]


def columns(labels, found, value, text):
    """One row a label, one column a graph; the best of a column bold."""
    by_graph = {key: [value(result, label) for label in labels] for key, result in found.items()}
    marked = {key: best(values, [text(one) for one in values]) for key, values in by_graph.items()}
    return [[f"`{label}`"] + [marked[key][i] for key in found] for i, label in enumerate(labels)]


def judged(found, labels, value):
    """The graphs where there is something to tell."""
    return {key: result for key, result in found.items() if any(value(result, label) is not None for label in labels)}


def graphs_table():
    rows = []
    for key, result in load("orderings").items():
        graph = result.all["graph"]
        rows.append([GRAPHS[key][0], f"{graph['pages']:,}", f"{graph['links']:,}", f"{graph['reachable']:,}",
                     f"{graph['hosts']:,}" if graph["hosts"] else "–", percent(graph["interhost"]), f"{result.all['seeds']} ({result.all['seed_spec']})"])
    return table(["graph", "pages", "links", "reachable", "hosts", "links between hosts", "seeds"], rows)


def fpr_quality():
    found = load("orderings")
    head = ["ordering"] + names(found)
    return table(head, columns(FPR + ["bfs", "random"], found, lambda r, label: r.get(label, "auc"), number))


def fpr_time():
    found = {key: r for key, r in load("orderings").items() if r.all["graph"]["pages"] > 100_000}  # the others take no time
    rows = [[f"`{label}`"] + [f"{r.get(label, 'seconds'):.2f} s" if r.get(label, "seconds") is not None else "–" for r in found.values()] for label in FPR]
    ratio = [r.get("windowed-rankmass@5", "seconds") / r.get("fpr", "seconds") for r in found.values()]
    rows.append(["windowed / fpr"] + [f"{value:.1f} times" for value in ratio])
    return table(["ordering"] + names(found), rows)


def queues():
    found = load("strategies")
    labels = ["bfs", "bfs sydney@64", "bfs sydney@32", "bfs sydney@16", "bfs sydney@8", "dfs"]
    rows = []
    for label in labels:
        row = [f"`{label}`"]
        for r in found.values():
            peak = r.get(label, "peak_queue")
            row.append("–" if peak is None else f"{number(peak, 3)} ({percent(r.get(label, 'revisits'))})")
        rows.append(row)
    ratio = [f"{r.get('bfs sydney@8', 'peak_queue') / r.get('bfs', 'peak_queue'):.2f}" for r in found.values()]
    return table(["strategy"] + names(found), rows + [["t = 8 / bfs"] + ratio])


def budgets():
    found = load("strategies")
    rows = [[f"`{label}`"] + [percent(r.get(f"bfs {label}", "coverage")) for r in found.values()] for label in BUDGETS]
    for label in ("truncated@8", "truncated@16"):
        row = [f"`{label}`"]
        for r in found.values():
            worth = r.get(f"bfs {label}", "cumulative", "1")
            row.append(percent(r.get(f"bfs {label}", "coverage")) + ("" if worth is None else f" with {percent(worth)} of the PageRank"))
        rows.append(row)
    return table(["strategy"] + names(found), rows)


def sydney_quality():
    labels = ["bfs", "bfs sydney@16", "bfs sydney@8", "dfs"]
    parts = []
    for title, name in (("PageRank", "auc"), ("in-degree", "auc_indegree"), ("home pages", "auc_home")):
        found = judged(load("strategies"), labels, lambda r, label: r.get(label, name))
        rows = columns(labels, found, lambda r, label: r.get(label, name), number)
        parts.append(f"{title}:\n\n" + table(["strategy"] + names(found), rows))
    return "\n\n".join(parts)


def hot_pages():
    found = load("orderings")
    labels = SEVEN + FPR[1:2] + FPR[4:] + ["lipr", "random"]
    return table(["ordering"] + names(found), columns(labels, found, lambda r, label: r.get(label, "hot", "0.45"), percent))


def memory():
    found = load("orderings")
    rows = []
    for label in ("ieca", "partial-pagerank", "batch-pagerank"):
        rows.append([f"`{label}`"] + ["–" if r.get(label) is None else f"{number(r.get(label, 'bytes_per_page'), 1)} bytes, {number(r.get(label, 'seconds'), 2)} s"
                                      for r in found.values()])
    return table(["ordering"] + names(found), rows)


def stanford():
    parts = []
    labels = ["batch-pagerank", "backlink", "bfs", "random"]
    for title, experiment in (("I = IB (backlinks)", "backlink"), ("I = IR (PageRank)", "orderings")):
        found = judged(load(experiment), labels[:1], lambda r, label: r.get(label))
        for model, name in (("P_ST", "threshold"), ("P_CS", "hot")):
            rows = columns(labels, found, lambda r, label: r.get(label, name, "0.1"), percent)
            parts.append(f"{title}, {model} after 10 % of the pages:\n\n" + table(["ordering"] + names(found), rows))
    return "\n\n".join(parts)


BLOCKS = {"graphs": graphs_table, "fpr-quality": fpr_quality, "fpr-time": fpr_time, "queues": queues, "budgets": budgets,
          "sydney-quality": sydney_quality, "hot-pages": hot_pages, "memory": memory, "stanford": stanford}


main(__doc__, run, lambda: study.write(BLOCKS))
