#!/usr/bin/env python3
"""What watching costs: CPU time per page of a crawl, alone and with 100 event streams and 1,000 slow clients.

usage: bench/watch.py [BOWERBIRD [PAGES [ROUNDS]]]. Serves a synthetic Web and crawls it several times in turn, with and
without the clients. Fails if an event stream stays silent or pages are missing.

How much CPU time per page does the crawler need more if 100 clients follow its event stream and 1,000 send a request at
a byte per second, and connect again when they are disconnected? Crawls of a synthetic Web on loopback without delays, with
and without the clients in turn; the clients are another process and do not count. The goal is less than 5 %.
"""
import json, os, pathlib, re, resource, socket, statistics, subprocess, sys, tempfile, threading, time

STREAMS, SLOW = 100, 1000
root = pathlib.Path(__file__).resolve().parent.parent


def serve(program):
    web = subprocess.Popen([program, "web", "serve", "synthetic:pages=200k", "--port", "0"], stdout=subprocess.PIPE, text=True)
    for line in web.stdout:
        found = re.search(r"(127\.0\.0\.1:\d+)", line)
        if found:
            return web, found.group(1)
    sys.exit("the test Web did not start")


def seed_of(program):
    out = subprocess.run([program, "graph", "info", "synthetic:pages=200k", "--json"], capture_output=True, text=True)
    found = re.search(r'"http[^"]*"', out.stdout)
    return found.group(0).strip('"') if found else "http://www.lafido.com/"


class Clients:
    """A thread that reads the streams and sends the slow requests; disconnected clients reconnect."""

    def __init__(self, port):
        self.port, self.running, self.again = port, True, 0
        self.events = [0] * STREAMS
        self.streams = [self.connect() for _ in range(STREAMS)]
        for s in self.streams:
            s.send(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.slow = [self.connect() for _ in range(SLOW)]
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def connect(self):
        s = socket.create_connection(("127.0.0.1", self.port))
        s.setblocking(False)
        return s

    def work(self):
        head = b"GET /api/v1/status HTTP/1.1\r\nX: " + b"a" * 8000
        at = 0
        while self.running:
            began = time.monotonic()
            for i, s in enumerate(self.streams):
                try:
                    self.events[i] += s.recv(1 << 16).count(b"event: status")
                except OSError:
                    pass
            for i in range(at % 5, SLOW, 5):  # each once per second
                s = self.slow[i]
                try:
                    s.send(head[at // 5 % len(head):at // 5 % len(head) + 1])
                except BlockingIOError:
                    pass
                except OSError:
                    s.close()
                    try:
                        self.slow[i] = self.connect()
                        self.again += 1
                    except OSError:
                        pass  # the crawl has ended
            at += 1
            time.sleep(max(0.01, 0.2 - (time.monotonic() - began)))

    def stop(self):
        self.running = False
        self.thread.join()
        for s in self.streams + self.slow:
            s.close()


def crawl(program, address, seed, pages, watched):
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "crawl", seed, "--out", folder + "/c", "--scope", "any", "--connect-to", address, "--allow-net",
                 "127.0.0.0/8", "--delay", "0", "--contact", "bench@example.org", "--pages", str(pages), "--no-report",
                 "--json", "--listen", "127.0.0.1:0"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = run.stderr.readline()
        port = int(re.search(r":(\d+)/", line).group(1))
        clients = Clients(port) if watched else None
        out, _ = run.communicate()
        if clients:
            clients.stop()
            if min(clients.events) == 0:
                sys.exit("an event stream stayed silent")
            print(f"  {sum(clients.events)} events, {clients.again} connected again", file=sys.stderr)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = json.loads(out.strip().splitlines()[-1])["pages"]
        if done != pages:
            sys.exit(f"{done} of {pages} pages")
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / done


def main():
    given = sys.argv[1:]
    program = os.path.abspath(given[0]) if given else str(root / "build/release/bowerbird")
    pages, rounds = int(given[1]) if len(given) > 1 else 40_000, int(given[2]) if len(given) > 2 else 4
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    web, address = serve(program)
    try:
        seed = seed_of(program)
        alone, watched = [], []
        for _ in range(rounds):
            alone.append(1e6 * crawl(program, address, seed, pages, False))
            watched.append(1e6 * crawl(program, address, seed, pages, True))
            print(f"alone {alone[-1]:.0f} us, watched {watched[-1]:.0f} us", file=sys.stderr)
    finally:
        web.terminate()
        web.wait()
    row = lambda name, list: f"| {name} | {statistics.median(list):.0f} | {min(list):.0f} | {max(list):.0f} |"
    print(" ".join(__doc__.split("\n\n")[2].split()), "",
          f"| {pages:,} pages, {rounds} crawls each | CPU us per page, median | least | most |", "|---|---|---|---|",
          row("alone", alone), row(f"{STREAMS} streams, {SLOW:,} slow clients", watched),
          f"| ratio | {statistics.median(watched) / statistics.median(alone):.3f} | {min(watched) / min(alone):.3f} | {max(watched) / max(alone):.3f} |", sep="\n")


main()
