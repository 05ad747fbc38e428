#!/usr/bin/env python3
"""Runs the benches and writes docs/performance.md: every figure there comes from here.

usage: bench/performance.py [NAME ...]    (names of bench programs; all of them by default; or crawl_speed, export_peers,
crawl_https, https_row_1 to https_row_3, https_hosts, https_profile, https_lipr, wacz, replay, watch)

Each bench is one question, told in the comment at the head of its source. Benches verify their results: one that finds
a wrong result fails, and so does this script. A run of one bench leaves the figures of the others as they are in the
document. crawl_speed (bench/crawl_speed.py; CRAWL_SET=full REPEATS=3 for more) needs a harness outside this folder and is
run only where it is named; so are crawl_https, the parts of bench/https.py (SECONDS=90 for longer rows, CHAINS=p256 for fewer), export_peers, wacz, replay (10 GB of disk; CAPTURES=FOLDER keeps it for another run) and watch. Programs in bench/ that print a report of their own (similarity_bench, html_agreement_bench) are not run here.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = root / "build/release"
document = root / "docs/performance.md"


def question(source):
    """The comment at the head of a bench, as one paragraph."""
    words = []
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        words.append(line[2:].strip())
    return " ".join(words)


def human(value):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def duration(value, unit):
    """In the unit that gives one to three digits before the point."""
    seconds = value * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def run(name):
    subprocess.run(["ninja", "-C", str(build), name], check=True, stdout=sys.stderr)
    print(f"== {name}", file=sys.stderr)
    out = subprocess.run([str(build / name), "--benchmark_format=json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    data = json.loads(out)
    wrong = [b["name"] for b in data["benchmarks"] if b.get("error_occurred")]
    if wrong:
        sys.exit(f"{name}: wrong result in {', '.join(wrong)}")
    return table(data)


STANDARD = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time",
            "cpu_time", "time_unit", "family_index", "per_family_instance_index", "label", "aggregate_name"}


def table(data):
    counters = sorted({key for b in data["benchmarks"] for key in b if key not in STANDARD})
    rows = ["| | time | " + " | ".join(counters) + " |", "|---|---|" + "---|" * len(counters)]
    for b in data["benchmarks"]:
        cells = [human(b[c]) if isinstance(b.get(c), (int, float)) else "" for c in counters]
        label = f" ({b['label']})" if b.get("label") else ""
        # On a shared machine, CPU time is more reliable than wall-clock time.
        time = b["real_time"] if b["name"].endswith(("real_time", "manual_time")) else b["cpu_time"]
        rows.append(f"| `{b['name']}`{label} | {duration(time, b['time_unit'])} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def cpu():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def sections():
    """The tables of the document as it is, by the name of their bench."""
    if not document.exists():
        return {}
    parts = re.split(rf"^## (\S+_bench|{'|'.join(SCRIPTS)})\n", document.read_text(), flags=re.M)[1:]
    return {name: body.strip() if name in SCRIPTS else "\n".join(line for line in body.splitlines() if line.startswith("|"))
            for name, body in zip(parts[::2], parts[1::2])}


def kept(name):
    """CAPTURES=FOLDER keeps the captures of a bench there for another run."""
    return ["--folder", os.environ["CAPTURES"] + "/" + name] if "CAPTURES" in os.environ else []


SCRIPTS = {  # sections that programs write as a whole
    "crawl_speed": ["bench/crawl_speed.py", os.environ.get("CRAWL_SET", "small"), os.environ.get("REPEATS", "1")],
    "export_peers": ["bench/export_peers.py", "--seconds", os.environ.get("SECONDS", "20")],
    "crawl_https": ["bench/crawl_https.py", os.environ.get("CRAWL_SET", "small"), os.environ.get("REPEATS", "1")],
    **{f"https_{part}": ["bench/https.py", "--rows", rows, "--seconds", os.environ.get("SECONDS", "60"), "--chains",
                         os.environ.get("CHAINS", "p256,rsa,ecdsa")]
       for part, rows in {"row_1": "1", "row_2": "2", "row_3": "3", "profile": "profile", "lipr": "lipr"}.items()},
    "https_hosts": ["bench/https.py", "--rows", "hosts", "--hosts", os.environ.get("HOSTS", "1k,10k,100k")],
    "wacz": ["bench/wacz.py", *kept("wacz")],
    "replay": ["bench/replay.py", *kept("replay")],
    "watch": ["bench/watch.py"],
}


def run_script(name):
    command = [str(root / SCRIPTS[name][0]), *SCRIPTS[name][1:]]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


ELSEWHERE = {"lipr_bench"}  # docs/lipr.md has its tables
sources = {p.stem: p for p in sorted((root / "bench").glob("*_bench.cc"))
           if "benchmark/benchmark.h" in p.read_text() and p.stem not in ELSEWHERE}
for name in sys.argv[1:]:
    if name not in sources and name not in SCRIPTS:
        sys.exit(f"{name}: no such bench; there are {', '.join([*sources, *SCRIPTS])}")
tables = sections()
for name in sys.argv[1:] or sources:
    tables[name] = run_script(name) if name in SCRIPTS else run(name)

parts = ["# Performance", "",
         f"Written by `bench/performance.py`, which runs the benches in `bench/` and checks their results, on {os.cpu_count()} "
         f"cores of {cpu()}, a shared virtual machine. Figures on another machine or day differ; "
         "ratios within one table are more stable. `bench/performance.py NAME` repeats one of them.", ""]
notes = root / "docs/performance-notes.md"
if notes.exists():
    parts += [notes.read_text().strip(), ""]
for name in SCRIPTS:
    if name in tables:
        parts += [f"## {name}", tables[name], ""]
for name, source in sources.items():
    if name in tables:
        parts += [f"## {name}", question(source), "", tables[name], ""]
document.write_text("\n".join(parts))
