#!/usr/bin/env python3
"""What watching costs: CPU time per page of a crawl, with and without 100 event streams and 1,000 slow clients.

usage: bench/watch.py [BOWERBIRD [BLOCKS [SECONDS]]]. Fails if an event stream stays silent or the crawl ends early.

How much more CPU time per page does the crawler need while 100 clients follow its event stream and 1,000 send a request at
a byte per second, and connect again when they are disconnected? One crawl of a synthetic Web on loopback without delays
runs on one core; the Web, the clients and another crawl, which is paused, run on the other. In turn the clients are those
of this crawl and of the paused one, in blocks of four short slices (this, other, other, this), so that what the clients
take from the machine is always the same, and a slow change of the crawl cancels out. CPU time is that of all threads of the
crawler, system time included; the time in which all clients connect at once does not count. Each slow client begins at a
time of its own, so that about a hundred per second are disconnected and come again. The result is the median of the ratios
of the blocks, with the range that contains the true median with a probability of 95 %. What clients cost is CPU time per
second: the faster the crawl, the less it is per page. The goal is less than 5 %.
"""
import json, math, os, pathlib, random, re, resource, signal, socket, statistics, subprocess, sys, tempfile
import threading, time, urllib.request

ORDER = ["here", "elsewhere", "elsewhere", "here"]  # whose clients there are, in a block
STREAMS, SLOW, PATIENCE = 100, 1000, 10  # PATIENCE: seconds after which the server disconnects a slow client
PAUSE = 0.5  # seconds before a slice, until all clients are connected
WEB = "synthetic:pages=20M"
root = pathlib.Path(__file__).resolve().parent.parent


def serve(program):
    web = subprocess.Popen([program, "web", "serve", WEB, "--port", "0"], stdout=subprocess.PIPE, text=True)
    for line in web.stdout:
        found = re.search(r"^ready port=(\d+) .* page=(\S+)$", line)
        if found:
            return web, "127.0.0.1:" + found.group(1), found.group(2)
    sys.exit("the test Web did not start")


class Clients:
    """A thread that reads the streams and sends the slow requests; disconnected clients reconnect."""

    def __init__(self, port):
        self.port, self.running, self.again = port, True, 0
        self.events = [0] * STREAMS
        self.streams = [self.connect() for _ in range(STREAMS)]
        for s in self.streams:
            s.send(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.slow = [self.connect() for _ in range(SLOW)]
        self.first = [random.uniform(0, PATIENCE) for _ in range(SLOW)]  # the first connections are left in turn
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def connect(self):
        s = socket.create_connection(("127.0.0.1", self.port))
        s.setblocking(False)
        return s

    def feed(self, i, byte):
        s = self.slow[i]
        try:
            if self.first[i] > time.monotonic() - self.began:
                s.send(byte)
                return
            if self.first[i] == 0:
                s.send(byte)
                s.recv(1, socket.MSG_PEEK)  # the end of the connection
        except BlockingIOError:
            return
        except OSError:
            pass
        self.first[i] = 0
        s.close()
        try:
            self.slow[i] = self.connect()
            self.again += 1
        except OSError:
            pass  # the crawl has ended

    def work(self):
        head = b"GET /api/v1/status HTTP/1.1\r\nX: " + b"a" * 8000
        at, self.began = 0, time.monotonic()
        while self.running:
            turn = time.monotonic()
            for i, s in enumerate(self.streams):
                try:
                    self.events[i] += s.recv(1 << 20).count(b"event: status")
                except OSError:
                    pass
            for i in range(at % 5, SLOW, 5):  # each once per second
                self.feed(i, head[at // 5 % len(head):at // 5 % len(head) + 1])
            at += 1
            time.sleep(max(0.01, 0.2 - (time.monotonic() - turn)))

    def stop(self):
        self.running = False
        self.thread.join()
        for s in self.streams + self.slow:
            s.close()
        if min(self.events) == 0:
            sys.exit("an event stream stayed silent")


class Crawl:
    def __init__(self, program, address, seed, folder, core):
        self.folder = folder
        words = [program, "crawl", seed, "--out", folder, "--scope", "any", "--connect-to", address, "--allow-net",
                 "127.0.0.0/8", "--delay", "0", "--contact", "bench@example.org", "--no-report", "--listen", "127.0.0.1:0"]
        self.run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, core))
        for line in self.run.stderr:
            if found := re.search(r"live page: http://127\.0\.0\.1:(\d+)/", line):
                break
        else:
            sys.exit("the crawl did not start")
        self.port = int(found.group(1))
        threading.Thread(target=self.run.stderr.read, daemon=True).start()

    def now(self):
        """CPU seconds of the process, including threads that have ended, and of each thread; pages; time."""
        threads = {}
        for task in pathlib.Path(f"/proc/{self.run.pid}/task").iterdir():
            try:
                threads[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
            except OSError:
                pass  # it has just ended
        cpu = time.clock_gettime(~self.run.pid << 3 | 2)  # the CPU clock of another process
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/status") as answer:
            status = json.load(answer)
        if status["phase"] != "running":
            sys.exit("the crawl has ended early")
        return cpu, threads, status["completed"], time.monotonic()

    def measure(self, seconds):
        """CPU seconds per page, pages per second and CPU seconds per second of each thread."""
        time.sleep(PAUSE)
        before, threads, pages, began = self.now()
        time.sleep(seconds)
        after, more, done, ended = self.now()
        return (after - before) / (done - pages), (done - pages) / (ended - began), \
            {name: (more[name] - threads.get(name, 0)) / (ended - began) for name in more}

    def end(self):
        self.run.send_signal(signal.SIGINT)
        self.run.wait()


def blocks_of(crawl, other, blocks, seconds):
    rows = {"elsewhere": [], "here": []}
    ratios = []
    for turn in range(blocks):
        for name in ORDER:
            clients = Clients((crawl if name == "here" else other).port)
            rows[name].append(crawl.measure(seconds))
            clients.stop()
        cpu = {name: sum(row[0] for row in list[-2:]) / 2 for name, list in rows.items()}
        ratios.append(cpu["here"] / cpu["elsewhere"])
        print(f"block {turn + 1}: elsewhere {1e6 * cpu['elsewhere']:.1f} us, here {1e6 * cpu['here']:.1f} us, ratio {ratios[-1]:.3f}", file=sys.stderr)
    return rows, ratios


def range_of_median(values):
    """The order statistics between which the median is with a probability of 95 %."""
    n, total, rank = len(values), 0.0, 0
    while rank < n // 2 and total + math.comb(n, rank) / 2 ** n <= 0.025:
        total += math.comb(n, rank) / 2 ** n
        rank += 1
    ordered = sorted(values)
    return ordered[max(rank - 1, 0)], ordered[n - max(rank, 1)]


def server_share(rows):
    """CPU seconds per second, and share of the crawler's, of the thread that clients make busier most: the server's."""
    mean = lambda list: {name: sum(row[2].get(name, 0) for row in list) / len(list) for name in list[0][2]}
    alone, watched = mean(rows["elsewhere"]), mean(rows["here"])
    growth = {name: watched[name] / max(alone[name], 1e-4) for name in watched if name in alone and watched[name] > 0.001}
    if not growth:
        return 0, 0
    used = watched[max(growth, key=growth.get)]
    return used, used / sum(watched.values())


def main():
    given = sys.argv[1:]
    program = os.path.abspath(given[0]) if given else str(root / "build/release/bowerbird")
    blocks = int(given[1]) if len(given) > 1 else 30
    seconds = float(given[2]) if len(given) > 2 else 2
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    cores = sorted(os.sched_getaffinity(0))
    own = {cores[0]}
    os.sched_setaffinity(0, set(cores) - own or own)  # of this process and the Web
    web, address, seed = serve(program)
    try:
        with tempfile.TemporaryDirectory() as folder:
            crawl = Crawl(program, address, seed, f"{folder}/here", own)
            other = Crawl(program, address, seed, f"{folder}/elsewhere", os.sched_getaffinity(0))
            try:
                subprocess.run([program, "ctl", other.folder, "pause"], check=True, stdout=subprocess.DEVNULL)
                time.sleep(5)  # until it has found enough hosts
                rows, ratios = blocks_of(crawl, other, blocks, seconds)
            finally:
                crawl.end()
                other.end()
    finally:
        web.terminate()
        web.wait()

    def row(name, list):
        cpu = [1e6 * one[0] for one in list]
        return (f"| {name} | {statistics.median(cpu):.1f} | {min(cpu):.1f} | {max(cpu):.1f} | "
                f"{statistics.median(one[1] for one in list):,.0f} |")
    low, high = range_of_median(ratios)
    print(" ".join(__doc__.split("\n\n")[2].split()), "",
          f"| {blocks} blocks of {len(ORDER)} × {seconds:g} s | CPU us per page, median | least | most | pages/s |",
          "|---|---|---|---|---|", row(f"{STREAMS} streams, {SLOW:,} slow clients of another crawl", rows["elsewhere"]),
          row("the same of this crawl", rows["here"]), "",
          f"CPU time per page grows by {statistics.median(ratios) - 1:.1%} (median of the blocks; 95 %: {low - 1:.1%} to {high - 1:.1%}). "
          "The thread that serves the clients uses {:.1%} of a core, {:.1%} of the crawler's CPU time.".format(*server_share(rows)),
          sep="\n")


main()
