#!/usr/bin/env python3
"""What does HTTPS cost a crawl of many hosts, compared with HTTP?

usage: bench/https.py [BOWERBIRD] [--rows 1,2,3,hosts,lipr,profile] [--chains p256,rsa,ecdsa] [--seconds N] [--hosts 1k,100k] [-- OPTIONS]

Crawls of the synthetic web, with the crawler on one core and its server on another, from the same seeds. Verified: no page
is fetched twice, 99 % of the requests succeed, and with HTTPS certificates are checked against the server's authority. CPU
time is that of the whole process.

bench/performance.py puts the tables into docs/performance.md.
"""
import argparse
import bisect
import datetime
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
QUESTIONS = {
    "1": "What does HTTPS cost a crawl of many hosts? The servers answer after 300 ms; at most 4,000 requests at a time. A "
         "connection stays open until the next request to its host. \"One thread\" is the same with `--network-threads 0`.",
    "2": "The same with servers that answer after 100 ms, and at most 500 requests at a time.",
    "3": "The same with servers that close connections after half a second, so that each page needs a new one.",
    "hosts": "What does a page cost in a crawl of many hosts with one page each? Their robots.txt files are fetched too. The last "
             "tenth of the pages is compared with the first.",
    "profile": "Where do the microseconds of a page go, by HTTP and by HTTPS? Servers that answer after 100 ms, at most 500 requests "
               "at a time, sampled by `perf` (functions that the compiler has joined count with their caller).",
    "lipr": "What do the ranks of `lipr` cost a crawl, compared with `fpr@100`? HTTP, as in the first of these crawls.",
}
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


def crawl(program, server, seeds, folder, options, tls, wrapper=()):
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
    process = subprocess.Popen(["taskset", "-c", "0", *wrapper, *command], stdout=log, stderr=log)
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
    urls, times, fetched, failed = set(), [], 0, {}
    for line in open(f"{folder}/crawl/crawl.jsonl"):
        entry = json.loads(line)
        if "url" not in entry or "outcome" not in entry:
            continue
        if entry["outcome"] in ("fetched", "redirect"):
            fetched += 1
            if entry["url"] in urls:
                sys.exit(f"fetched twice: {entry['url']}")
            urls.add(entry["url"])
            times.append(datetime.datetime.fromisoformat(entry["time"]).timestamp())
        else:
            failed[entry["outcome"]] = failed.get(entry["outcome"], 0) + 1
    bad = sum(count for name, count in failed.items() if name not in ("robots", "left-out"))
    if fetched == 0 or bad > fetched / 100:
        sys.exit(f"{fetched} fetched, but {failed}")
    return {"pages": fetched, "times": times, "failed": failed}


def run_row(program, name, chain, seconds, further_options, wrapper=()):
    latency, connections, further = ROWS[name]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, "synthetic:pages=1G", ["--compress", "gzip", "--latency", str(latency), *further], folder, chain)
        options = ["--delay", "1s", "--delay-ip", "0", "--delay-domain", "0", "--connections", str(connections), "--time",
                   f"{seconds}s", *further_options]
        try:
            return crawl(program, server, server.seeds(SEEDS, bool(chain)), folder, options, bool(chain), wrapper)
        finally:
            server.stop()


def cells(seen):
    share = max(seen["threads"].values()) / sum(seen["threads"].values())
    return [f"{seen['pages'] / seen['seconds']:,.0f}", f"{seen['pages'] / seen['cpu']:,.0f}",
            f"{1000 * seen['cpu'] / seen['pages']:.3f}", f"{seen['mib']:,.0f}", f"{share:.0%}",
            f"{1000 * seen['server'] / seen['pages']:.3f}"]


def table_of_rows(program, rows, chains, seconds, options):
    lines = ["| row | protocol | pages/s | pages per CPU-second | CPU ms per page | extra CPU ms, compared with HTTP | peak MiB | busiest thread | "
             "server, CPU ms per page |", "|---|---|---|---|---|---|---|---|---|"]
    for name in rows:
        plain = None
        runs = [(None, "HTTP", []), *((chain, f"HTTPS, {chain}", []) for chain in chains),
                *((chain, f"HTTPS, {chain}, one thread", ["--network-threads", "0"]) for chain in chains[:1])]
        for chain, protocol, more_options in runs:
            seen = run_row(program, name, chain, seconds, [*options, *more_options])
            per_page = 1000 * seen["cpu"] / seen["pages"]
            plain = per_page if chain is None else plain
            made = cells(seen)
            more = "" if chain is None else f"{per_page - plain:.3f}"
            lines.append("| " + " | ".join([name, protocol, *made[:3], more, *made[3:]]) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def table_of_hosts(program, chains, counts, options):
    """CPU time per page of many hosts, and of the first and the last tenth of them."""
    lines = ["| hosts | protocol | pages | seconds | CPU ms per page | first tenth | last tenth | ratio | peak MiB |",
             "|---|---|---|---|---|---|---|---|---|"]
    for size, chain in ((size, chain) for size in counts for chain in [None, *chains[:1]]):
        count = int(size.replace("k", "000").replace("M", "000000"))
        with tempfile.TemporaryDirectory() as folder:
            edges, hosts = pathlib.Path(folder, "web.edges"), pathlib.Path(folder, "hosts")
            edges.write_text("".join(f"{i} {(7 * i + 1) % count}\n" for i in range(count)))
            hosts.write_text("".join(f"{i}\n" for i in range(count)))
            server = Server(program, str(edges), ["--format", "edges", "--hosts", str(hosts), "--compress", "gzip"], folder, chain)
            seeds = [f"http{'s' if chain else ''}://host-{i}.test/page-{i}" for i in range(count)]
            try:
                seen = crawl(program, server, seeds, folder, ["--delay", "1s", "--delay-ip", "0", "--delay-domain", "0",
                                                              "--connections", "1000", "--depth", "0", *options], bool(chain))
            finally:
                server.stop()
            first, last = (spent(seen, *part) for part in ((0.0, 0.1), (0.9, 1.0)))
            lines.append(f"| {count:,} | {'HTTPS, ' + chain if chain else 'HTTP'} | {seen['pages']:,} | {seen['seconds']:.0f} | "
                         f"{1000 * seen['cpu'] / seen['pages']:.3f} | {first:.3f} | {last:.3f} | {last / first:.2f} | {seen['mib']:,.0f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def spent(seen, begin, end):
    """CPU ms per page between two shares of the pages."""
    times = sorted(seen["times"])
    points = [(bisect.bisect(times, when), cpu) for when, cpu in seen["curve"]]
    inside = [point for point in points if begin * len(times) <= point[0] <= end * len(times)]
    return 1000 * (inside[-1][1] - inside[0][1]) / max(1, inside[-1][0] - inside[0][0])


# The first row whose pattern occurs in "library function" takes the sample.
STAGES = [
    ("TLS (OpenSSL)", r"^lib(crypto|ssl)"),
    ("kernel: network and files", r"^\[(kernel|vdso|unknown)"),
    ("compression", r"^lib(deflate|z|zstd|brotli)"),
    ("SHA-1", r"sha1"),
    ("memory, locks, system calls (libc, libstdc++)", r"^(libc|libstdc|libm|ld-)"),
    ("HTTP client", r"Http|Client(Connection|Socket)|EventLoop|Idle|Threaded|Connector|Tls|Resolver|RequestText|BodyRoom"),
    ("HTML", r"Html|PageReader|PageLinks|Encoding|Charset|utf8|Utf8|Entit"),
    ("links: canonical form, scope", r"[Uu]rl|Scope|PageParser|Trap|fingerprint|Punycode|host_of"),
    ("ordering, queue, hosts, journal, store", r"bowerbird::"),
    ("the rest", r""),
]


def table_of_stages(program, chains, seconds, options):
    """CPU time per page by what it is spent on."""
    shares = []
    for chain in [None, *chains[:1]]:
        with tempfile.NamedTemporaryFile() as data:
            seen = run_row(program, "2", chain, seconds, options,
                           ("perf", "record", "-q", "-F", "499", "-e", "cpu-clock", "-o", data.name))
            text = subprocess.run(["perf", "report", "-i", data.name, "--no-children", "--stdio", "-n", "--sort", "dso,sym", "-t", "|"],
                                  check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        counts = dict.fromkeys((name for name, _ in STAGES), 0)
        for line in text.splitlines():
            fields = [field.strip() for field in line.split("|")]
            if len(fields) >= 4 and fields[1].isdigit():
                where = " ".join(fields[2:])
                counts[next(name for name, pattern in STAGES if re.search(pattern, where))] += int(fields[1])
        shares.append({name: 1e6 * count / 499 / seen["pages"] for name, count in counts.items()})
    titles = ["HTTP", *(f"HTTPS, {chain}" for chain in chains[:1])]
    lines = [f"| CPU time per page, µs | {' | '.join(titles)} |", "|---|" + "---|" * len(titles)]
    for name in [name for name, _ in STAGES]:
        lines.append(f"| {name} | {' | '.join(f'{share[name]:.0f}' for share in shares)} |")
    return [*lines, f"| all | {' | '.join(f'{sum(share.values()):.0f}' for share in shares)} |"]


def table_of_orderings(program, seconds, options):
    """CPU time per page with two orderings."""
    lines = ["| ordering | pages/s | CPU ms per page | more than fpr@100, ms |", "|---|---|---|---|"]
    base = None
    for policy in ("fpr@100", "lipr"):
        seen = run_row(program, "1", None, seconds, ["--policy", policy, *options])
        per_page = 1000 * seen["cpu"] / seen["pages"]
        base = base or per_page
        lines.append(f"| {policy} | {seen['pages'] / seen['seconds']:,.0f} | {per_page:.3f} | {per_page - base:.3f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(root / "build/release/bowerbird"))
    parser.add_argument("--rows", default="1,2,3,hosts")
    parser.add_argument("--chains", default="p256,rsa,ecdsa")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--hosts", default="1k,10k,100k")
    words = sys.argv[1:]
    options = words[words.index("--") + 1:] if "--" in words else []
    given = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    chains = [chain for chain in given.chains.split(",") if chain]
    rows = [row for row in given.rows.split(",") if row in ROWS]
    lines = table_of_rows(given.program, rows, chains, given.seconds, options) if rows else []
    if "hosts" in given.rows.split(","):
        lines += table_of_hosts(given.program, chains, given.hosts.split(","), options)
    if "profile" in given.rows.split(","):
        lines += table_of_stages(given.program, chains, given.seconds, options)
    if "lipr" in given.rows.split(","):
        lines += table_of_orderings(given.program, given.seconds, options)
    asked = " ".join(QUESTIONS[name] for name in given.rows.split(","))
    print(f"{asked} {' '.join(__doc__.split(chr(10) * 2)[2].split())} "
          f"Load of the machine at the end: {os.getloadavg()[0]:.1f}.", "", *lines, sep="\n")


if __name__ == "__main__":
    main()
