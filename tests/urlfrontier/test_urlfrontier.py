"""The URLFrontier service with a client of its own: `./test --full interfaces` runs it.

The client is made from client.proto, which was written from the published interface alone. The folder of the stubs is in
PYTHONPATH (tests/interfaces makes them).
"""
import os
import pathlib
import random
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import grpc

import client_pb2 as pb
import client_pb2_grpc

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("BOWERBIRD_BINARY", str(ROOT / "build/release/bowerbird"))


def discovered(url, parent=None, key="", crawl="", identity="", created=0, **metadata):
    info = pb.Info(url=url, key=key, crawlID=crawl)
    for name, value in metadata.items():
        info.metadata[name].values.extend(value)
    if parent is not None:
        info.metadata["url.path"].values.extend(parent if isinstance(parent, list) else [parent])
    return pb.Item(discovered=pb.Discovered(info=info), ID=identity, creation_date=created)


def known(url, date=0, crawl="", key="", **metadata):
    info = pb.Info(url=url, crawlID=crawl, key=key)
    for name, value in metadata.items():
        info.metadata[name].values.extend(value)
    return pb.Item(known=pb.Known(info=info, refetchable_from_date=date))


class Service:
    """A service on a folder, which can be killed and started again."""

    def __init__(self, folder, *options):
        self.folder, self.options = folder, options
        self.start()

    def start(self):
        self.process = subprocess.Popen([BINARY, "frontier", "serve", "--data", self.folder, "--listen", "127.0.0.1:0",
                                         *self.options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith("ready "):
            raise RuntimeError(self.process.stderr.read())
        self.address = ready.split("listen=")[1].split()[0]
        self.channel = grpc.insecure_channel(self.address)
        self.stub = client_pb2_grpc.URLFrontierStub(self.channel)

    def end(self, how=signal.SIGTERM):
        self.channel.close()
        self.process.send_signal(how)
        code = self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def kill(self):
        self.end(signal.SIGKILL)
        self.start()

    # ---- Calls

    def put(self, *items):
        return {ack.ID: ack.status for ack in self.stub.PutURLs(iter(items))}

    def get(self, queues=0, per_queue=0, crawl=None, lease=0, key="", any_crawl=False):
        asked = pb.Get(max_urls_per_queue=per_queue, max_queues=queues, delay_requestable=lease, key=key)
        if any_crawl:
            asked.anyCrawlID.SetInParent()
        elif crawl is not None:
            asked.crawlID = crawl
        return [info.url for info in self.stub.GetURLs(asked)]

    def stats(self, key="", crawl=""):
        return self.stub.GetStats(pb.Queue(key=key, crawlID=crawl))

    def no_delay(self):
        self.stub.SetDelay(pb.Delay(delay_requestable=0))


class UrlFrontierTest(unittest.TestCase):
    options = ()

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.service = Service(self.temporary.name + "/data", *self.options)

    def tearDown(self):
        if self.service.process.returncode is None:
            self.assertEqual(self.service.end(), 0)
        self.temporary.cleanup()

    def test_urls_go_in_and_come_out(self):
        s = self.service
        acks = s.put(discovered("http://a/1", identity="one"), discovered("http://a/2"), discovered("http://b/1"),
                     discovered("not a URL"), discovered("http://a/1"), pb.Item(ID="empty"))
        self.assertEqual(acks, {"one": pb.Ack.OK, "http://a/2": pb.Ack.OK, "http://b/1": pb.Ack.OK,
                                "not a URL": pb.Ack.SKIPPED, "http://a/1": pb.Ack.SKIPPED, "empty": pb.Ack.SKIPPED})
        self.assertEqual(sorted(s.get(per_queue=1)), ["http://a/1", "http://b/1"])
        self.assertEqual(s.get(per_queue=1), [])  # the delay of a second has not passed, and both are in process
        s.no_delay()
        self.assertEqual(s.get(per_queue=1), [])  # one of each queue is in process
        self.assertEqual(s.get(per_queue=2), ["http://a/2"])
        stats = s.stats()
        self.assertEqual((stats.size, stats.inProcess, stats.numberOfQueues, stats.crawlID), (3, 3, 2, "DEFAULT"))
        s.put(known("http://a/1"), known("http://a/2", date=int(time.time()) - 5), known("http://b/1", date=int(time.time()) + 3600))
        self.assertEqual(s.get(), ["http://a/2"])
        self.assertEqual(s.stats().counts["completed"], 3)
        self.assertEqual(s.stats().size, 2)

    def test_defaults(self):
        s = self.service
        s.put(discovered("http://a.example:8080/1"), discovered("http://a.example/2", crawl="DEFAULT"))
        self.assertEqual(list(s.stub.ListCrawls(pb.Flag()).values), ["DEFAULT"])
        self.assertEqual(list(s.stub.ListQueues(pb.Page()).values), ["a.example"])
        first = time.time()
        self.assertEqual(len(s.get(queues=1, per_queue=1, crawl="")), 1)
        self.assertEqual(s.get(queues=1, per_queue=9), [])
        while not s.get(queues=1, per_queue=9):
            time.sleep(0.02)
        self.assertGreater(time.time() - first, 0.9)  # the delay of a queue is a second
        item = s.stub.GetURLStatus(pb.StatusOf(url="http://a.example:8080/1"))
        lease = item.known.refetchable_from_date - first
        self.assertTrue(25 < lease < 35, lease)  # a lease is 30 seconds

    def test_importance_comes_first(self):
        s = self.service
        s.no_delay()
        s.put(discovered("http://seed/"))
        self.assertEqual(s.get(), ["http://seed/"])
        # The last value of url.path is the parent. The hub is found by two pages, the others by one.
        s.put(*(discovered(f"http://h{i}/", parent=["http://other/", "http://seed/"]) for i in range(5)))
        self.assertEqual(s.get(), [])  # links wait for their page
        s.put(known("http://seed/"))
        self.assertEqual(len(s.get(queues=5, per_queue=1)), 5)
        for i in (1, 2, 3):
            s.put(discovered(f"http://single{i}/", parent=f"http://h{i}/"), discovered("http://hub/", parent=f"http://h{i}/"),
                  known(f"http://h{i}/"))
        self.assertEqual(s.get(queues=1, per_queue=1), ["http://hub/"])
        counts = s.stats().counts
        self.assertEqual((counts["links"], counts["links_without_parent"]), (12, 1))
        self.assertEqual(counts["links_without_parent_percent"], 8)

    def test_batches(self):
        s = self.service
        s.no_delay()
        s.put(discovered("http://seed/"))
        s.get()
        batches = [pb.Batch(ID="http://seed/", items=[pb.Info(url="http://x/"), pb.Info(url="bad"), pb.Info(url="http://x/")]),
                   pb.Batch(ID="just a name", items=[pb.Info(url="http://y/")]), pb.Batch(ID="empty")]
        answers = list(s.stub.PutDiscovered(iter(batches)))
        self.assertEqual([a.ID for a in answers], ["http://seed/", "just a name", "empty"])
        self.assertEqual([list(a.statuses) for a in answers], [[0, 1, 1], [0], []])
        self.assertEqual(s.get(), ["http://y/"])  # x waits for its parent
        s.put(known("http://seed/"))
        self.assertEqual(s.get(), ["http://x/"])

    def test_metadata_is_kept(self):
        s = self.service
        s.put(discovered("http://a/", depth=["1"], colours=["red", "green"]))
        info = next(iter(s.stub.GetURLs(pb.Get())))
        self.assertEqual({k: list(v.values) for k, v in info.metadata.items()}, {"depth": ["1"], "colours": ["red", "green"]})
        self.assertEqual((info.key, info.crawlID), ("a", "DEFAULT"))
        s.put(known("http://a/", status=["200"]))
        item = s.stub.GetURLStatus(pb.StatusOf(url="http://a/", key="a"))
        self.assertEqual({k: list(v.values) for k, v in item.known.info.metadata.items()}, {"status": ["200"]})
        self.assertEqual(item.known.refetchable_from_date, 0)
        for wrong in (pb.StatusOf(url="http://b/"), pb.StatusOf(url="http://a/", key="b"), pb.StatusOf(url="http://a/", crawlID="c")):
            with self.assertRaises(grpc.RpcError) as raised:
                s.stub.GetURLStatus(wrong)
            self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)

    def test_crawls_are_independent(self):
        s = self.service
        s.no_delay()
        odd = "crawl/.. ä%"
        s.put(discovered("http://a/"), discovered("http://a/", crawl="two"), discovered("http://c/", crawl=odd))
        self.assertEqual(sorted(s.stub.ListCrawls(pb.Flag()).values), sorted(["DEFAULT", "two", odd]))
        self.assertEqual(s.get(crawl="two"), ["http://a/"])
        self.assertEqual(sorted(s.get(any_crawl=True)), ["http://a/", "http://c/"])
        s.put(known("http://c/", crawl=odd), discovered("http://d/", crawl=odd), discovered("http://e/", crawl="two"))
        self.assertEqual(sorted(s.get(any_crawl=True, queues=2)), ["http://d/", "http://e/"])
        s.kill()
        self.assertEqual(s.stub.DeleteCrawl(pb.CrawlToDelete(value=odd)).value, 2)
        self.assertEqual(s.stub.DeleteCrawl(pb.CrawlToDelete(value="nobody")).value, 0)
        s.kill()
        self.assertEqual(sorted(s.stub.ListCrawls(pb.Flag()).values), ["DEFAULT", "two"])
        self.assertEqual(s.put(discovered("http://c/", crawl=odd)), {"http://c/": pb.Ack.OK})

    def test_queues(self):
        s = self.service
        s.no_delay()
        s.put(*(discovered(f"http://{h}/{i}", key=k) for h, k in (("a", ""), ("b", ""), ("c", "other")) for i in range(3)))
        listed = s.stub.ListQueues(pb.Page(start=1, size=1))
        self.assertEqual((list(listed.values), listed.total, listed.start, listed.size), (["b"], 3, 1, 1))
        s.stub.BlockQueueUntil(pb.Block(key="a", time=int(time.time()) + 1000))
        self.assertEqual(list(s.stub.ListQueues(pb.Page()).values), ["b", "other"])
        self.assertEqual(len(s.stub.ListQueues(pb.Page(include_inactive=True)).values), 3)
        self.assertEqual(len(s.get()), 6)
        s.stub.BlockQueueUntil(pb.Block(key="a", time=0))
        s.stub.SetCrawlLimit(pb.Limit(key="a", limit=2))
        self.assertEqual(len(s.get(key="a")), 2)
        s.stub.SetCrawlLimit(pb.Limit(key="a", limit=0, local=True))
        s.stub.SetDelay(pb.Delay(key="a", delay_requestable=1000))
        self.assertEqual(s.get(key="a"), [])
        self.assertEqual(s.stats(key="other").size, 3)
        self.assertEqual(s.stats(key="nobody").size, 0)
        self.assertEqual(s.stub.DeleteQueue(pb.Queue(key="other")).value, 3)
        self.assertEqual(s.stub.DeleteQueue(pb.Queue(key="nobody")).value, 0)
        self.assertEqual(s.stub.CountURLs(pb.Count()).value, 6)
        for call in (lambda: s.stub.DeleteQueue(pb.Queue()), lambda: s.stub.BlockQueueUntil(pb.Block()),
                     lambda: s.stub.SetCrawlLimit(pb.Limit()), lambda: s.stub.SetLogLevel(pb.Level(level=9)),
                     lambda: s.stub.GetURLStatus(pb.StatusOf(url="x"))):
            with self.assertRaises(grpc.RpcError) as raised:
                call()
            self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)

    def test_lists_and_counts(self):
        s = self.service
        s.put(*(discovered(f"http://a/Page{i}") for i in range(250)), discovered("http://b/"))
        self.assertEqual(len(list(s.stub.ListURLs(pb.List()))), 100)
        urls = [item.known.info.url for item in s.stub.ListURLs(pb.List(start=249, size=9))]
        self.assertEqual(urls, ["http://a/Page249", "http://b/"])
        self.assertEqual(len(list(s.stub.ListURLs(pb.List(key="b")))), 1)
        self.assertEqual(len(list(s.stub.ListURLs(pb.List(filter="page1", ignoreCase=True, size=1000)))), 111)
        self.assertEqual(list(s.stub.ListURLs(pb.List(filter="page1", size=1000))), [])
        self.assertEqual(s.stub.CountURLs(pb.Count(key="a")).value, 250)
        self.assertEqual(s.stub.CountURLs(pb.Count(filter="Page24")).value, 11)
        self.assertEqual(s.stub.CountURLs(pb.Count(filter="PAGE24", ignoreCase=True, key="b")).value, 0)

    def test_old_urls_are_purged(self):
        s = self.service
        old = int(time.time()) - 10 * 24 * 3600
        s.put(discovered("http://a/old", created=old), discovered("http://a/new"), discovered("http://b/old", created=old))
        s.put(known("http://a/old", date=int(time.time()) + 100))  # keeps its date of creation
        self.assertEqual(s.stub.GetURLStatus(pb.StatusOf(url="http://a/old")).creation_date, old)
        self.assertEqual(s.stub.PurgeURLs(pb.Purge(days=11)).value, 0)
        self.assertEqual(s.stub.PurgeURLs(pb.Purge(days=5, key="a")).value, 1)
        self.assertEqual(s.stub.PurgeURLs(pb.Purge(days=5)).value, 1)
        self.assertEqual(s.stub.CountURLs(pb.Count()).value, 1)

    def test_the_service_pauses(self):
        s = self.service
        s.put(discovered("http://a/"))
        self.assertTrue(s.stub.GetActive(pb.Flag()).state)
        s.stub.SetActive(pb.ActiveState(state=False))
        self.assertEqual(s.get(), [])
        s.kill()
        self.assertFalse(s.stub.GetActive(pb.Flag()).state)
        self.assertEqual(s.put(discovered("http://b/", crawl="new")), {"http://b/": pb.Ack.OK})
        self.assertEqual(s.get(any_crawl=True), [])
        s.stub.SetActive(pb.ActiveState(state=True))
        self.assertEqual(len(s.get(any_crawl=True)), 2)

    def test_nodes_and_logs(self):
        self.assertEqual(list(self.service.stub.ListNodes(pb.Nothing()).values), [self.service.address])
        for level in range(5):
            self.service.stub.SetLogLevel(pb.Level(level=level, package="any"))

    def test_settings_survive_a_kill(self):
        s = self.service
        s.put(*(discovered(f"http://a/{i}") for i in range(5)), discovered("http://b/"), discovered("http://c/"))
        s.stub.SetDelay(pb.Delay(key="a", delay_requestable=1000))
        s.stub.BlockQueueUntil(pb.Block(key="b", time=int(time.time()) + 1000))
        s.stub.SetCrawlLimit(pb.Limit(key="c", limit=1))
        s.stub.SetDelay(pb.Delay(delay_requestable=0))
        self.assertEqual(len(s.get(per_queue=1)), 2)
        s.kill()
        # a: served a moment ago, and c: leased; b: blocked; d: no delay.
        self.assertEqual(s.get(), [])
        self.assertEqual(s.stats().inProcess, 2)
        s.put(discovered("http://d/1"), discovered("http://d/2"), discovered("http://c/2"))
        self.assertEqual(sorted(s.get(per_queue=1)), ["http://d/1"])
        self.assertEqual(sorted(s.get(per_queue=2)), ["http://d/2"])

    def test_leases_end(self):
        s = self.service
        s.no_delay()
        s.put(discovered("http://a/"))
        self.assertEqual(s.get(lease=5), ["http://a/"])
        s.kill()
        self.assertEqual(s.get(), [])
        found, end = [], time.time() + 30
        while not found and time.time() < end:
            found = s.get(lease=1)
            time.sleep(0.02)
        self.assertEqual(found, ["http://a/"])
        self.assertEqual(s.stats().counts["expired"], 1)

    def test_a_kill_between_any_two_calls(self):
        """A crawl of a small web, killed between calls, hands out every URL and loses no acknowledged one."""
        s, rng = self.service, random.Random(7)
        web = {f"http://h{i % 7}/{i}": [f"http://h{j % 7}/{j}" for j in (2 * i + 1, 2 * i + 2, i // 3) if j < 60]
               for i in range(60)}
        s.no_delay()
        s.put(discovered("http://h0/0"))
        fetched, kills = [], 0
        while True:
            if rng.random() < 0.3:
                s.kill()
                kills += 1
            urls = s.get(queues=3, per_queue=1, lease=3600)
            if not urls:
                break
            for url in urls:
                links = [discovered(link, parent=url) for link in web[url]]
                acks = s.put(*links)
                self.assertNotIn(pb.Ack.FAIL, acks.values())
                if rng.random() < 0.3:
                    s.kill()
                    kills += 1
                self.assertEqual(s.put(known(url)), {url: pb.Ack.OK})
                fetched.append(url)
        self.assertGreater(kills, 10)
        self.assertEqual(sorted(fetched), sorted(web))
        self.assertEqual(s.stats().counts["completed"], 60)
        self.assertEqual(s.stats().counts["links_without_parent"], 1)

    def test_a_kill_during_a_stream_keeps_what_was_acknowledged(self):
        s, acknowledged = self.service, []
        try:
            for ack in s.stub.PutURLs(discovered(f"http://a/{i}") for i in range(1_000_000)):
                acknowledged.append(ack.ID)
                if len(acknowledged) == 3000:
                    s.process.kill()
        except grpc.RpcError:
            pass
        s.kill()
        self.assertGreaterEqual(len(acknowledged), 3000)
        self.assertGreaterEqual(s.stub.CountURLs(pb.Count()).value, len(acknowledged))
        stored = {item.known.info.url for item in s.stub.ListURLs(pb.List(size=2_000_000))}
        self.assertEqual(set(acknowledged) - stored, set())

    def test_clients_that_vanish_and_broken_messages(self):
        s = self.service
        host, port = s.address.split(":")
        for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(5000), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + os.urandom(500)):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(noise)
        broken, code = b"\xff\xff\xff\xff\xff", grpc.StatusCode.INVALID_ARGUMENT
        for name, kind in (("GetStats", "QueueWithinCrawlParams"), ("ListCrawls", "Local"), ("SetDelay", "QueueDelayParams"),
                           ("PurgeURLs", "PurgeUrlParams")):
            with self.assertRaises(grpc.RpcError) as raised:
                s.channel.unary_unary("/urlfrontier.URLFrontier/" + name)(broken)
            self.assertEqual((raised.exception.code(), raised.exception.details()), (code, f"the message is broken: it is no urlfrontier.{kind}"))
        with self.assertRaises(grpc.RpcError) as raised:
            list(s.channel.unary_stream("/urlfrontier.URLFrontier/GetURLs")(broken))
        self.assertEqual(raised.exception.code(), code)
        # A broken message ends its stream with the reason; what came before it is acknowledged.
        good = discovered("http://first/").SerializeToString()
        for name, messages in (("PutURLs", [good, good.replace(b"first", b"\xff\xfe\xfd\xfc\xfb")]),
                               ("PutDiscovered", [pb.Batch(ID="x").SerializeToString(), broken])):
            stream, answers = s.channel.stream_stream("/urlfrontier.URLFrontier/" + name)(iter(messages)), []
            with self.assertRaises(grpc.RpcError) as raised:
                answers.extend(stream)
            self.assertEqual(raised.exception.code(), code)
            self.assertIn("message 2 of the stream: the message is broken", raised.exception.details())
        self.assertEqual(s.stub.GetURLStatus(pb.StatusOf(url="http://first/")).known.info.url, "http://first/")
        call = s.stub.PutURLs(iter([discovered("http://a/")] * 10))
        next(call)
        call.cancel()
        with self.assertRaises(grpc.RpcError):
            s.stub.GetStats(pb.Queue(key="x" * (20 << 20)))
        self.assertEqual(s.put(discovered("http://a/" + "x" * 9000), discovered("http://b/", key="k" * 300)).values().__len__(), 2)
        self.assertEqual(s.stub.CountURLs(pb.Count()).value, 2)

    def test_what_is_too_large_is_refused(self):
        s = self.service
        s.no_delay()
        key = "k" * 300
        for call in (lambda: s.stub.SetDelay(pb.Delay(key=key, delay_requestable=5)), lambda: s.stub.BlockQueueUntil(pb.Block(key=key, time=5)),
                     lambda: s.stub.SetCrawlLimit(pb.Limit(key=key, limit=5)), lambda: s.stub.SetDelay(pb.Delay(key="a", crawlID="c" * 300))):
            with self.assertRaises(grpc.RpcError) as raised:
                call()
            self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
            self.assertIn("too long", raised.exception.details())
        # Most clients accept no answers of more than 4 MiB, so such a URL would stop them all.
        large = ["x" * (5 << 20)]
        self.assertEqual(s.put(discovered("http://large/", note=large), discovered("http://a/", note=["small"]), discovered("http://b/", crawl="c" * 300)),
                         {"http://large/": pb.Ack.SKIPPED, "http://a/": pb.Ack.OK, "http://b/": pb.Ack.SKIPPED})
        self.assertEqual(s.get(), ["http://a/"])
        self.assertEqual(s.put(known("http://a/", note=large)), {"http://a/": pb.Ack.OK})
        self.assertEqual(s.stub.GetURLStatus(pb.StatusOf(url="http://a/")).known.info.metadata["note"].values[0], "small")

    def test_many_streams_at_once(self):
        from concurrent.futures import ThreadPoolExecutor
        s = self.service

        def put(stream):
            return sum(ack.status == pb.Ack.OK for ack in s.stub.PutURLs(discovered(f"http://h{i % 50}/{i}") for i in range(stream, 4000, 2)))

        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(sum(pool.map(put, [0, 0, 1, 1, 0, 1, 0, 1])), 4000)
        self.assertEqual(s.stats().numberOfQueues, 50)

    def test_a_second_service_on_the_folder_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "in use"):
            Service(self.service.folder)


class OptionsTest(unittest.TestCase):
    def refuse(self, *options):
        done = subprocess.run([BINARY, "frontier", "serve", *options], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_help_works_without_the_service(self):
        with tempfile.TemporaryDirectory() as folder:
            os.link(BINARY, folder + "/bowerbird") if os.stat(folder).st_dev == os.stat(BINARY).st_dev else \
                subprocess.run(["cp", BINARY, folder + "/bowerbird"], check=True)
            done = subprocess.run([folder + "/bowerbird", "frontier", "serve", "--help"], capture_output=True, text=True, check=True)
            self.assertIn("--listen", done.stdout)
            done = subprocess.run([folder + "/bowerbird", "frontier", "serve", "--data", folder + "/d"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("this build has no URLFrontier service", done.stderr)

    def test_wrong_options(self):
        self.assertIn("--insecure", self.refuse("--data", "d", "--listen", "0.0.0.0:0"))
        self.assertIn("--tls-key", self.refuse("--data", "d", "--tls-cert", "x"))
        self.assertIn("is not an address", self.refuse("--data", "d", "--listen", "somewhere"))
        self.assertIn("16 MiB", self.refuse("--data", "d", "--memory", "1M"))
        self.assertIn("no-such", self.refuse("--data", "d", "--policy", "no-such"))
        self.assertFalse(os.path.exists("d"))

    def test_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out",
                            folder + "/cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                           check=True, capture_output=True)
            s = Service(folder + "/data", "--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem",
                        "--tls-client-ca", folder + "/cert.pem")
            cert, key = (pathlib.Path(folder, name).read_bytes() for name in ("cert.pem", "key.pem"))
            port = s.address.rsplit(":", 1)[1]

            def count(credentials):
                with grpc.secure_channel("localhost:" + port, credentials) as channel:
                    return client_pb2_grpc.URLFrontierStub(channel).CountURLs(pb.Count(), timeout=20).value

            with self.assertRaises(grpc.RpcError):
                s.stub.CountURLs(pb.Count(), timeout=5)
            with self.assertRaises(grpc.RpcError):
                count(grpc.ssl_channel_credentials(cert))
            self.assertEqual(count(grpc.ssl_channel_credentials(cert, key, cert)), 0)
            self.assertEqual(s.end(), 0)


class BoundedMemoryTest(UrlFrontierTest):
    """The same with a memory limit, and every acknowledgement synced."""
    options = ("--memory", "20M", "--durable", "--policy", "fpr@100")

    test_a_second_service_on_the_folder_is_refused = None
    test_importance_comes_first = None


if __name__ == "__main__":
    unittest.main()
