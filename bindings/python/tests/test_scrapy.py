"""Real Scrapy with the scheduler bowerbird.scrapy, on the test Web. Each crawl is a process of its own."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("BOWERBIRD_BINARY", str(ROOT / "build/release/bowerbird"))

CRAWL = r'''
import json, os, sys
import scrapy
from scrapy.crawler import CrawlerProcess

order, config = [], json.loads(sys.argv[1])

class Pages(scrapy.Spider):
    name = config.get("name", "pages")
    if "allowed" in config:
        allowed_domains = config["allowed"]

    def start_requests(self):
        for url in config["start"]:
            yield scrapy.Request(url)

    def parse(self, response):
        order.append(response.url)
        if config.get("kill_after") == len(order):
            os.kill(os.getpid(), 9)
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, priority=config.get("priority", {}).get(response.urljoin(href), 0))

settings = {"SCHEDULER": "bowerbird.scrapy.Scheduler", "SPIDER_MIDDLEWARES": {"bowerbird.scrapy.Links": 1000},
            "LOG_LEVEL": "ERROR", "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False,
            "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7", **config.get("settings", {})}
process = CrawlerProcess(settings)
crawler = process.create_crawler(Pages)
process.crawl(crawler)
process.start()
print(json.dumps({"order": order, "stats": {k: v for k, v in crawler.stats.get_stats().items() if isinstance(v, (int, str))}}))
'''


class ScrapyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([BINARY, "web", "serve", "synthetic:pages=120,seed=5", "--port", "0", "-q"],
                                      stdout=subprocess.PIPE, text=True)
        ready = cls.server.stdout.readline()
        cls.port = re.search(r"port=(\d+)", ready).group(1)
        cls.first = re.search(r"page=(\S+)", ready).group(1)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def crawl(self, expect=0, **config):
        config.setdefault("start", [self.first])
        env = {**os.environ, "http_proxy": f"http://127.0.0.1:{self.port}"}
        done = subprocess.run([sys.executable, "-c", CRAWL, json.dumps(config)], env=env, capture_output=True, text=True,
                              timeout=240)
        self.assertEqual(done.returncode, expect, done.stderr)
        return json.loads(done.stdout) if expect == 0 else done

    def test_every_page_is_fetched_once(self):
        mine = self.crawl(settings={"BOWERBIRD_ORDERING": "fpr@100"})
        plain = self.crawl(settings={"SCHEDULER": "scrapy.core.scheduler.Scheduler", "SPIDER_MIDDLEWARES": {}})
        self.assertEqual(sorted(mine["order"]), sorted(plain["order"]))
        self.assertEqual(mine["stats"]["bowerbird/completed"], len(mine["order"]))
        self.assertEqual(mine["stats"]["scheduler/enqueued"], mine["stats"]["scheduler/dequeued"])

    def test_strict_order_is_the_labs(self):
        import bowerbird
        from bowerbird import lab
        graph = bowerbird.Graph.open("synthetic:pages=120,seed=5")
        order = []

        class Backlink(bowerbird.Ordering):
            def seed(self, page, share):
                return 0.0

            def score(self, visit, pages, scores, is_new, other_host):
                scores += 1

            def crawled(self, visit, links):
                order.append(graph.url(visit.page))

        seed = next(page for page in range(graph.pages) if graph.url(page) == self.first)
        strict = {"BOWERBIRD_STRICT": True, "CONCURRENT_REQUESTS": 1}
        lab.run(graph, Backlink, seeds=[seed])
        mine = self.crawl(settings={"BOWERBIRD_ORDERING": "backlink", **strict})
        self.assertEqual(mine["order"], order)
        # Of an ordering in C++ the lab tells how much of the PageRank was collected when.
        rank = {graph.url(page): value for page, value in enumerate(graph.pagerank())}
        mine = self.crawl(settings={"BOWERBIRD_ORDERING": "lipr", **strict})
        row = lab.run(graph, "lipr", seeds=[seed])[0]
        collected = np.cumsum([rank[url] for url in mine["order"]]) / sum(rank[url] for url in mine["order"])
        pages = np.rint(row["at"] * row["reachable"]).astype(int)
        np.testing.assert_allclose(np.concatenate([[0], collected])[pages], row["importance"], atol=1e-9)

    def test_a_kill_loses_nothing(self):
        with tempfile.TemporaryDirectory() as jobs:
            settings = {"JOBDIR": jobs, "BOWERBIRD_ORDERING": "fpr@100"}
            self.crawl(expect=-9, settings=settings, kill_after=20)
            rest = self.crawl(settings=settings)
            whole = self.crawl(settings={"BOWERBIRD_ORDERING": "fpr@100"})
            self.assertEqual(rest["stats"]["bowerbird/completed"], len(whole["order"]))
            self.assertTrue((pathlib.Path(jobs) / "bowerbird-pages").is_dir())

    def test_offsite_links_are_counted_and_not_fetched(self):
        host = self.first.split("/")[2]
        mine = self.crawl(allowed=[host], settings={"BOWERBIRD_ORDERING": "fpr@100"})
        self.assertTrue(all(url.split("/")[2] == host for url in mine["order"]))
        self.assertGreater(mine["stats"]["bowerbird/links"], mine["stats"]["bowerbird/urls"] - 1)

    def test_a_missing_middleware_is_an_error(self):
        done = subprocess.run([sys.executable, "-c", CRAWL, json.dumps({"start": [self.first], "settings": {
            "SPIDER_MIDDLEWARES": {}}})], capture_output=True, text=True, timeout=240)
        self.assertIn("needs SPIDER_MIDDLEWARES", done.stderr)


if __name__ == "__main__":
    unittest.main()
