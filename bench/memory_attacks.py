#!/usr/bin/env python3
"""Does a crawl stay within --memory when its bodies are large or slow, and while it closes?

usage: bench/memory_attacks.py [BOWERBIRD] [--only bodies,closing,slow] [--seconds N]

bodies   240 pages of 8 MiB of links on 60 hosts, and one parser; --memory 160MiB.
closing  The test Web of a billion pages for N seconds (default 120), then Ctrl-C; --memory 192MiB. Once with --no-report
         and once with a report. The peak while closing is measured separately: the kernel's mark is cleared before.
slow     60 hosts that send their bodies slowly next to 400 pages of another host; --memory 160MiB. No good page may be
         missing, and the longest time without a request for one must be at most 10 s.

Resident memory as the kernel counts it. Exit status 1 if a peak is above the budget, or a page is missing.
"""
import argparse
import asyncio
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

MIB = 1 << 20
BIG_PAGES = 240
GOOD_PAGES = 400


def big_body():
    line = "<p>A paragraph of <b>text</b> with <a href='/{0}'>link {0}</a> &amp; an <i>image</i></p>\n"
    text = "".join(line.format(i) for i in range(1000)).encode()
    return text * (8 * MIB // len(text))


class Web(threading.Thread):
    """Answers every name: /big/N is large, /slow sends a block of 64 KiB now and then, /good/N links to the next pages."""

    def __init__(self):
        super().__init__(daemon=True)
        self.good = []  # request times
        self.ready = threading.Event()
        self.big = big_body()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.answer, "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    async def answer(self, reader, writer):
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
                if path.startswith("/big/"):
                    writer.write(head % len(self.big))
                    for at in range(0, len(self.big), 65536):
                        writer.write(self.big[at:at + 65536])
                        await writer.drain()
                elif path == "/slow":
                    writer.write(head % (8 * MIB))
                    for _ in range(8 * MIB // 8192):
                        writer.write(b"x" * 8192)
                        await writer.drain()
                        await asyncio.sleep(1)
                elif path.startswith("/good/"):
                    self.good.append(time.monotonic())
                    number = int(path[6:])
                    body = b"".join(b"<a href=/good/%d>x</a>" % n for n in (2 * number + 1, 2 * number + 2) if n < GOOD_PAGES)
                    writer.write(head % len(body) + body)
                else:
                    writer.write(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def crawl_words(program, folder, port, memory, *more):
    return [program, "crawl", "--out", f"{folder}/crawl", "--connect-to", f"127.0.0.1:{port}", "--allow-net", "127.0.0.0/8",
            "--contact", "bench@bowerbird.example", "--scope", "any", "--delay", "0", "--memory", memory, "--quiet",
            "--no-durable", *more]


def finish(process):
    """The exit status and the peak in bytes, since the kernel's mark was cleared last."""
    _, status, use = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, use.ru_maxrss << 10


def peak(pid):
    return int(re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) << 10


def report(what, most, budget, more=""):
    print(f"{what:<24} {most / MIB:>6.0f} of {budget} MiB{more}", flush=True)
    return most <= budget * MIB


def start(words):
    return subprocess.Popen(words, stdout=subprocess.DEVNULL)


def bodies(program, folder, web):
    seeds = pathlib.Path(folder) / "seeds"
    seeds.write_text("".join(f"http://big{i % 60}.test/big/{i}\n" for i in range(BIG_PAGES)))
    began = time.monotonic()
    code, most = finish(start(crawl_words(program, folder, web.port, "160MiB", "--seed-file", str(seeds), "--pages",
                                          str(BIG_PAGES), "--no-report")))
    return report("large bodies", most, 160, f"  exit status {code}, {time.monotonic() - began:.0f} s") and code == 0


def slow(program, folder, web):
    seeds = pathlib.Path(folder) / "seeds"
    seeds.write_text("".join(f"http://slow{i}.test/slow\n" for i in range(60)) + "http://good.test/good/0\n")
    process = start(crawl_words(program, folder, web.port, "160MiB", "--seed-file", str(seeds), "--time", "60s", "--delay", "0.05",
                                "--no-report"))
    while process.poll() is None and len(web.good) < GOOD_PAGES and os.path.exists(f"/proc/{process.pid}"):
        time.sleep(0.1)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    _, most = finish(process)
    gap = max((b - a for a, b in zip(web.good, web.good[1:])), default=0)
    fine = report("slow bodies", most, 160, f"  {len(web.good)} of {GOOD_PAGES} good pages, longest gap {gap:.1f} s")
    return fine and len(web.good) >= GOOD_PAGES and gap <= 10


def closing(program, folder, seconds, with_report):
    server = subprocess.Popen([program, "web", "serve", "synthetic:pages=1G", "--port", "0", "--threads", "1"],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = re.search(r"port=(\d+)", server.stdout.readline())[1]
        portal = urllib.request.urlopen(f"http://127.0.0.1:{port}/").read().decode()
        seeds = ["http://" + page for page in re.findall(r'href="/~/([^"]+)"', portal)[:12]]
        process = start(crawl_words(program, folder, port, "192MiB", "--time", f"{seconds + 600}s",
                                    "--report" if with_report else "--no-report", *seeds))
        time.sleep(seconds)
        before = peak(process.pid)
        pathlib.Path(f"/proc/{process.pid}/clear_refs").write_text("5")
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        code, most = finish(process)
        took = time.monotonic() - began
        status = subprocess.run([program, "status", f"{folder}/crawl"], capture_output=True, text=True).stdout
        pages = next((line.strip() for line in status.splitlines() if "known" in line), "")
        fine = report("crawling", before, 192, f"  {pages}")
        fine &= report("closing" + (" with a report" if with_report else ""), most, 192, f"  exit status {code}, {took:.1f} s")
        return fine and code == 130
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("program", nargs="?", default=str(root / "build/release/bowerbird"))
    parser.add_argument("--only", default="bodies,closing,slow")
    parser.add_argument("--seconds", type=int, default=120)
    options = parser.parse_args()
    web = Web()
    web.start()
    web.ready.wait()
    runs = {"bodies": [lambda folder: bodies(options.program, folder, web)],
            "closing": [lambda folder: closing(options.program, folder, options.seconds, False),
                        lambda folder: closing(options.program, folder, options.seconds, True)],
            "slow": [lambda folder: slow(options.program, folder, web)]}
    fine = True
    for name in options.only.split(","):
        for run in runs[name]:
            with tempfile.TemporaryDirectory() as folder:
                fine &= run(folder)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
