#!/usr/bin/env python3
"""How soon does `bowerbird replay` answer a page of a large capture, and how long does it take to make a missing index?

    bench/replay.py [PROGRAM] [--size 10000] [--folder FOLDER]

WARC files of --size megabytes together (pages that hardly compress, one gzip member per record) are opened without an
index, on a terminal, which shows the progress. Then 500 random pages are requested over one connection, after 50 others,
and each response is received completely and checked. Fails if the median is 20 ms or more, if a page is wrong, or if no
progress was shown.

--folder keeps the files for another run.
"""
import http.client
import json
import os
import pathlib
import pty
import random
import re
import select
import signal
import statistics
import sys
import time
import urllib.parse
import zlib

from capture_pages import PAGE_BYTES, arguments, page, report, scratch_folder

PAGES_PER_FILE = 10_000
WARM_UP, ASKED = 50, 500


def url_of(number):
    return f"http://host{number % 97}.bench.example/pages/{number}.html"


def member(data):
    packer = zlib.compressobj(0, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def write_files(folder, pages):
    """Each page has its number as its title. Texts repeat, which makes writing faster."""
    texts = [page(number)[-PAGE_BYTES:] for number in range(50)]
    for first in range(0, pages, PAGES_PER_FILE):
        with open(f"{folder}/bench-{first // PAGES_PER_FILE:04}.warc.gz", "wb") as out:
            for number in range(first, min(first + PAGES_PER_FILE, pages)):
                body = f"<!doctype html><title>Page {number}</title><p>".encode() + texts[number % len(texts)]
                block = (f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
                head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:bench:{number}>\r\n"
                        f"WARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Target-URI: {url_of(number)}\r\n"
                        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n")
                out.write(member(head.encode() + block + b"\r\n\r\n"))


class Replay:
    """Runs the program in a pseudo-terminal: its output, and when it was ready."""

    def __init__(self, program, files):
        begun = time.monotonic()
        out, writes = os.pipe()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.dup2(writes, 1)
            os.execv(program, [program, "replay", *files, "--listen", "127.0.0.1:0", "--json"])
        os.close(writes)
        said, self.shown = b"", b""
        while b"\n" not in said:
            ready, _, _ = select.select([out, self.terminal], [], [], 3600)
            if self.terminal in ready:
                try:
                    self.shown += os.read(self.terminal, 65536)
                except OSError:
                    pass
            if out in ready:
                piece = os.read(out, 65536)
                if not piece:
                    sys.exit("replay: it ended: " + self.shown.decode(errors="replace")[-500:])
                said += piece
        self.seconds = time.monotonic() - begun
        self.about = json.loads(said)

    def memory(self):
        """Resident bytes without mapped files."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) << 10

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def ask(pages_url, numbers):
    """Milliseconds per page until the response is complete."""
    authority = urllib.parse.urlsplit(pages_url).netloc
    connection = http.client.HTTPConnection(authority)
    times = []
    for number in numbers:
        begun = time.monotonic()
        connection.request("GET", f"/web/20260131120000/{url_of(number)}")
        response = connection.getresponse()
        body = response.read()
        times.append((time.monotonic() - begun) * 1000)
        if response.status != 200 or f"<title>Page {number}</title>".encode() not in body[:2000] or len(body) < PAGE_BYTES:
            sys.exit(f"replay: page {number} is wrong: status {response.status}, {len(body)} bytes")
    return times


def main():
    given = arguments(10_000)
    with scratch_folder() as scratch:
        folder = given.folder or scratch
        pages = given.size * 1_000_000 // (PAGE_BYTES + 500)
        os.makedirs(folder, exist_ok=True)
        if not list(pathlib.Path(folder).glob("*.warc.gz")):
            write_files(folder, pages)
        files = sorted(str(path) for path in pathlib.Path(folder).glob("*.warc.gz"))
        replay = Replay(os.path.abspath(given.program), files)
        try:
            order = random.Random(1)
            ask(replay.about["pages"], [order.randrange(pages) for _ in range(WARM_UP)])
            times = sorted(ask(replay.about["pages"], [order.randrange(pages) for _ in range(ASKED)]))
            memory = replay.memory()
        finally:
            replay.close()
        median, late = statistics.median(times), times[int(len(times) * 0.99)]
        updates = len(re.findall(rb"[\r\n]", replay.shown))
        wrong = []
        if replay.about["count"] != pages:
            wrong.append(f"{replay.about['count']} of {pages} pages are listed")
        if median >= 20:
            wrong.append("an answer takes too long")
        if updates < 3:
            wrong.append("no progress was shown")
        report(__doc__.split("\n\n")[0] + " " + __doc__.split("\n\n")[2],
               {"MB": f"{sum(map(os.path.getsize, files)) / 1e6:,.0f}", "pages": f"{pages:,}", "index, s": f"{replay.seconds:.1f}",
                "updates of the progress": updates, "memory without mapped files, MB": f"{memory / 1e6:.0f}",
                "median, ms": f"{median:.2f}", "99th percentile, ms": f"{late:.2f}"}, wrong)


main()
