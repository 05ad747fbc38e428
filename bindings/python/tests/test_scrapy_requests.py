"""Requests of all kinds in real Scrapy with the scheduler bowerbird.scrapy, on a small server of our own."""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

RUN = r'''
import json, sys
import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
base, settings, names = json.loads(sys.argv[1])
order, deepest = [], [0]

class Base(scrapy.Spider):
    start = ["/"]
    def start_requests(self):
        for path in self.start:
            yield scrapy.Request(base + path)
    def note(self, response):
        order.append(self.name + " " + response.url[len(base):] if len(names) > 1 else response.url[len(base):])
    def parse(self, response):
        self.note(response)
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)

#CLASSES#

def watch(crawler):
    def reached(request, spider):
        for slot in crawler.engine.downloader.slots.values():
            deepest[0] = max(deepest[0], len(slot.queue))
    crawler.signals.connect(reached, signal=signals.request_reached_downloader, weak=False)
process = CrawlerProcess({"SCHEDULER": "bowerbird.scrapy.Scheduler", "SPIDER_MIDDLEWARES": {"bowerbird.scrapy.Links": 1000},
    "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    "BOWERBIRD_ORDERING": "bfs", "RETRY_TIMES": 3, **settings})
crawlers = []
for name in names:
    crawler = process.create_crawler(globals()[name])
    crawlers.append(crawler)
    process.crawl(crawler)
    if crawler.engine is not None:
        watch(crawler)
process.start()
stats = [{k: v for k, v in c.stats.get_stats().items() if isinstance(v, (int, float, str))} for c in crawlers]
print(json.dumps({"order": order, "stats": stats[0], "all": stats, "deepest": deepest[0]}))
'''


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    links = {"/": ["/r", "/flaky", "/plain"], "/plain": ["/t"], "/many": [f"/m{i}" for i in range(8)]}
    seen = {}

    def do_GET(self):
        path = self.path
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        count = self.seen[path] = self.seen.get(path, 0) + 1
        status, extra = 200, {}
        if path.startswith("/r"):
            status, extra = 302, {"Location": "/t" + path[2:]}
        elif path.startswith("/flaky") and count <= 2:
            status = 503
        elif path.startswith("/gone"):
            status = 404
        body = "".join(f'<a href="{link}">x</a>' for link in self.links.get(path, [])).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **extra}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused):
        pass


class ScrapyRequestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.base = f"http://127.0.0.1:{cls.server.server_port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        Pages.seen.clear()

    def crawl(self, spider="class Mine(Base):\n    name = 'mine'", names=("Mine",), check=True, **settings):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "crawl.py")  # a file, since Scrapy reads the source of callbacks
            script.write_text(RUN.replace("#CLASSES#", spider))
            done = subprocess.run([sys.executable, str(script), json.dumps([self.base, settings, names])], capture_output=True,
                                  text=True, timeout=60, env={k: v for k, v in os.environ.items() if k != "http_proxy"})
        if not check:
            return done
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return json.loads(done.stdout)

    def test_redirects_and_retries_keep_their_page(self):
        made = self.crawl()
        self.assertEqual(sorted(made["order"]), ["/", "/flaky", "/plain", "/t"])
        self.assertEqual(Pages.seen, {"/": 1, "/r": 1, "/t": 1, "/flaky": 3, "/plain": 1})
        # /t was fetched for the page /r; the link to it was filtered, as in Scrapy.
        self.assertEqual(made["stats"]["retry/count"], 2)
        self.assertEqual(made["stats"]["bowerbird/completed"], made["stats"]["bowerbird/urls"])
        self.assertEqual(made["stats"]["bowerbird/in_process"], 0)

    def test_priority_ranks_before_the_score(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    start = ["/many"]
    def parse(self, response):
        self.note(response)
        for number, href in enumerate(response.css("a::attr(href)").getall()):
            yield response.follow(href, priority=[0, 5, -3, 2, 0, 9, -3, 1][number])
""", CONCURRENT_REQUESTS=1)
        self.assertEqual(made["order"], ["/many", "/m5", "/m1", "/m3", "/m7", "/m0", "/m4", "/m2", "/m6"])

    def test_dont_filter_fetches_again(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    start = ["/many", "/many"]
    parsed = 0
    def parse(self, response):
        self.parsed += 1
        if self.parsed < 4:
            yield response.request.replace(dont_filter=True)
            yield scrapy.Request(base + "/m1", dont_filter=True, callback=self.note)
            yield scrapy.Request(base + "/m2", callback=self.note)
""")
        self.assertEqual(Pages.seen["/m2"], 1)
        self.assertEqual(Pages.seen["/many"], 4)
        self.assertEqual(Pages.seen["/m1"], 3)
        self.assertEqual(made["stats"]["scheduler/enqueued"], made["stats"]["scheduler/dequeued"])
        self.assertGreater(made["stats"]["dupefilter/filtered"], 0)

    def test_several_requests_of_one_page(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    def parse(self, response):
        self.note(response)
        for body in ("a=1", "a=2", "a=1"):
            yield scrapy.Request(base + "/plain", method="GET", body=body, callback=self.note)
""")
        self.assertEqual(made["order"].count("/plain"), 2)  # a request is known by its fingerprint

    def test_errbacks_exceptions_and_async_callbacks(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    def start_requests(self):
        yield scrapy.Request(base + "/gone", errback=self.failed)
        yield scrapy.Request("http://127.0.0.1:1/", errback=self.failed, meta={"max_retry_times": 0})
        yield scrapy.Request(base + "/m1", callback=self.late)
    def failed(self, failure):
        yield scrapy.Request(base + "/m2" if failure.check("scrapy.spidermiddlewares.httperror.HttpError") else base + "/m3", callback=self.broken)
    def broken(self, response):
        self.note(response)
        yield scrapy.Request(base + "/m4", callback=self.note)
        raise KeyError("broken")
    async def late(self, response):
        self.note(response)
        yield scrapy.Request(base + "/m5", callback=self.note)
""", LOG_ENABLED=False)
        self.assertEqual(sorted(made["order"]), ["/m1", "/m2", "/m3", "/m4", "/m5"])
        self.assertEqual(made["stats"]["spider_exceptions/KeyError"], 2)
        self.assertEqual(made["stats"]["bowerbird/in_process"], 0)
        # What an errback asks for has no parent if there was no response.
        self.assertEqual(made["stats"]["bowerbird/links_without_parent"], 1)

    def test_requests_that_cannot_be_serialised_stay_in_memory(self):
        with tempfile.TemporaryDirectory() as jobs:
            made = self.crawl("""
class Mine(Base):
    name = "mine"
    def parse(self, response):
        self.note(response)
        yield scrapy.Request(base + "/m1", meta={"function": lambda: 0}, callback=self.note)
        yield scrapy.Request(base + "/m2", callback=self.note)
""", JOBDIR=jobs, LOG_ENABLED=False)
        self.assertEqual(sorted(made["order"]), ["/", "/m1", "/m2"])
        self.assertEqual(made["stats"]["scheduler/unserializable"], 1)
        self.assertEqual(made["stats"]["scheduler/enqueued/memory"], 1)
        self.assertEqual(made["stats"]["scheduler/enqueued/disk"], 2)

    def test_several_spiders_have_a_folder_each(self):
        with tempfile.TemporaryDirectory() as jobs:
            made = self.crawl("""
class Mine(Base):
    name = "mine"
class Yours(Base):
    name = "yours"
    start = ["/many"]
""", names=("Mine", "Yours"), JOBDIR=jobs)
            self.assertEqual(sorted(path.name for path in pathlib.Path(jobs).glob("bowerbird-*")), ["bowerbird-mine", "bowerbird-yours"])
        self.assertEqual(sum(line.startswith("yours /m") for line in made["order"]), 9)
        self.assertEqual(sum(line.startswith("mine ") for line in made["order"]), 4)

    def test_requests_do_not_pile_up_and_gates_wake_the_engine(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    start = ["/many"]
    custom_settings = {"RANDOMIZE_DOWNLOAD_DELAY": False}
    def parse(self, response):
        self.note(response)
        for number, href in enumerate(response.css("a::attr(href)").getall()):
            yield response.follow(href, meta={"download_slot": "ab"[number % 2]}, callback=self.note)
""", DOWNLOAD_DELAY=0.2)
        self.assertEqual(len(made["order"]), 9)
        self.assertLessEqual(made["deepest"], 1)
        # Eight waits for the engine's own heartbeat would take 40 seconds.
        self.assertLess(made["stats"]["elapsed_time_seconds"], 20)

    def test_autothrottle_and_limits_per_ip(self):
        for settings in ({"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.05}, {"CONCURRENT_REQUESTS_PER_IP": 1},
                         {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}):
            Pages.seen.clear()
            made = self.crawl("class Mine(Base):\n    name = 'mine'\n    start = ['/many']", **settings)
            self.assertEqual(len(made["order"]), 9, settings)
            self.assertLessEqual(made["deepest"], 1, settings)

    def test_hosts_of_one_address_share_a_slot(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    def start_requests(self):
        local = base.replace("127.0.0.1", "localhost")
        yield scrapy.Request(local + "/m1", callback=self.note)
        for i in (2, 3):
            yield scrapy.Request(local + f"/l{i}", callback=self.note)
        for i in (4, 5):
            yield scrapy.Request(base + f"/p{i}", callback=self.note, priority=5)
""", CONCURRENT_REQUESTS_PER_IP=1)
        self.assertEqual(sorted(Pages.seen), ["/l2", "/l3", "/m1", "/p4", "/p5"])
        self.assertEqual(len(made["order"]), 5)

    def test_priorities_and_slots_of_any_kind(self):
        made = self.crawl("""
class Mine(Base):
    name = "mine"
    start = ["/many"]
    def parse(self, response):
        self.note(response)
        slots = [7, None, ("a", 1), "x" * 2000, "\\ud800", "", b"b", 7]
        for number, href in enumerate(response.css("a::attr(href)").getall()):
            meta = {"download_slot": slots[number]}
            yield response.follow(href, meta=meta, priority=[0, 2**40, -2**40, 2, 0, 9, -3, 1][number])
""", CONCURRENT_REQUESTS=1)
        self.assertEqual(made["order"], ["/many", "/m1", "/m5", "/m3", "/m7", "/m0", "/m4", "/m6", "/m2"])

    def test_many_and_large_requests_of_one_page(self):
        with tempfile.TemporaryDirectory() as jobs:
            made = self.crawl("""
class Mine(Base):
    name = "mine"
    def parse(self, response):
        for number in range(60):
            yield scrapy.Request(base + "/plain", body=str(number).zfill(20_000), callback=self.note)
        yield scrapy.Request(base + "/plain", body=str(50).zfill(20_000), callback=self.note)
        yield scrapy.Request(base + "/t", body="x" * (17 << 20), callback=self.note)
""", JOBDIR=jobs, LOG_ENABLED=False)
        self.assertEqual(Pages.seen["/plain"], 60)
        self.assertEqual(Pages.seen["/t"], 1)
        self.assertEqual(made["stats"]["scheduler/enqueued"], made["stats"]["scheduler/dequeued"])
        self.assertEqual(made["stats"]["scheduler/enqueued/memory"], 1)  # the largest one
        self.assertEqual(made["stats"]["scheduler/unserializable"], 1)
        # One after the other they would take 6 s: Scrapy waits for a tenth of a second before each callback.
        self.assertLess(made["stats"]["elapsed_time_seconds"], 5)

    def test_requests_that_wait_for_robots_txt_do_not_pile_up(self):
        made = self.crawl("class Mine(Base):\n    name = 'mine'\n    start = ['/m1', '/m2', '/m3', '/m4', '/m5', '/m6', '/m7']",
                          ROBOTSTXT_OBEY=True, CONCURRENT_REQUESTS_PER_DOMAIN=1)
        self.assertEqual(len(made["order"]), 7)
        self.assertLessEqual(made["deepest"], 1)

    def test_a_middleware_may_change_the_slot(self):
        made = self.crawl("""
class Change:
    def process_request(self, request, spider):
        request.meta["download_slot"] = "other"
class Mine(Base):
    name = "mine"
    start = ["/m1", "/m2", "/m3", "/m4"]
    custom_settings = {"DOWNLOADER_MIDDLEWARES": {Change: 1}}
""", CONCURRENT_REQUESTS_PER_DOMAIN=1)
        self.assertEqual(len(made["order"]), 4)

    def test_redirects_are_known_after_a_restart(self):
        spider = "class Mine(Base):\n    name = 'mine'\n    start = %s"
        with tempfile.TemporaryDirectory() as jobs:
            last = self.crawl(spider % "['/r1', '/r2']", JOBDIR=jobs, CONCURRENT_REQUESTS=1)["order"][-1]
            known = pathlib.Path(jobs, "bowerbird-mine", "redirects")
            known.write_bytes(known.read_bytes()[:-3])  # a line that was cut off counts as not written
            again = self.crawl(spider % "['/t1', '/t2', '/m1']", JOBDIR=jobs)["order"]
            self.assertEqual(sorted(again), sorted([last, "/m1"]))

    def test_a_spider_of_any_name_stays_in_its_folder(self):
        with tempfile.TemporaryDirectory() as jobs:
            self.crawl("class Mine(Base):\n    name = 'a/../../b'", JOBDIR=jobs + "/job")
            self.assertEqual([path.name for path in pathlib.Path(jobs).iterdir()], ["job"])

    def test_own_filters_and_a_memory_limit(self):
        with tempfile.TemporaryDirectory() as jobs:
            self.crawl("class Mine(Base):\n    name = 'mine'\n    start = ['/', '/m1', '/m1', '/m1']", JOBDIR=jobs,
                       BOWERBIRD_MEMORY=16 << 20, BOWERBIRD_DURABLE=True, DUPEFILTER_CLASS="scrapy.dupefilters.BaseDupeFilter", DEPTH_LIMIT=2)
        self.assertEqual((Pages.seen["/t"], Pages.seen["/m1"]), (2, 3))  # BaseDupeFilter filters nothing

    def test_wrong_settings_are_errors(self):
        done = self.crawl(check=False, BOWERBIRD_ORDERING="no-such-ordering")
        self.assertIn("no-such-ordering", done.stderr)
        done = self.crawl(check=False, SCHEDULER="scrapy.core.scheduler.Scheduler", LOG_LEVEL="WARNING")
        self.assertIn("needs SCHEDULER", done.stderr)

    def test_a_second_process_on_the_folder_is_refused(self):
        import bowerbird
        with tempfile.TemporaryDirectory() as jobs, bowerbird.Frontier(jobs + "/bowerbird-mine", "bfs"):
            self.assertIn("in use", self.crawl(check=False, JOBDIR=jobs).stderr)


if __name__ == "__main__":
    unittest.main()
