"""Whether the module bowerbird gives back what it takes: Python's memory by tracemalloc, and the program's own by the allocator.

Each test runs the same work again and again; after the first rounds neither may grow. Also run with AddressSanitizer
(tests/interfaces sanitizer), whose allocator is then asked.
"""
import asyncio
import ctypes
import gc
import pathlib
import tempfile
import tracemalloc
import unittest

import numpy as np

import bowerbird
from bowerbird import lab


class MallInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def native_bytes():
    """What malloc has handed out."""
    program = ctypes.CDLL(None)
    try:
        allocated = program.__sanitizer_get_current_allocated_bytes
    except AttributeError:
        program.mallinfo2.restype = MallInfo
        info = program.mallinfo2()
        return info.uordblks + info.hblkhd
    allocated.restype = ctypes.c_size_t
    return allocated()


class Backlink(bowerbird.Ordering):
    def seed(self, page, share):
        return 0.0

    def score(self, visit, pages, scores, is_new, other_host):
        scores += 1


class Broken(Backlink):
    def score(self, visit, pages, scores, is_new, other_host):
        raise KeyError("out of ideas")


class LeakTest(unittest.TestCase):
    def assert_gives_back(self, work, rounds=12, most=30_000):
        """`most`: bytes in all rounds; a leak of one object per call is larger."""
        for _ in range(4):
            work()
        gc.collect()
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        work()
        gc.collect()
        python, native = tracemalloc.get_traced_memory()[0], native_bytes()
        for _ in range(rounds):
            work()
        gc.collect()
        self.assertLess(tracemalloc.get_traced_memory()[0] - python, most, "Python objects leak")
        self.assertLess(native_bytes() - native, most + 10_000, "native memory leaks")

    def test_graphs(self):
        def work():
            graph = bowerbird.Graph.from_links(np.arange(2000, dtype=np.uint32), np.arange(2000, dtype=np.uint32)[::-1])
            targets, rank = graph.targets, graph.pagerank()
            del graph
            self.assertEqual(len(targets), len(rank))
            with self.assertRaises(bowerbird.Error):
                bowerbird.Graph.open("/no/such/graph")

        self.assert_gives_back(work)

    def test_lab_runs(self):
        graph = bowerbird.Graph.generate(pages=2000, seed=3)

        def work():
            lab.run(graph, ["bfs", "fpr@100"], seeds="top:2")
            lab.run(graph, Backlink, seeds=[0])
            with self.assertRaises(bowerbird.Error):
                lab.run(graph, Broken, seeds="top:2")

        self.assert_gives_back(work, rounds=8)

    def test_frontiers(self):
        def work():
            f = bowerbird.Frontier(policy="fpr@100")
            f.add([(f"http://a/{i}", b"x" * 100) for i in range(200)], 0)
            for i in range(200):
                found = f.next(i, gate=lambda queue: 0.0)
                f.complete(found.url, [f"http://b{j}/{i}" for j in range(5)], i, payload=b"y" * 100)
                f.why(found.url)
            list(f.urls())
            with self.assertRaises(TypeError):
                f.add([("http://a/", "text")], 0)
            with self.assertRaises(ZeroDivisionError):
                f.next(500, gate=lambda queue: 1 / 0)

        self.assert_gives_back(work)

    def test_frontiers_in_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            numbers = iter(range(1000))

            def work():
                path = pathlib.Path(folder, str(next(numbers)))
                with bowerbird.Frontier(path, Backlink) as f:
                    f.add(["http://a/"], 0)
                    f.complete(f.next(0).url, [(f"http://a/{i}", b"x") for i in range(200)], 0)
                    with self.assertRaises(bowerbird.Error):
                        bowerbird.Frontier(path)
                with bowerbird.Frontier(path, Backlink, memory=16 << 20) as f:
                    self.assertEqual(len(f.next_many(300, 1)), 200)

            self.assert_gives_back(work)

    def test_asyncio(self):
        async def main():
            f = bowerbird.Frontier(policy="bfs", delay=0.001)
            f.add([f"http://a/{i}" for i in range(20)])
            while (found := await f.next_ready()) is not None:
                f.complete(found.url)

        self.assert_gives_back(lambda: asyncio.run(main()), rounds=6)

    def test_pages(self):
        html = "<title>T</title>" + "<p>hello <a href='/b'>there</a> all you people" * 200

        def work():
            for _ in range(20):
                page = bowerbird.parse_page(html, "http://a/x")
                self.assertEqual(len([link.anchor for link in page.links]), 200)
                self.assertTrue(page.text and page.markdown)
                bowerbird.Robots("User-agent: *\nDisallow: /x\n", "bot").allows("http://a/x")
                with self.assertRaises(bowerbird.Error):
                    bowerbird.canonical_url("javascript:void(0)")

        self.assert_gives_back(work)


if __name__ == "__main__":
    unittest.main()
