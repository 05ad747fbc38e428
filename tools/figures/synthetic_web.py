#!/usr/bin/env python3
"""Sets the synthetic web beside real ones: draws docs/img/synthetic-web.svg and renews the table in
docs/synthetic-web.md (between its two marker lines). Everything is measured by `bowerbird graph`.

usage: tools/figures/synthetic_web.py    ($BOWERBIRD_DATA has the real graphs, default ../shared/data)
"""
import csv
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
data = pathlib.Path(os.environ.get("BOWERBIRD_DATA", root.parent / "shared/data"))
GRAPHS = [
    ("cnr-2000", str(data / "cnr-2000-nat/cnr-2000-nat"), ["--hosts", str(data / "cnr-2000-nat/cnr-2000-nat.blocks.gz")]),
    ("uci-ics-2019", str(data / "uci-ics-2019/uci-ics-2019"), []),
    ("hollins", str(data / "hollins/hollins"), []),
    ("webkb", str(data / "webkb/webkb"), []),
    ("synthetic, 300 k", "synthetic:pages=300k", []),
    ("synthetic, 3 M", "synthetic:pages=3M", []),
]
COLOURS = ["#0072b2", "#009e73", "#cc79a7", "#e69f00", "#d55e00", "#000000"]


def bowerbird(*args):
    return subprocess.run([str(root / "run"), *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def measure(name, graph, options, folder):
    print(f"== {name}", file=sys.stderr)
    best = json.loads(bowerbird("graph", "rank", graph, *options, "--top", "20", "--json",
                                "--out", str(folder / "rank.f64")))["top"]
    starts = ",".join(str(entry["page"]) for entry in best)
    info = json.loads(bowerbird("graph", "info", graph, *options, "--exact", "--json", "--reach", starts,
                                "--histograms", str(folder / "bins.csv")))
    raw = (folder / "rank.f64").read_bytes()
    ranks = sorted(struct.unpack(f"<{len(raw) // 8}d", raw), reverse=True)
    total, share, curve = 0.0, [], {}
    for i, rank in enumerate(ranks, 1):
        total += rank
        if i * 200 // len(ranks) != (i - 1) * 200 // len(ranks):
            share.append((i / len(ranks), total))
    for percent in (1, 5, 10, 20):
        curve[percent] = sum(ranks[:max(1, len(ranks) * percent // 100)])
    bins = list(csv.DictReader(open(folder / "bins.csv")))
    return {"info": info, "share": share, "top": curve, "bins": bins}


def tail(bins, what):
    """Share of the pages whose value is at least x."""
    rows = [(int(b["first"]), int(b["count"])) for b in bins if b["what"] == what]
    left = total = sum(count for _, count in rows)
    points = []
    for first, count in rows:
        if first > 0 and left > 0:
            points.append((first, left / total))
        left -= count
    return points


def row(name, m):
    i, reach = m["info"], m["info"]["reach"]
    return (f"| {name} | {i['pages']:,} | {i['hosts']:,} | {i['mean_out_degree']:.1f} | {100 * i['dangling'] / i['pages']:.0f} % "
            f"| {100 * i['interhost']:.1f} % | {i['in_exponent']:.2f} | {i['out_exponent']:.2f} | {i['max_in_degree'] / i['pages']:.3f} "
            f"| {100 * reach['reached'] / i['pages']:.0f} % | {len(reach['levels']) - 1} "
            f"| {100 * reach['longest_queue'] / max(1, reach['reached']):.0f} % "
            f"| {100 * m['top'][1]:.0f} / {100 * m['top'][10]:.0f} % |")


HEAD = """| web | pages | hosts | links per page | dangling | between hosts | in-degree exponent | out-degree exponent | largest in-degree / pages | reached | levels | longest queue | PageRank of the best 1 / 10 % |
|---|---|---|---|---|---|---|---|---|---|---|---|---|"""


def write_series(path, series):
    with open(path, "w") as out:
        for points in series:
            out.writelines(f"{x} {y}\n" for x, y in points)
            out.write("\n\n")


def draw(measured, folder):
    panels = [
        ("in-degree: share of pages with at least x", [tail(m["bins"], "in-degree") for m in measured.values()], True),
        ("out-degree: share of pages with at least x", [tail(m["bins"], "out-degree") for m in measured.values()], True),
        ("breadth-first queue against pages crawled (shares of the reached)",
         [[(k / max(1, len(q) - 1), length / max(1, m["info"]["reach"]["reached"])) for k, length in enumerate(q)]
          for m in measured.values() for q in [m["info"]["reach"]["queue"]]], False),
        ("PageRank of the best x of all pages", [m["share"] for m in measured.values()], False),
    ]
    script = [f'set terminal svg size 1000,760 font "DejaVu Sans,11" background "white"',
              f'set output "{root}/docs/img/synthetic-web.svg"', "set multiplot layout 2,2", 'set grid lc rgb "#dddddd"']
    for number, (title, series, log) in enumerate(panels):
        file = folder / f"panel{number}"
        write_series(file, series)
        script += [f'set title "{title}"', "set logscale xy" if log else "unset logscale",
                   "set key top right" if number != 3 else "set key bottom right",
                   'set format "10^{%L}"' if log else 'set format "%g"', "set yrange [1e-7:1]" if log else "set yrange [0:*]"]
        plots = [f'"{file}" index {i} with lines lw {2.5 if "synthetic" in name else 1.5} lc rgb "{COLOURS[i]}" title "{name}"'
                 for i, name in enumerate(measured)]
        script.append("plot " + ", ".join(plots))
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    measured = {name: measure(name, graph, options, folder) for name, graph, options in GRAPHS}
    draw(measured, folder)
page = root / "docs/synthetic-web.md"
before, _, rest = page.read_text().partition("<!-- table -->\n")
_, _, after = rest.partition("<!-- end of table -->\n")
rows = "\n".join(row(name, m) for name, m in measured.items())
page.write_text(f"{before}<!-- table -->\n{HEAD}\n{rows}\n<!-- end of table -->\n{after}")
