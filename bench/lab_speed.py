#!/usr/bin/env python3
"""How fast does the lab crawl, from small webs to a billion pages, and how much memory does it take?

usage: bench/lab_speed.py [-p ORDERINGS] [-d] [PAGES ...]     default: -p fpr@100, pages 100k 1M 10M 100M 1G
       bench/lab_speed.py -g GRAPH [-H HOSTS]                 all orderings on a graph, evaluation included

Synthetic webs that are computed on the fly, nothing judged, one crawl to the end at a time, on one thread. Prints a
table; with -d it goes into docs/lab.md, where rows of other sizes and orderings stay as they are.
Columns: scheduling = time in frontier and ordering; wall = all of it, the links computed too; CPU = processor time of the
whole program, which other work on the machine disturbs least; bytes/page = frontier and ordering, per page discovered;
peak = the whole program.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
document = root / "docs/lab.md"
bowerbird = os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird"))
head = ["pages", "crawled", "links", "ordering", "scheduling s", "wall s", "CPU s", "M links/s scheduling",
        "M links/s wall", "M links/s CPU", "bytes/page", "peak GiB"]
block = re.compile(r"(<!-- lab_speed -->\n).*?(<!-- /lab_speed -->)", re.S)


def crawl(pages, ordering):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([bowerbird, "lab", f"synthetic:pages={pages}", "--policies", ordering, "--importance", "none",
                          "--threads", "1", "--json"], check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(out)
    if not report["complete"]:
        sys.exit(f"{pages}: the crawl was stopped")
    run = report["runs"][0]
    links = run["links"]
    return [f"{report['graph']['pages']:,}", f"{run['crawled']:,}", f"{links:,}", f"`{run['policy']}`",
            f"{run['seconds']:.3g}", f"{run['wall_seconds']:.3g}", f"{cpu:.3g}", f"{run['links_per_s'] / 1e6:.1f}",
            f"{links / run['wall_seconds'] / 1e6:.1f}", f"{links / cpu / 1e6:.1f}", f"{run['bytes_per_page']:.1f}",
            f"{report['peak_memory'] / 2**30:.2f}"]


def line(cells):
    return "| " + " | ".join(cells) + " |"


def key(row):
    return int(row[0].replace(",", "")), row[3]


def into_document(rows):
    text = document.read_text()
    old = [[cell.strip() for cell in row.strip("|").split("|")]
           for row in block.search(text).group(0).splitlines() if row.startswith("| ")]
    table = {key(row): row for row in old if row[0] != head[0]}
    table.update({key(row): row for row in rows})
    body = "\n".join([line(head), "|" + "---|" * len(head)] + [line(table[k]) for k in sorted(table)])
    document.write_text(block.sub(lambda m: f"{m.group(1)}{body}\n{m.group(2)}", text))


def all_orderings(graph, hosts):
    start = time.monotonic()
    subprocess.run([bowerbird, "lab", graph] + (["--hosts", hosts] if hosts else []) + ["--json"], check=True,
                   stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"all orderings on {pathlib.Path(graph).name}, evaluation included: {time.monotonic() - start:.1f} s, "
          f"{used.ru_utime + used.ru_stime:.1f} s of processor time")


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("-p", "--policies", default="fpr@100", help="orderings, separated by commas")
parser.add_argument("-d", "--document", action="store_true", help="put the table into docs/lab.md")
parser.add_argument("-g", "--graph", help="all orderings on this graph instead")
parser.add_argument("-H", "--hosts", help="the hosts of that graph's pages")
parser.add_argument("pages", nargs="*")
options = parser.parse_args()
if not os.access(bowerbird, os.X_OK):
    sys.exit(f"{bowerbird} is not there: build it with ./run --version")
if options.graph:
    all_orderings(options.graph, options.hosts)
    sys.exit()
print(line(head), "|" + "---|" * len(head), sep="\n")
for size in options.pages or ["100k", "1M", "10M", "100M", "1G"]:
    for policy in options.policies.split(","):
        row = crawl(size, policy)
        print(line(row), flush=True)
        if options.document:
            into_document([row])
