"""Scrapy with our scheduler next to Scrapy's own (docs/scrapy.md): tools/python bench/scrapy.py

Crawls a synthetic web of --pages served on loopback to the end, with each scheduler: the share of the PageRank after 10, 20
and 30 % of the pages. Then --rounds crawls of a web of --speed-pages with each scheduler, which take turns: pages per second
and Scrapy's processor time per page, the best of the rounds, and the median of the ratios within the rounds. All crawls of a
web must fetch the same pages. At last a spider yields --pending requests, and the memory that they take is measured; each
request must be enqueued.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import bowerbird

ROOT = pathlib.Path(__file__).resolve().parents[1]
OURS = {"SCHEDULER": "bowerbird.scrapy.Scheduler", "SPIDER_MIDDLEWARES": {"bowerbird.scrapy.Links": 1000}}
BREADTH = {"DEPTH_PRIORITY": 1, "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
           "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue"}
COMMON = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
          "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}

CRAWL = r'''
import json, resource, sys, time
import scrapy
from scrapy.crawler import CrawlerProcess
config = json.loads(sys.argv[1])
order = []

def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [config["start"]]
    def parse(self, response):
        order.append(response.url)
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)

class Pending(scrapy.Spider):
    name = "pending"
    start_urls = [config["start"]]
    def parse(self, response):
        self.before = used()
        for i in range(config["pending"]):
            yield scrapy.Request(f"http://host{i % 1000}.example/folder/{i}.html")
        self.crawler.stats.set_value("used", used() - self.before)
        self.crawler.engine.close_spider(self, "enough")

process = CrawlerProcess(config["settings"])
crawler = process.create_crawler(Pending if config["pending"] else Pages)
process.crawl(crawler)
def cpu():
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime

began, before = time.time(), cpu()
process.start()
stats = crawler.stats
print(json.dumps({"order": order, "seconds": time.time() - began, "cpu": cpu() - before, "used": stats.get_value("used"),
                  "enqueued": stats.get_value("scheduler/enqueued")}))
'''


def crawl(port, start, settings, pending=0):
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(work, "crawl.py")
        script.write_text(CRAWL)
        settings = {name: work + "/job" if value == "JOBDIR" else value for name, value in {**COMMON, **settings}.items()}
        env = {**os.environ, "http_proxy": f"http://127.0.0.1:{port}"}
        done = subprocess.run([sys.executable, str(script), json.dumps({"start": start, "settings": settings, "pending": pending})],
                              env=env, capture_output=True, text=True)
        if done.returncode != 0 or not done.stdout:
            sys.exit(done.stderr)
        return json.loads(done.stdout)


VARIANTS = {"Scrapy": {}, "Scrapy, breadth-first": BREADTH, "bowerbird lipr": {**OURS, "BOWERBIRD_ORDERING": "lipr"},
            "bowerbird fpr@100": {**OURS, "BOWERBIRD_ORDERING": "fpr@100"}, "Scrapy, JOBDIR": {"JOBDIR": "JOBDIR"},
            "bowerbird lipr, JOBDIR": {**OURS, "JOBDIR": "JOBDIR"}}


@contextlib.contextmanager
def served(name):
    server = subprocess.Popen([str(ROOT / "build/release/bowerbird"), "web", "serve", name, "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
    try:
        ready = server.stdout.readline()
        yield re.search(r"port=(\d+)", ready).group(1)
    finally:
        server.terminate()
        server.wait()


def web(pages):
    """The name of a web, and the PageRank of its URLs, the best first."""
    name = f"synthetic:pages={pages},seed=5"
    graph = bowerbird.Graph.open(name)
    rank = graph.pagerank()
    return name, {graph.url(page): rank[page] for page in np.argsort(-rank).tolist()}


def order(pages):
    name, ranks = web(pages)
    start = next(iter(ranks))
    print(f"{'PageRank collected after':28} {'10 %':>7} {'20 %':>7} {'30 %':>7}  of {pages:,} pages", flush=True)
    fetched = None
    with served(name) as port:
        for label in ("Scrapy", "bowerbird fpr@100", "bowerbird lipr", "Scrapy, breadth-first"):
            made = crawl(port, start, VARIANTS[label])["order"]
            assert fetched in (None, sorted(made)), "the crawls fetched different pages"
            fetched = sorted(made)
            assert len(made) > pages // 2, len(made)
            sums = np.cumsum([ranks[url] for url in made]) / sum(ranks[url] for url in made)
            print(f"{label:28} " + " ".join(f"{sums[len(made) * share // 100 - 1]:7.1%}" for share in (10, 20, 30)), flush=True)


def speed(pages, rounds):
    print(f"\n{'':28} {'pages/s':>9} {'CPU ms/page':>12} {'pages per CPU second next to Scrapy':>36}", flush=True)
    name, ranks = web(pages)
    start = next(iter(ranks))
    with served(name) as port:
        for pair in (("Scrapy", "bowerbird lipr"), ("Scrapy, JOBDIR", "bowerbird lipr, JOBDIR")):
            runs = [[crawl(port, start, VARIANTS[label]) for label in pair] for _ in range(rounds)]
            assert len({tuple(sorted(run["order"])) for one in runs for run in one}) == 1, "the crawls fetched different pages"
            assert len(runs[0][0]["order"]) > pages // 2
            ratio = statistics.median(theirs["cpu"] / mine["cpu"] for theirs, mine in runs)
            for i, label in enumerate(pair):
                count = len(runs[0][i]["order"])
                print(f"{label:28} {max(count / one[i]['seconds'] for one in runs):9.1f} "
                      f"{min(one[i]['cpu'] for one in runs) / count * 1000:12.2f} {ratio if i else 1:36.1%}", flush=True)


def pending(count):
    print(f"\nmemory of {count:,} pending requests")
    name, ranks = web(10)
    start = next(iter(ranks))
    with served(name) as port:
        for label in ("Scrapy", "bowerbird lipr", "bowerbird lipr, JOBDIR"):
            made = crawl(port, start, VARIANTS[label], count)
            assert made["enqueued"] == count + 1, made["enqueued"]
            print(f"{label:28} {made['used'] / count:7.0f} bytes each   {made['cpu'] / count * 1e6:6.0f} us CPU each", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--speed-pages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pending", type=int, default=1_000_000)
    options = parser.parse_args()
    if options.pages:
        order(options.pages)
    if options.rounds:
        speed(options.speed_pages, options.rounds)
    if options.pending:
        pending(options.pending)


main()
