"""Real Scrapy with the scheduler bowerbird.scrapy, on the test Web. Each crawl is a process of its own."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

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
        mine = self.crawl(settings={"BOWERBIRD_ORDERING": "backlink", "BOWERBIRD_STRICT": True, "CONCURRENT_REQUESTS": 1})
        import bowerbird
        graph = bowerbird.Graph.open("synthetic:pages=120,seed=5")
        pages = {graph.url(page): page for page in range(graph.pages)}
        score, queued, number, expected = {pages[self.first]: 0}, {pages[self.first]: 0}, 1, []
        done = set()
        while queued:
            page = min(queued, key=lambda one: (-score[one], queued[one]))
            del queued[page]
            done.add(page)
            expected.append(graph.url(page))
            for target in graph.out(page).tolist():
                if target in done:
                    continue
                if target not in queued:
                    queued[target], number = number, number + 1
                score[target] = score.get(target, 0) + 1
        self.assertEqual(mine["order"], expected)

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
