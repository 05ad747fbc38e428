#!/usr/bin/env python3
"""What does a fleet cost? Pages per CPU-second of four processes that exchange links compared with one, and what they send;
how long it takes until what a killed process held is with others, and until one that joins has its share; how large the log
of a process is; and what 64 virtual processes cost in the lab compared with one.

    flock /tmp/bench.lock bench/fleet.py [PROGRAM] [--pages N] [--runs N] [--parsers N] [--partition KIND] [--only speed|moves|slow|log|lab] [-d]

For the speed one process and four take turns; the figures are medians, single runs differ.
`slow` is `moves` with a broker whose every answer takes a while (--delay seconds each way), as a busy one's does.
The test Web's log is the judge: every page must have been fetched once. With -d the figures go into docs/fleet.md,
with the load of the machine.
Needs nats-server.
"""
import argparse
import asyncio
import csv
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

root = pathlib.Path(__file__).resolve().parent.parent
document = root / "docs/fleet.md"
LEASE = 5


def cpu_of(process, may_fail=False):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0 and not may_fail:
        sys.exit(f"fleet: a process ended with {status}")
    return usage.ru_utime + usage.ru_stime


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Broker:
    def __init__(self, folder):
        nats = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if nats is None:
            sys.exit("fleet: nats-server is not installed, nothing is measured")
        port, self.monitor = free_port(), free_port()
        self.url = f"nats://127.0.0.1:{port}"
        self.process = subprocess.Popen([nats, "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port), "-m", str(self.monitor)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        sys.exit("fleet: nats-server does not answer")

    def stream_bytes(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/jsz?streams=1") as answer:
            accounts = json.load(answer)["account_details"]
        return sum(stream["state"]["bytes"] for account in accounts for stream in account.get("stream_detail", [])
                   if stream["name"] == name)

    def end(self):
        self.process.terminate()
        return cpu_of(self.process, may_fail=True)


def slow_broker(broker, delay):
    """A proxy of the broker that delays both directions."""
    url = urllib.parse.urlparse(broker.url)

    async def carry(reader, writer):
        queue = asyncio.Queue()

        async def deliver():
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0, due - time.monotonic()))
                if not data:
                    return writer.close()
                writer.write(data)

        delivering = asyncio.create_task(deliver())
        data = b"more"
        while data:
            try:
                data = await reader.read(1 << 16)
            except ConnectionError:
                data = b""
            queue.put_nowait((time.monotonic() + delay, data))
        await delivering

    async def meet(reader, writer):
        there = await asyncio.open_connection(url.hostname, url.port)
        await asyncio.gather(carry(reader, there[1]), carry(there[0], writer), return_exceptions=True)

    async def serve(port):
        server = await asyncio.start_server(meet, "127.0.0.1", port)
        await server.serve_forever()

    port = free_port()
    process = multiprocessing.Process(target=lambda: asyncio.run(serve(port)), daemon=True)
    process.start()
    time.sleep(0.5)
    return f"nats://127.0.0.1:{port}", process


class Web:
    def __init__(self, program, pages, log, *more):
        self.log = log
        self.process = subprocess.Popen([program, "web", "serve", f"synthetic:pages={pages}", "--port", "0",
                                         "--access-log", log, *more],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"port=(\d+)", line)
        if not found:
            sys.exit("fleet: web serve said: " + line)
        self.address = f"127.0.0.1:{found.group(1)}"
        portal = urllib.request.urlopen(f"http://{self.address}/").read().decode()
        self.seeds = ["http://" + text for text in re.findall(r'href="/~/([^"]+)"', portal)[:8]]

    def end(self):
        """How often each page was fetched."""
        self.process.terminate()
        self.process.wait()
        counts = {}
        for line in open(self.log):
            page = line.split("\t")[8]
            if page != "-":
                counts[page] = counts.get(page, 0) + 1
        return counts


def words_of(web):
    return [*web.seeds, "--scope", "any", "--connect-to", web.address, "--allow-net", "127.0.0.0/8", "--delay", "0", "--adapt", "0",
            "--connections", "32", "--connections-per-host", "8", "--contact", "bench@bowerbird.example", "--no-durable",
            "--no-traps", "--policy", "fpr@100", "--no-bound", "--no-report", "--json", "--quiet"]


def start(program, web, folder, name, *more):
    words = [program, "crawl", *words_of(web), "--out", f"{folder}/{name}", "--member", name, *more]
    return subprocess.Popen(words, stdout=open(f"{folder}/{name}.log", "w"))


def speed(args, folder, procs):
    """One crawl by `procs` processes: its figures and the fetched pages."""
    os.mkdir(folder)
    web = Web(args.program, args.pages, f"{folder}/access.log")
    broker = Broker(f"{folder}/nats") if procs > 1 else None
    begun = time.time()
    if broker:
        words = ["fleet", "start", *words_of(web), "--out", f"{folder}/fleet", "--fleet", broker.url, "--procs", str(procs),
                 "--partition", args.partition, *([f"--parsers={args.parsers}"] if args.parsers else [])]
        process = subprocess.Popen([args.program, *words], stdout=subprocess.DEVNULL)
    else:
        process = start(args.program, web, folder, "p0")
    cpu = cpu_of(process)
    wall = time.time() - begun
    found = {"cpu": cpu, "wall": wall, "broker": broker.end() if broker else 0}
    fetched = web.end()
    logs = [f"{folder}/fleet/p{i}.log" for i in range(procs)] if broker else [f"{folder}/p0.log"]
    reports = [json.load(open(log)) for log in logs]
    for key in ("pages", "urls_sent", "bytes_sent", "parcels_sent"):
        found[key] = sum(report.get(key, 0) for report in reports)
    if any(count > 1 for count in fetched.values()):
        sys.exit("fleet: a page was fetched twice")
    return found, set(fetched)


def show_speed(args, folder):
    ones, manies = [], []
    for run in range(args.runs):
        one, pages = speed(args, f"{folder}/one{run}", 1)
        many, same = speed(args, f"{folder}/many{run}", args.procs)
        if pages != same:
            sys.exit("fleet: not the same pages were fetched")
        ones.append(one)
        manies.append(many)
        print(f"run {run + 1}: {100 * one['cpu'] / many['cpu']:.0f} %", flush=True)
    shares = sorted(100 * one["cpu"] / many["cpu"] for one, many in zip(ones, manies))
    one, many = ({key: statistics.median(found[key] for found in runs) for key in runs[0]} for runs in (ones, manies))
    rates = [found["pages"] / found["cpu"] for found in (one, many)]
    per = many["pages"]
    rows = "".join(f"| {procs} | {rate:.0f} | {found['cpu']:.1f} | {found['broker']:.1f} | {found['wall']:.1f} |\n"
                   for procs, rate, found in zip((1, args.procs), rates, (one, many)))
    return (f"A synthetic Web of {per:,.0f} pages, `{args.partition}`, `fpr@100`, no delays; {args.procs} processes in exchange "
            f"mode compared with one. CPU is that of `crawl` or `fleet start` with all its processes, from start to end; the rate leaves out the broker. Medians of {args.runs} runs each, run alternately.\n\n"
            f"| processes | pages per CPU-second | CPU s | CPU s of the broker | wall s |\n|---|---|---|---|---|\n"
            f"{rows}\nIn pairs of runs that followed each other, {args.procs} processes had {statistics.median(shares):.0f} % of the rate of one (median; from {shares[0]:.0f} to {shares[-1]:.0f} %). Every page was fetched once; they sent {many['urls_sent'] / per:.2f} URLs and "
            f"{many['bytes_sent'] / per:.0f} bytes per page, in messages of "
            f"{many['bytes_sent'] / max(1, many['parcels_sent']):.0f} bytes.")


def members(args, broker):
    out = subprocess.run([args.program, "fleet", "status", broker.url, "--json"], stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out)["members"] if out.strip() else {}


def until(what, condition):
    begun = time.time()
    while not condition():
        if time.time() - begun > 300:
            sys.exit(f"fleet: {what}: nothing after five minutes")
        time.sleep(0.1)
    return time.time() - begun


def show_slow(args, folder):
    return f"The same with a broker that answers {2000 * args.delay:.0f} ms later. " + show_moves(args, folder, args.delay)


def show_moves(args, folder, delay=0):
    folder += "/slow" if delay else "/moves"
    os.mkdir(folder)
    web = Web(args.program, 200000, f"{folder}/access.log", "--latency", "100")
    broker = Broker(f"{folder}/nats")
    url, proxy = slow_broker(broker, delay) if delay else (broker.url, None)
    names = [f"p{i}" for i in range(4)]
    more = ["--fleet", url, "--procs", "4", "--partition", args.partition, "--lease", str(LEASE)]
    started = {name: start(args.program, web, folder, name, *more) for name in names}

    def held():
        return {name: one.get("partitions", 0) for name, one in members(args, broker).items() if one["alive"]}

    until("the beginning", lambda: sum(held().values()) == 256)
    time.sleep(5)
    started["p2"].send_signal(signal.SIGKILL)
    lost = until("a takeover", lambda: "p2" not in held() and sum(held().values()) == 256)
    started["p4"] = start(args.program, web, folder, "p4", *more)
    joined = until("a process that joins", lambda: held().get("p4", 0) == 64 and sum(held().values()) == 256)
    subprocess.run([args.program, "fleet", "leave", broker.url, "p0"], check=True)
    left = until("a process that leaves", lambda: "p0" not in held() and sum(held().values()) == 256)
    subprocess.run([args.program, "fleet", "stop", broker.url], check=True)
    for process in started.values():
        cpu_of(process, may_fail=True)
    if proxy:
        proxy.terminate()
    broker.end()
    web.end()
    return (f"With a lease of {LEASE} s, {lost:.0f} s after a process was killed all its partitions had new owners; a process "
            f"that joined had its share after {joined:.0f} s, and the partitions of one that left had new owners after {left:.0f} s.")


def show_log(args, folder):
    folder += "/log"
    os.mkdir(folder)
    web = Web(args.program, 10_000_000, f"{folder}/access.log")
    broker = Broker(f"{folder}/nats")
    pages = 40_000
    cpu_of(start(args.program, web, folder, "p0", "--fleet", broker.url, "--procs", "1", "--pages", str(pages)))
    kept = broker.stream_bytes("BB-crawl-log-p0")
    sizes = {file: os.path.getsize(f"{folder}/p0/{file}") for file in ("journal", "urls.log", "links.log")}
    fetched = json.load(open(f"{folder}/p0.log"))["pages"]
    broker.end()
    web.end()
    files = " and ".join(f"{size / fetched:.0f} in {file}" for file, size in sizes.items())
    return (f"The log of a process that fetches the first {fetched:,} pages of `synthetic:pages=10M`, with a commit each second, "
            f"takes {kept / fetched:.0f} bytes per page on the broker. On its disk the same data takes, in bytes per page, {files}.")


def show_lab(args, folder):
    seconds = {}
    for procs in (1, 64):
        out = f"{folder}/lab{procs}"
        subprocess.run([args.program, "lab", "synthetic:pages=1000000", "--policies", "fpr", "--importance", "none",
                        "--no-baselines", "--procs", str(procs), "--partition", "host-hash", "--quiet", "--out", out],
                       check=True, stdout=subprocess.DEVNULL)
        row = next(row for row in csv.DictReader(open(f"{out}/runs.csv")) if row["team"])
        seconds[procs] = float(row["seconds"]), float(row["wall_seconds"]), row["crawled"]
    if seconds[1][2] != seconds[64][2]:
        sys.exit("fleet: 64 virtual processes did not crawl what one does")
    return (f"In the lab, {int(seconds[1][2]):,} pages by `fpr` in exchange mode take one virtual process {seconds[1][0]:.1f} s "
            f"of scheduling ({seconds[1][1]:.1f} s with the links), 64 of them {seconds[64][0]:.1f} s ({seconds[64][1]:.1f} s): "
            f"{seconds[64][0] / seconds[1][0]:.2f} times as much.")


def write(name, text):
    block = re.compile(rf"(<!-- bench/fleet.py {name} -->\n).*?(<!-- / -->)", re.S)
    document.write_text(block.sub(lambda found: found.group(1) + text + "\n" + found.group(2), document.read_text()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(root / "build/release/bowerbird"))
    parser.add_argument("--pages", type=int, default=100000)
    parser.add_argument("--procs", type=int, default=4)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--partition", default="host-hash")
    parser.add_argument("--parsers", help="threads that read pages, in each process of the fleet")
    parser.add_argument("--only", choices=["speed", "moves", "slow", "log", "lab"])
    parser.add_argument("--delay", type=float, default=0.1)
    parser.add_argument("-d", "--document", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, show in (("speed", show_speed), ("moves", show_moves), ("slow", show_slow), ("log", show_log), ("lab", show_lab)):
            if args.only in (None, name):
                text = f"{show(args, folder)} (Load of the machine: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores.)"
                print(text, flush=True)
                if args.document:
                    write(name, text)


main()
