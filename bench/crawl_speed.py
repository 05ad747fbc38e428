#!/usr/bin/env python3
"""Compares the crawler with wget2 on a real corpus, and shows where its time goes; prints a section of docs/performance.md.

usage: bench/crawl_speed.py [small|full] [REPEATS]     (of bench/performance.py crawl_speed, which keeps what it prints)

Every crawl runs in the harness that bench/crawl_peers.sh needs, one after the other, so that ratios within the table
hold; one that is not counted comes first, since a virtual machine pays for each page of memory that it touches for the
first time. All have 16 connections. Missed pages are held against bench/crawl_reach.py, which takes minutes the first
time. The profile is one more crawl under `perf`, which samples the stacks of all its threads by processor time.
"""
import csv
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import crawl_reach

root = pathlib.Path(__file__).resolve().parent.parent
peers = pathlib.Path(os.environ.get("BOWERBIRD_PEERS", root / "../shared/peers"))
data = pathlib.Path(os.environ.get("BENCH", pathlib.Path.home() / "benchdata"))
results = data / "results.csv"
which = sys.argv[1] if len(sys.argv) > 1 else "small"
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1

# The first row whose pattern occurs in a stack takes the sample.
STAGES = [
    ("SHA-1 of bodies", r"sha1"),
    ("compression of records", r"RecordCompressor::pack|libdeflate_|ZSTD_compress2"),
    ("writing and syncing files", r"ksys_write|sys_fdatasync|do_fsync|sys_fsync"),
    ("the rest of the store's thread", r"CrawlStore::Impl::write|StoreWriter"),
    ("reading HTML", r"PageReader::read|HtmlScanner|fingerprint_text"),
    ("links: canonical form, scope, fingerprints", r"PageParser::"),
    ("kernel: receiving", r"sys_recv"),
    ("kernel: sending", r"sys_send"),
    ("kernel: other calls for the network", r"HttpFetcher.*sys_|sys_.*HttpFetcher|sys_epoll"),
    ("the HTTP client, and what it calls", r"HttpFetcher::(poll|start)"),
    ("ordering, queue, known URLs, journal", r"Crawler::(look_up_batch|finish_looked_up|hand_out|commit|take_page)"),
    ("the index at the end", r"write_crawl_index"),
    ("the rest", r""),
]


def crawl(name, environment):
    """One measured crawl; its line of the harness's table, and the pages that were fetched."""
    command = [str(peers / "run.sh"), "wget2"] if name == "wget2" else [str(root / "bench/crawl_peers.sh"), str(peers)]
    subprocess.run(command, check=True, env=os.environ | {"SET": which, "KEEPURLS": "1"} | environment, stdout=sys.stderr)
    with open(results) as lines:
        row = list(csv.DictReader(lines))[-1]
    return row | {"urls": set((data / f"run/urls.{row['peer']}").read_text().split())}


def race():
    subprocess.run([str(peers / "serve.sh"), "start"], check=True, stdout=sys.stderr)
    to_reach = crawl_reach.followed(which)
    crawl("first", {"WARC": "none"})
    runs = {"wget2": {"CONC": "16", "STORE": "1"}} | {f"bowerbird, {w}": {"WARC": w} for w in ("none", "zstd", "gzip")}
    rows = {name: [] for name in runs}
    for _ in range(repeats):
        for name, environment in runs.items():
            rows[name].append(crawl(name, environment))
    rate = {name: statistics.median(float(r["pages_per_cpu_s"]) for r in of) for name, of in rows.items()}
    lines = ["| | pages | missed | robots violations | pages/CPU-s | times wget2 | RSS MB | stored MB |", "|---|---|---|---|---|---|---|---|"]
    for name, of in rows.items():
        r = of[-1]
        rss = max(float(x["max_rss_mb"]) for x in of)
        violations = int(r["viol_prefix"]) + int(r["viol_wild"])
        lines.append(f"| {name} | {int(r['pages']):,} | {len(to_reach - r['urls']):,} | {violations:,} | {rate[name]:,.0f} | "
                     f"{rate[name] / rate['wget2']:.2f} | {rss:.0f} | {float(r['stored_mb']):,.0f} |")
    told = f"{len(to_reach):,} pages can be reached by links that `meta robots` allows to follow (`bench/crawl_reach.py`)"
    return [told + left_out(to_reach) + ".", "", *lines]


def left_out(to_reach):
    """Pages that are only reachable through nofollow links, if the reference list is available."""
    listed = data / f"conf/reachable-{which}.txt"
    if not listed.exists():
        return ""
    return f", {len({line.split(chr(9))[0] for line in open(listed)} - to_reach):,} more by the others alone"


def stacks(folder, program):
    """The stacks of a crawl without compression, each as one text."""
    data, wrapper = folder / "perf.data", folder / "bowerbird"
    wrapper.write_text(f"#!/bin/sh\nexec perf record -q -F 997 -e cpu-clock --call-graph dwarf,16384 -o {data} {program} \"$@\"\n")
    wrapper.chmod(0o755)
    crawl("profile", {"WARC": "none", "BOWERBIRD": str(wrapper), "SET": "small"})
    text = subprocess.run(["perf", "script", "-i", str(data), "--no-inline", "-F", "ip,sym"], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [stack for stack in text.split("\n\n") if stack.strip()]


def profile():
    if shutil.which("perf") is None:
        return ["There is no `perf` on this machine, hence no profile."]
    with tempfile.TemporaryDirectory() as folder:
        samples = stacks(pathlib.Path(folder), os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird")))
    counts = dict.fromkeys((name for name, _ in STAGES), 0)
    for stack in samples:
        flat = " ".join(stack.split())
        counts[next(name for name, pattern in STAGES if re.search(pattern, flat))] += 1
    lines = ["| CPU time, small set, plain WARC | share |", "|---|---|"]
    return lines + [f"| {name} | {100 * n / len(samples):.1f} % |" for name, n in counts.items()]


print(f"How many pages does the crawler store per CPU second, with `fpr@100`, robots.txt obeyed, WARC and link graph "
      f"written, compared with wget2 storing plain files? The {which} set of the harness that `bench/crawl_peers.sh` names, one core for the "
      f"crawler; {f'median of {repeats} runs each' if repeats > 1 else 'one run each'}.\n")
print("\n".join(race()), "\n", sep="\n")
print("\n".join(profile()))
