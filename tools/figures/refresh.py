#!/usr/bin/env python3
"""Writes the reference table of docs/refresh.md and draws docs/img/refresh-tradeoff.svg.

usage: tools/figures/refresh.py [GRAPH]     (default synthetic:pages=10k)
BOWERBIRD names the program, default build/release/bowerbird.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BOWERBIRD", str(ROOT / "build/release/bowerbird"))
PAGE = ROOT / "docs/refresh.md"
BEGIN, END = "<!-- reference: tools/figures/refresh.py -->\n", "<!-- /reference -->"


def bowerbird(*args):
    return subprocess.run([PROGRAM, *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def cell(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def reference_table():
    runs = json.loads(bowerbird("lab", "refresh", "reference", "--json", "--quiet"))["runs"]
    lines = ["| policy | rates | R | exact freshness | freshness | exact age | age | found a change | given up |",
             "|---|---|---|---|---|---|---|---|---|"]
    for run in sorted(runs, key=lambda run: run["budget"]):
        never = run["never"] if run["rates"] == "known" else None  # it belongs to the exact optimum
        lines.append(f"| `{run['policy']}` | {run['rates']} | {run['budget']} | {cell(run['exact'], 4)} | "
                     f"{cell(run['freshness'], 4)} | {cell(run['exact_age'], 4)} | {cell(run['age'], 4)} | "
                     f"{100 * run['changed']:.1f} % | {cell(never, 0)} |")
    return "\n".join(lines) + "\n"


def main():
    graph = sys.argv[1] if len(sys.argv) > 1 else "synthetic:pages=10k"
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + reference_table() + rest[rest.index(END):])
    with tempfile.TemporaryDirectory() as work:
        bowerbird("lab", "refresh", graph, "--budget", "0.5%,1%,2%,5%,10%,20%", "--policies",
                  "uniform,importance,proportional,index,index-age", "--days", "200", "--warm-up", "100", "--quiet",
                  "--out", work)
        shutil.copy(pathlib.Path(work) / "figures/tradeoff.svg", ROOT / "docs/img/refresh-tradeoff.svg")


if __name__ == "__main__":
    main()
