#!/usr/bin/env python3
"""What watching costs: CPU time per page of a crawl, alone and with 100 event streams and 1,000 slow clients.

Usage: bench/watch.py BOWERBIRD [PAGES]. Serves a synthetic Web, crawls it several times in turn with and without the
clients, and prints the ratio of the CPU times per page. The clients are in this process and do not count.
"""
import json, os, re, resource, socket, subprocess, sys, tempfile, threading, time

STREAMS, SLOW, ROUNDS = 100, 1000, 3


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
    def __init__(self, port):
        self.sockets, self.events, self.running = [], 0, True
        for i in range(STREAMS + SLOW):
            s = socket.create_connection(("127.0.0.1", port))
            s.setblocking(False)
            if i < STREAMS:
                s.send(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            self.sockets.append(s)
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        head = b"GET /api/v1/status HTTP/1.1\r\nX: " + b"a" * 8000
        at = 0
        while self.running:
            for s in self.sockets[:STREAMS]:
                try:
                    self.events += s.recv(1 << 16).count(b"event: status")
                except (BlockingIOError, OSError):
                    pass
            for s in self.sockets[STREAMS:]:
                try:
                    s.send(head[at % len(head):at % len(head) + 1])  # one byte at a time
                except OSError:
                    pass
            at += 1
            time.sleep(0.2)

    def stop(self):
        self.running = False
        self.thread.join()
        for s in self.sockets:
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
            if clients.events == 0:
                sys.exit("no event arrived")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = json.loads(out.strip().splitlines()[-1])["pages"]
        if done != pages:
            sys.exit(f"{done} of {pages} pages")
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / done


def main():
    program, pages = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    web, address = serve(program)
    try:
        seed = seed_of(program)
        alone, watched = [], []
        for _ in range(ROUNDS):
            alone.append(crawl(program, address, seed, pages, False))
            watched.append(crawl(program, address, seed, pages, True))
        a, w = min(alone), min(watched)
        print(f"CPU per page: alone {a * 1e6:.0f} us, watched {w * 1e6:.0f} us, ratio {w / a:.3f} "
              f"({STREAMS} streams, {SLOW} slow clients, {pages} pages, best of {ROUNDS})")
    finally:
        web.terminate()
        web.wait()


main()
