#!/usr/bin/env python3
"""What does HTTPS cost a crawl of many hosts, compared with HTTP?

usage: bench/https.py [BOWERBIRD] [--rows 1,2,3,hosts] [--chains p256,rsa,ecdsa] [--seconds N] [--http2]

One run crawls the same synthetic web by HTTP and by HTTPS, with the crawler on one core and its server on another, from
the same seeds. Rows: 1: latency 300 ms, 4,000 connections; 2: latency 100 ms, 500 connections; 3: as 2, but servers hang
up after half a second; hosts: 100,000 hosts with one page each, whose last 10,000 pages are compared with the first
10,000. Verified: no page is fetched twice, nearly all are fetched, and with HTTPS certificates are checked against the
server's authority. CPU time is that of the whole process. bench/performance.py puts the tables into docs/performance.md.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

root = pathlib.Path(__file__).resolve().parent.parent
ROWS = {  # name: latency in ms, connections, further options of the server
    "1": (300, 4000, []),
    "2": (100, 500, []),
    "3": (100, 500, ["--idle", "0.5"]),
}
SEEDS = 40
TICK = os.sysconf("SC_CLK_TCK")


def cpu_of(stat):
    fields = stat.rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def cpu(pid):
    return cpu_of(pathlib.Path(f"/proc/{pid}/stat").read_text())


def threads(pid):
    """CPU seconds of each thread."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found[task.name] = cpu_of((task / "stat").read_text())
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def peak_mib(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


class Server:
    def __init__(self, program, web, options, folder, chain):
        self.authority = f"{folder}/authority.pem"
        tls = ["--tls", "--chain", chain, "--authority", self.authority] if chain else []
        command = [program, "web", "serve", web, "--port", "0", "--bind", "127.0.0.1", *options, *tls]
        self.process = subprocess.Popen(["taskset", "-c", "1", *command], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("ready "):
                self.port = int(re.search(r"port=(\d+)", line)[1])
                return
        sys.exit("the server did not start")

    def seeds(self, count, tls):
        """Seeds from the portal, which links to pages of many hosts."""
        page = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/").read().decode()
        links = re.findall(r'href="?/~(s?)/([^"> ]+)', page)
        return [f"http{'s' if tls else ''}://{path}" for _, path in links][:count]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def crawl(program, server, seeds, folder, options, tls):
    """Samples the process while it runs, since the CPU time of a thread is lost when it ends."""
    listed = pathlib.Path(folder) / "seeds"
    listed.write_text("".join(seed + "\n" for seed in seeds))
    command = [program, "crawl", "--seed-file", str(listed), "--out", f"{folder}/crawl", "--contact", "bench@bowerbird.example",
               "--connect-to", f"127.0.0.1:{server.port}", "--allow-net", "127.0.0.0/8", "--scope", "any", "--memory", "2GiB",
               "--quiet", *options]
    if tls:
        command += ["--certificates", server.authority]
    log = open(f"{folder}/crawl.out", "w")
    server_before, begin = cpu(server.process.pid), time.monotonic()
    process = subprocess.Popen(["taskset", "-c", "0", *command], stdout=log, stderr=log)
    seen = {"threads": {}, "cpu": 0, "mib": 0, "curve": []}
    while process.poll() is None:
        try:
            seen["cpu"], seen["mib"] = cpu(process.pid), peak_mib(process.pid)
            seen["threads"].update(threads(process.pid))
            seen["curve"].append((time.time(), seen["cpu"]))
        except (FileNotFoundError, ProcessLookupError, TypeError, IndexError):
            break
        time.sleep(0.2)
    code = process.wait()
    if code != 0:
        sys.exit(f"the crawl ended with {code}: " + pathlib.Path(f"{folder}/crawl.out").read_text())
    seen["seconds"] = time.monotonic() - begin
    seen["server"] = cpu(server.process.pid) - server_before
    seen.update(check(folder))
    return seen


def check(folder):
    urls, fetched, failed = set(), 0, {}
    for line in open(f"{folder}/crawl/crawl.jsonl"):
        entry = json.loads(line)
        if "url" not in entry or "outcome" not in entry:
            continue
        if entry["outcome"] in ("fetched", "redirect"):
            fetched += 1
            if entry["url"] in urls:
                sys.exit(f"fetched twice: {entry['url']}")
            urls.add(entry["url"])
        else:
            failed[entry["outcome"]] = failed.get(entry["outcome"], 0) + 1
    bad = sum(count for name, count in failed.items() if name not in ("robots", "left-out"))
    if fetched == 0 or bad > fetched / 100:
        sys.exit(f"{fetched} fetched, but {failed}")
    return {"pages": fetched, "failed": failed}


def run_row(program, name, chain, seconds, http2):
    latency, connections, further = ROWS[name]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, "synthetic:pages=1G", ["--compress", "gzip", "--latency", str(latency), *further], folder, chain)
        options = ["--delay", "1s", "--delay-ip", "0", "--delay-domain", "0", "--connections", str(connections), "--time",
                   f"{seconds}s", *(["--http2"] if http2 else [])]
        try:
            return crawl(program, server, server.seeds(SEEDS, bool(chain)), folder, options, bool(chain))
        finally:
            server.stop()


def cells(seen):
    share = max(seen["threads"].values()) / sum(seen["threads"].values())
    return [f"{seen['pages'] / seen['seconds']:,.0f}", f"{seen['pages'] / seen['cpu']:,.0f}",
            f"{1000 * seen['cpu'] / seen['pages']:.3f}", f"{seen['mib']:,.0f}", f"{share:.0%}",
            f"{1000 * seen['server'] / seen['pages']:.3f}"]


def table_of_rows(program, rows, chains, seconds, http2):
    lines = ["| row | protocol | pages/s | pages per CPU-second | CPU ms per page | more than HTTP, ms | MiB at most | busiest thread | "
             "server, CPU ms per page |", "|---|---|---|---|---|---|---|---|---|"]
    for name in rows:
        plain = None
        for chain in [None, *chains]:
            seen = run_row(program, name, chain, seconds, http2)
            per_page = 1000 * seen["cpu"] / seen["pages"]
            plain = per_page if chain is None else plain
            made = cells(seen)
            protocol = "HTTP" if chain is None else f"HTTPS, {chain}"
            more = "" if chain is None else f"{per_page - plain:.3f}"
            lines.append("| " + " | ".join([name, protocol, *made[:3], more, *made[3:]]) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def table_of_hosts(program, chains):
    """CPU time per page of the first and the last 10,000 of 100,000 hosts."""
    lines = ["| protocol | pages | CPU ms per page, first 10,000 | last 10,000 | ratio |", "|---|---|---|---|---|"]
    for chain in [None, *chains[:1]]:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(program, "synthetic:pages=1G", ["--compress", "gzip"], folder, chain)
            seeds = [f"http{'s' if chain else ''}://h{i}.bench.test/" for i in range(100_000)]
            try:
                seen = crawl(program, server, seeds, folder, ["--delay", "1s", "--delay-ip", "0", "--delay-domain", "0",
                                                              "--connections", "1000", "--pages-per-host", "1", "--depth", "1"], bool(chain))
            finally:
                server.stop()
            curve, pages = seen["curve"], seen["pages"]
            first, last = spent(curve, pages, 0.0, 0.1), spent(curve, pages, 0.9, 1.0)
            lines.append(f"| {'HTTPS, ' + chain if chain else 'HTTP'} | {pages:,} | {first:.3f} | {last:.3f} | {last / first:.2f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def spent(curve, pages, begin, end):
    """CPU ms per page in a part of the run, assuming a constant rate of pages."""
    part = curve[int(begin * (len(curve) - 1)):int(end * (len(curve) - 1)) + 1]
    return 1000 * (part[-1][1] - part[0][1]) / (pages * (end - begin))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(root / "build/release/bowerbird"))
    parser.add_argument("--rows", default="1,2,3,hosts")
    parser.add_argument("--chains", default="p256,rsa,ecdsa")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--http2", action="store_true")
    given = parser.parse_args()
    chains = [chain for chain in given.chains.split(",") if chain]
    rows = [row for row in given.rows.split(",") if row in ROWS]
    lines = table_of_rows(given.program, rows, chains, given.seconds, given.http2) if rows else []
    if "hosts" in given.rows.split(","):
        lines += ["", *table_of_hosts(given.program, chains)]
    print(" ".join(__doc__.split("\n\n")[2].split()), "", *lines, sep="\n")


if __name__ == "__main__":
    main()
