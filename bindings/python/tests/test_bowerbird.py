"""Tests of the module bowerbird: /usr/bin/python3 -m unittest, by `./test --full interfaces`."""
import asyncio
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest

import numpy as np

import bowerbird
from bowerbird import lab

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("BOWERBIRD_BINARY", str(ROOT / "build/release/bowerbird"))


class Backlink(bowerbird.Ordering):
    """As `backlink`."""

    def seed(self, page, share):
        return 0.0

    def score(self, visit, pages, scores, is_new, other_host):
        scores += 1


class GraphTest(unittest.TestCase):
    def test_version_is_that_of_the_program(self):
        text = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(bowerbird.__version__, text.split())

    def test_arrays_are_views_that_outlive_the_graph(self):
        graph = bowerbird.Graph.from_links([0, 0, 1, 2], [1, 2, 2, 0])
        targets, offsets = graph.targets, graph.offsets
        self.assertFalse(targets.flags.owndata)
        self.assertFalse(targets.flags.writeable)
        del graph
        gc.collect()
        self.assertEqual(targets.tolist(), [1, 2, 2, 0])
        self.assertEqual(offsets.tolist(), [0, 2, 3, 4])

    def test_pagerank(self):
        graph = bowerbird.Graph.from_links([0, 1, 2, 2], [1, 2, 0, 1])
        rank = graph.pagerank()
        self.assertAlmostEqual(rank.sum(), 1)
        expected = np.full(3, 1 / 3)
        for _ in range(200):
            sent = np.zeros(3)
            for source, target in ((0, 1), (1, 2), (2, 0), (2, 1)):
                sent[target] += expected[source] / (2 if source == 2 else 1)
            expected = 0.05 + 0.85 * sent
        np.testing.assert_allclose(rank, expected, atol=1e-9)

    def test_graphs_are_converted(self):
        with tempfile.TemporaryDirectory() as folder:
            graph = bowerbird.Graph.generate(pages=1000, seed=3)
            graph.save(folder + "/g.bbg")
            bowerbird.convert(folder + "/g.bbg", folder + "/g.tsv")
            again = bowerbird.Graph.open(folder + "/g.tsv")
            self.assertEqual(again.links, graph.links)
            np.testing.assert_array_equal(again.targets, graph.targets)

    def test_bad_input_raises(self):
        with self.assertRaises(bowerbird.Error):
            bowerbird.Graph.open("/no/such/graph")
        with self.assertRaises(bowerbird.Error):
            bowerbird.Graph.from_links([0], [5], pages=2)
        with self.assertRaises(bowerbird.Error):
            bowerbird.Graph.from_links([0], [1, 2])
        with self.assertRaises(IndexError):
            bowerbird.Graph.from_links([0], [1]).out(7)
        for ids in ([0.5], ["a"], None, [None], [[0, 1]], [True], [float("nan")]):
            with self.assertRaises(TypeError, msg=ids):
                bowerbird.Graph.from_links(ids, [1])
        for ids in ([-1], [1 << 32], [1 << 40], np.array([-1])):
            with self.assertRaises(ValueError, msg=ids):
                bowerbird.Graph.from_links([1], ids)
        with self.assertRaises(TypeError):
            bowerbird.Graph.from_links([0], [1], hosts=[0.5, 1])
        with self.assertRaisesRegex(ValueError, "null character"):
            bowerbird.Graph.open("a\0b")
        with self.assertRaisesRegex(bowerbird.Error, "^/no/such/graph"):
            bowerbird.Graph.open(b"/no/such/graph")


class LabTest(unittest.TestCase):
    graph = bowerbird.Graph.generate(pages=3000)

    def test_rows(self):
        rows = lab.run(self.graph, ["bfs", "fpr@100"], seeds="top:5", repeat=2)
        self.assertEqual([row["policy"] for row in rows], ["bfs", "bfs", "fpr@100", "fpr@100"])
        for row in rows:
            self.assertEqual(len(row["at"]), len(row["importance"]))
            self.assertAlmostEqual(row["importance"][-1], 1)
        try:
            import pandas
        except ImportError:
            return
        table = pandas.DataFrame(rows)
        self.assertEqual(len(table), 4)
        self.assertEqual(table.auc.dtype, float)

    def test_an_ordering_in_python_is_one_in_cpp(self):
        mine, theirs = lab.run(self.graph, [Backlink, "backlink"], seeds=[5, 7, 9])
        self.assertEqual(mine["crawled"], theirs["crawled"])
        np.testing.assert_array_equal(mine["importance"], theirs["importance"])

    def test_errors_of_an_ordering_are_reported(self):
        class Broken(bowerbird.Ordering):
            def seed(self, page, share):
                return 0.0

            def score(self, visit, pages, scores, is_new, other_host):
                raise KeyError("lost")

        class Short(Backlink):
            def score(self, visit, pages, scores, is_new, other_host):
                return [1.0] * (len(pages) + 1)

        with self.assertRaisesRegex(bowerbird.Error, "lost"):
            lab.run(self.graph, Broken)
        with self.assertRaisesRegex(bowerbird.Error, "one number for each link"):
            lab.run(self.graph, Short)
        for bad in ("no-such-ordering", "fpr@x"):
            with self.assertRaises(bowerbird.Error):
                lab.run(self.graph, bad)
        with self.assertRaises(TypeError):
            lab.run(self.graph, [7])
        with self.assertRaises(TypeError):
            lab.run(self.graph, int)

    def test_classes_with_the_same_name_are_different_orderings(self):
        def scaled(by):
            class Mine(Backlink):
                def score(self, visit, pages, scores, is_new, other_host):
                    scores += by * visit.links
            return Mine

        more, less = scaled(1), scaled(-1)
        rows = lab.run(self.graph, [more, less, "bfs", more], seeds="top:5")
        self.assertEqual([row["policy"] for row in rows], ["Mine", "Mine-2", "bfs"])
        self.assertEqual(rows[0]["auc"], lab.run(self.graph, more, seeds="top:5")[0]["auc"])
        self.assertEqual(rows[1]["auc"], lab.run(self.graph, less, seeds="top:5")[0]["auc"])
        self.assertNotEqual(rows[0]["auc"], rows[1]["auc"])
        with self.assertRaisesRegex(TypeError, "a class"):
            lab.register(more(None))

    # The background processes of a shell ignore it.
    def accept_ctrl_c(self):
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def test_ctrl_c_stops_an_ordering_in_python(self):
        self.accept_ctrl_c()

        class Stopped(Backlink):
            def score(self, visit, pages, scores, is_new, other_host):
                raise KeyboardInterrupt  # as Python does there if the main thread runs it

        with self.assertRaises(KeyboardInterrupt):
            lab.run(self.graph, Stopped, seeds="top:5")
        f = bowerbird.Frontier(policy=Stopped)
        f.add(["http://a/"], 0)
        with self.assertRaises(KeyboardInterrupt):
            f.complete(f.next(0).url, ["http://a/1"], 0)

    def test_ctrl_c_stops_a_run(self):
        self.accept_ctrl_c()
        graph = bowerbird.Graph.generate(pages=2_000_000)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            lab.run(graph, "all", repeat=50)  # takes hours otherwise

    def test_other_threads_run_meanwhile(self):
        counted = 0
        done = threading.Event()

        def count():
            nonlocal counted
            while not done.is_set():
                counted += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        lab.run(bowerbird.Graph.generate(pages=100_000), "lipr", seeds="top:5")
        done.set()
        thread.join()
        self.assertGreater(counted, 10)


class FrontierTest(unittest.TestCase):
    def test_the_best_url_is_next(self):
        f = bowerbird.Frontier(policy="backlink")
        self.assertEqual(f.add(["http://a/", "not a URL"], 0), (1, 0, 1))
        self.assertEqual(f.next(0).url, "http://a/")
        self.assertEqual(f.complete("http://a/", ["http://a/1", ("http://b/", b"x"), "mailto:me"], 0), (2, 0, 1))
        self.assertEqual(f.next(0).url, "http://a/1")
        f.complete("http://a/1", ["http://b/"], 0)
        found = f.next(0)
        self.assertEqual((found.url, found.payload, found.queue), ("http://b/", b"x", "b"))
        f.retry(found.url, 5, 1)
        self.assertIsNone(f.next(4))
        self.assertEqual(f.next_opening(), 5)
        self.assertEqual(f.next(5).url, "http://b/")
        self.assertEqual(f.why("http://b/")["state"], "leased")
        self.assertIsNone(f.why("http://nobody/"))

    def test_wrong_input_raises_and_loses_nothing(self):
        f = bowerbird.Frontier(policy="bfs")
        f.add(["http://a/", "http://b/"], 0)
        for call in (lambda: f.add("http://c/", 0), lambda: f.add([7], 0), lambda: f.add([("http://c/", "text")], 0),
                     lambda: f.complete(7, [], 0), lambda: f.next("now"), lambda: f.add(None)):
            with self.assertRaises(TypeError):
                call()
        with self.assertRaises(bowerbird.Error):
            f.complete("http://a/", [], 0)
        with self.assertRaises(ValueError):
            f.next(-1)
        with self.assertRaises(bowerbird.Error):
            bowerbird.Frontier(policy="no-such-ordering")
        with self.assertRaises(bowerbird.Error):
            bowerbird.Frontier(memory=1 << 30)
        self.assertEqual(f.stats()["queued"], 2)

    def test_gates(self):
        f = bowerbird.Frontier(policy="bfs", delay=10)
        f.add(["http://a/1", "http://a/2", "http://b/1"], 0)
        self.assertEqual([u.url for u in f.next_many(9, 0)], ["http://a/1", "http://b/1"])
        self.assertEqual(f.next_opening(), 10)
        f.block_until("a", 50, 10)
        self.assertIsNone(f.next(49))
        asked = []

        def gate(queue):
            asked.append(queue)
            raise KeyError(queue)

        with self.assertRaises(KeyError):
            f.next(50, gate=gate)
        self.assertEqual(asked, ["a"])
        self.assertIsNone(f.next(50, gate=lambda queue: float("inf")))
        f.open_queue("a", 51)
        self.assertEqual(f.next(51).url, "http://a/2")

    def test_gates_and_orderings_that_call_the_frontier_are_refused(self):
        f = bowerbird.Frontier(policy="bfs")
        f.add(["http://a/"], 0)
        with self.assertRaisesRegex(bowerbird.Error, "must not call"):
            f.next(0, gate=lambda queue: f.stats()["urls"])
        self.assertEqual(f.next(1).url, "http://a/")

        class Curious(Backlink):
            def score(self, visit, pages, scores, is_new, other_host):
                g.stats()

        g = bowerbird.Frontier(policy=Curious)
        g.add(["http://a/"], 0)
        with self.assertRaisesRegex(bowerbird.Error, "must not call"):
            g.complete(g.next(0).url, ["http://a/1"], 0)

    def test_an_ordering_that_fails_is_reported_and_the_folder_is_as_before(self):
        class Broken(Backlink):
            def score(self, visit, pages, scores, is_new, other_host):
                if visit.crawled > 1:
                    raise KeyError("out of ideas")

        with tempfile.TemporaryDirectory() as folder:
            f = bowerbird.Frontier(folder, Broken)
            f.add(["http://a/"], 0)
            f.complete(f.next(0).url, ["http://b/"], 0)
            f.next(0)
            for call in (lambda: f.complete("http://b/", ["http://c/"], 0), lambda: f.next(1), f.close):
                with self.assertRaisesRegex(bowerbird.Error, "out of ideas"):
                    call()
            Broken.score = Backlink.score
            with bowerbird.Frontier(folder, Broken) as f:
                self.assertEqual(f.stats()["urls"], 2)
                self.assertEqual(f.next(1).url, "http://b/")

    def test_names_of_queues_are_bounded(self):
        f = bowerbird.Frontier(policy="bfs")
        for call in (f.set_delay, lambda number, queue: f.block_until(queue, number), lambda number, queue: f.set_limit(queue, number)):
            with self.assertRaisesRegex(bowerbird.Error, "at most 1024"):
                call(5, "q" * (70 << 20))

    def test_priorities(self):
        f = bowerbird.Frontier(policy="bfs")
        f.add([("http://a/1",), ("http://a/2", None, None, 5), ("http://a/3", None, "other", -1)], 0)
        self.assertEqual([u.url for u in f.next_many(9, 0)], ["http://a/2", "http://a/1", "http://a/3"])

    def test_a_folder_survives_kill_9(self):
        with tempfile.TemporaryDirectory() as folder:
            code = ("import bowerbird, os, sys\n"
                    "f = bowerbird.Frontier(sys.argv[1], 'fpr@100')\n"
                    "f.add(['http://a/'], 0)\n"
                    "f.complete(f.next(0).url, [('http://a/%d' % i, b'p%d' % i) for i in range(100)], 1)\n"
                    "f.next(1)\n"
                    "os.kill(os.getpid(), 9)\n")
            subprocess.run([sys.executable, "-c", code, folder + "/f"], check=False)
            with bowerbird.Frontier(folder + "/f") as f:
                self.assertEqual(f.policy, "fpr@100")
                urls = list(f.urls())
                self.assertEqual(len(urls), 101)
                self.assertEqual(urls[5]["payload"], b"p4")
                with self.assertRaisesRegex(bowerbird.Error, "in use"):
                    bowerbird.Frontier(folder + "/f")
                self.assertEqual(f.stats()["in_process"], 0)
                self.assertEqual(len(f.next_many(200, 2)), 100)

    def test_asyncio(self):
        pages = {f"http://a/{i}": [f"http://a/{2 * i + 1}", f"http://a/{2 * i + 2}"] for i in range(100)}
        seen = []

        async def work(f):
            while (found := await f.next_ready()) is not None:
                await asyncio.sleep(0)
                seen.append(found.url)
                f.complete(found.url, pages.get(found.url, []))

        async def main():
            f = bowerbird.Frontier(policy="bfs")
            f.add(["http://a/0"])
            await asyncio.wait_for(asyncio.gather(*(work(f) for _ in range(4))), 30)

        asyncio.run(main())
        self.assertEqual(len(seen), len(set(seen)))
        self.assertEqual(len(seen), 201)

    def test_an_ordering_in_python(self):
        f = bowerbird.Frontier(policy=Backlink)
        f.add(["http://a/"], 0)
        f.complete(f.next(0).url, ["http://a/1", "http://a/2"], 0)
        f.complete(f.next(0).url, ["http://a/3", "http://a/2"], 0)
        self.assertEqual(f.next(0).score, 2)

    def test_nothing_leaks(self):
        f = bowerbird.Frontier(policy="bfs")

        def loop(first):
            for i in range(first, first + 2000):
                f.add([f"http://a/{i}"], i)
                f.complete(f.next(i).url, ["http://a/0"], i)
                f.status("http://a/0")
                bowerbird.parse_page(b"<a href=x>y</a>", "http://a/")

        loop(0)
        tracemalloc.start()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        loop(10_000)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        self.assertLess(after - before, 100_000)


class CrawlTest(unittest.TestCase):
    def test_a_crawl_folder(self):
        server = subprocess.Popen([BINARY, "web", "serve", "synthetic:pages=60,seed=5", "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        ready = dict(word.split("=", 1) for word in server.stdout.readline().split() if "=" in word)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BINARY, "crawl", ready["page"], "--out", folder + "/c", "--connect-to", f"127.0.0.1:{ready['port']}",
                            "--allow-net", "127.0.0.0/8", "--scope", "any", "--delay", "0", "--contact", "tests@example.org", "-q"], check=True, capture_output=True)
            crawl = bowerbird.Crawl(folder + "/c")
            pages = list(crawl.pages())
            self.assertGreater(len(pages), 30)
            self.assertEqual(pages[0].url, ready["page"])
            self.assertEqual({page.status for page in pages}, {200})
            self.assertEqual(len(list(crawl.visits())), len(pages))
            self.assertIn(b"<html", crawl.body(pages[0]).lower())
            graph = bowerbird.Graph.open("synthetic:pages=60,seed=5")
            numbers = {graph.url(page): page for page in range(graph.pages)}
            for page, targets, followed in crawl.links():
                self.assertEqual(sorted({numbers[crawl.url(int(t))] for t in targets}), sorted(set(graph.out(numbers[crawl.url(page)]).tolist())))
                self.assertEqual(len(targets), len(followed))
            texts = list(crawl.texts())
            self.assertEqual(len(texts), len(pages))
            self.assertTrue(texts[0][1].text)
            self.assertGreaterEqual(crawl.graph().pages, len(pages))
            self.assertEqual(crawl.crawled, len(pages))
        with self.assertRaises(bowerbird.Error):
            bowerbird.Crawl("/no/such/crawl")


class PagesTest(unittest.TestCase):
    def test_urls(self):
        self.assertEqual(bowerbird.canonical_url("HTTP://Example.org:80/a/../b#c"), "http://example.org/b")
        self.assertEqual(bowerbird.canonical_url("x", "http://example.org/a/b"), "http://example.org/a/x")
        self.assertEqual(bowerbird.url_site("http://www.bbc.co.uk/"), "bbc.co.uk")
        with self.assertRaises(bowerbird.Error):
            bowerbird.canonical_url("javascript:void(0)")

    def test_robots(self):
        robots = bowerbird.Robots("User-agent: *\nDisallow: /x\nCrawl-delay: 3\nSitemap: http://a/s.xml\n", "mybot/1.0")
        self.assertFalse(robots.allows("http://a/x/y"))
        self.assertTrue(robots.allows("/z"))
        self.assertEqual(robots.crawl_delay, 3)
        self.assertEqual(robots.sitemaps, ["http://a/s.xml"])

    def test_pages(self):
        page = bowerbird.parse_page("<title>T</title><p>hello <a href='/b' rel=nofollow>there</a> all you people", "http://a/x")
        self.assertEqual(page.title, "T")
        self.assertEqual([(link.url, link.anchor, link.nofollow) for link in page.links], [("http://a/b", "there", True)])
        self.assertIn("hello", page.text)

    def test_refresh(self):
        self.assertIn("index-age", bowerbird.refresh_policies())
        days = bowerbird.refresh_days("index-age", 1, 0.1, 0.5)
        self.assertAlmostEqual(bowerbird.refresh_value("index-age", 1, 0.1, days), 0.5, 5)  # looked up in a table
        self.assertGreater(bowerbird.change_rate([(1, True)] * 5), bowerbird.change_rate([(1, False)] * 5))
        with self.assertRaises(bowerbird.Error):
            bowerbird.refresh_value("sometimes", 1, 1, 1)


if __name__ == "__main__":
    unittest.main()
