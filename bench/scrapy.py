"""Scrapy with our scheduler next to Scrapy's own (docs/scrapy.md): tools/python bench/scrapy.py

Crawls a synthetic web served on loopback to the end, with each scheduler: the share of the PageRank after 10, 20 and 30 % of
the pages, pages per second, and processor time per page. All crawls must fetch the same pages. Then a spider yields
--pending requests, and the memory that they take is measured; each request must be enqueued.
"""
import argparse
import json
import os
import pathlib
import re
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
began = time.time()
process.start()
own = resource.getrusage(resource.RUSAGE_SELF)
stats = crawler.stats
print(json.dumps({"order": order, "seconds": time.time() - began, "cpu": own.ru_utime + own.ru_stime, "used": stats.get_value("used"),
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--pending", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3, help="speed is the best of so many crawls")
    options = parser.parse_args()
    name = f"synthetic:pages={options.pages},seed=5"
    server = subprocess.Popen([str(ROOT / "build/release/bowerbird"), "web", "serve", name, "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
    try:
        ready = server.stdout.readline()
        port, start = re.search(r"port=(\d+)", ready).group(1), re.search(r"page=(\S+)", ready).group(1)
        graph = bowerbird.Graph.open(name)
        rank = graph.pagerank()
        ranks = {graph.url(page): rank[page] for page in range(graph.pages)}
        print(f"{'scheduler':28} {'10 %':>7} {'20 %':>7} {'30 %':>7} {'pages/s':>9} {'CPU ms/page':>12}")
        fetched = None
        variants = {"Scrapy": {}, "Scrapy, breadth-first": BREADTH, "bowerbird lipr": {**OURS, "BOWERBIRD_ORDERING": "lipr"},
                    "bowerbird fpr@100": {**OURS, "BOWERBIRD_ORDERING": "fpr@100"}, "Scrapy, JOBDIR": {"JOBDIR": "JOBDIR"},
                    "bowerbird lipr, JOBDIR": {**OURS, "JOBDIR": "JOBDIR"}}
        for label, settings in variants.items():
            runs = [crawl(port, start, settings) for _ in range(options.rounds)]
            made = runs[0]
            for run in runs:
                assert fetched in (None, sorted(run["order"])), "the crawls fetched different pages"
                fetched = sorted(run["order"])
            sums = np.cumsum([ranks[url] for url in made["order"]]) / sum(ranks[url] for url in fetched)
            at = [sums[len(fetched) * share // 100 - 1] for share in (10, 20, 30)]
            print(f"{label:28} " + " ".join(f"{one:7.1%}" for one in at) +
                  f" {max(len(run['order']) / run['seconds'] for run in runs):9.1f} {min(run['cpu'] for run in runs) / len(fetched) * 1000:12.2f}", flush=True)
        if options.pending == 0:
            return
        print(f"\nmemory of {options.pending:,} pending requests")
        for label in ("Scrapy", "bowerbird lipr", "bowerbird lipr, JOBDIR"):
            made = crawl(port, start, variants[label], options.pending)
            assert made["enqueued"] == options.pending + 1, made["enqueued"]
            print(f"{label:28} {made['used'] / options.pending:7.0f} bytes each   {made['cpu'] / options.pending * 1e6:6.0f} us CPU each", flush=True)
    finally:
        server.terminate()
        server.wait()


main()
