"""How fast the Python module is, next to the same work in C++ (docs/python.md): tools/python bench/python_speed.py

Compiles bench/python_speed.cc against the library of build/release. Each pair of runs must give the same order.
--rounds N: N runs of each, which take turns; pages per second of processor time in the best one, and the median of the
ratios within the rounds.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

import bowerbird
from bowerbird import lab

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"
LINKS, M64 = 10, (1 << 64) - 1


class Backlink(bowerbird.Ordering):
    """As `backlink`."""

    def seed(self, page, share):
        return 0.0

    def score(self, visit, pages, scores, is_new, other_host):
        scores += 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & M64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)


def links_of(pages):
    def text(i):
        page = mix(i) % (2 * pages)
        return f"http://h{page % 1000}.example/page/{page}"
    return [[text(n * LINKS + i) for i in range(LINKS)] for n in range(pages)]


def frontier(web, policy, folder):
    f = bowerbird.Frontier(folder or None, policy)
    f.add(["http://seed.example/"], 0)
    order, next_url, complete = [], f.next, f.complete
    start = time.process_time()
    for links in web:
        found = next_url(0)
        if found is None:
            break
        url = found.url
        complete(url, links, 0)
        order.append(url)
    seconds = time.process_time() - start
    digest = 0
    for url in order:
        for byte in url.encode():
            digest = ((digest ^ byte) * 0x100000001B3) & M64
    return seconds, len(order), str(digest)


def run_lab(graph, policy):
    start = time.process_time()
    lab.run(graph, [policy], seeds="top:10", importance="none")  # whose computation takes longer than some orderings
    seconds = time.process_time() - start
    row = lab.run(graph, [policy], seeds="top:10")[0]
    return seconds, row["crawled"], f"{row['auc']:.12f}"


def cpp(program, *args):
    seconds, pages, digest = subprocess.run([program, *map(str, args)], capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(pages), digest


def compare(name, rounds, python, other):
    mine, theirs = [], []
    for _ in range(rounds):
        theirs.append(other())
        mine.append(python())
    assert len({result[1:] for result in mine + theirs}) == 1, (name, mine, theirs)
    fast, fast_cpp, pages = min(mine)[0], min(theirs)[0], mine[0][1]
    ratio = statistics.median(other[0] / one[0] for one, other in zip(mine, theirs))
    print(f"{name:38} {pages / fast:10,.0f} pages/s   C++ {pages / fast_cpp:10,.0f}   {ratio:6.1%}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        program = work + "/python_speed"
        subprocess.run(["g++", "-std=c++20", "-O2", str(ROOT / "bench/python_speed.cc"), "-I", str(ROOT / "include"), "-L", str(BUILD),
                        "-lbowerbird", f"-Wl,-rpath,{BUILD}", "-o", program], check=True)
        path = work + "/graph.bbg"
        bowerbird.Graph.generate(pages=5 * options.pages, seed=3).save(path)
        graph = bowerbird.Graph.open(path)
        for policy in ("bfs", "fpr@100", "lipr"):
            compare(f"lab.run {policy}", options.rounds, lambda: run_lab(graph, policy), lambda: cpp(program, "lab", path, policy))
        compare("lab.run, backlink written in Python", options.rounds, lambda: run_lab(graph, Backlink),
                lambda: cpp(program, "lab", path, "backlink"))
        web = links_of(options.pages)
        folders = iter(range(10 ** 6))
        for policy in ("fpr@100", "lipr"):
            for where in ("memory", "folder"):
                place = (lambda: "") if where == "memory" else (lambda: f"{work}/{next(folders)}")
                compare(f"Frontier {policy}, {where}", options.rounds, lambda: frontier(web, policy, place()),
                        lambda: cpp(program, "frontier", policy, options.pages, place()))


main()
