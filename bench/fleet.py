#!/usr/bin/env python3
"""Four processes that exchange links beside one: pages per CPU-second, and what is sent.

    flock /tmp/bench.lock bench/fleet.py [PROGRAM] [--pages N] [--partition host-hash]

The in-vitro Web's log is the judge: every page must have been fetched once. Needs nats-server.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request


def cpu_of(process):
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"fleet: a process ended with {status}")
    return usage.ru_utime + usage.ru_stime


def crawl(program, web, seeds, folder, names, more):
    common = ["--scope", "any", "--connect-to", web, "--allow-net", "127.0.0.0/8", "--delay", "0", "--adapt", "0",
              "--connections", "32", "--connections-per-host", "8", "--contact", "bench@bowerbird.example",
              "--no-durable", "--no-traps", "--json", "--quiet"]
    started, begun = [], time.time()
    for name in names:
        out = open(f"{folder}/{name}.json", "w")
        words = [program, "crawl", *seeds, "--out", f"{folder}/{name}", "--member", name, *common, *more]
        started.append(subprocess.Popen(words, stdout=out))
    cpu = sum(cpu_of(process) for process in started)
    reports = [json.load(open(f"{folder}/{name}.json")) for name in names]
    return cpu, time.time() - begun, reports


def main():
    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("program", nargs="?", default=f"{here}/../build/release/bowerbird")
    parser.add_argument("--pages", type=int, default=20000)
    parser.add_argument("--procs", type=int, default=4)
    parser.add_argument("--partition", default="host-hash")
    args = parser.parse_args()
    nats = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if nats is None:
        print("fleet: nats-server is not installed, nothing is measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        def serve(log):
            server = subprocess.Popen([args.program, "web", "serve", f"synthetic:pages={args.pages}", "--port", "0",
                                       "--access-log", log], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            line = server.stdout.readline()
            found = re.search(r"port=(\d+)", line)
            if not found:
                sys.exit("fleet: web serve said: " + line)
            web = f"127.0.0.1:{found.group(1)}"
            portal = urllib.request.urlopen(f"http://{web}/").read().decode()
            seeds = ["http://" + text for text in re.findall(r'href="/~/([^"]+)"', portal)[:8]]
            return server, web, seeds

        def pages_of(log):
            counts = {}
            for line in open(log):
                page = line.split("\t")[8]
                if page != "-":
                    counts[page] = counts.get(page, 0) + 1
            return counts

        figures, found = {}, {}
        for procs in (1, args.procs):
            log = f"{folder}/access-{procs}.log"
            server, web, seeds = serve(log)
            os.mkdir(f"{folder}/{procs}")
            names = [f"p{i}" for i in range(procs)]
            engine = None
            more = []
            if procs > 1:
                import socket
                with socket.socket() as free:
                    free.bind(("127.0.0.1", 0))
                    port = free.getsockname()[1]
                engine = subprocess.Popen([nats, "-js", "-sd", f"{folder}/nats", "-a", "127.0.0.1", "-p", str(port)],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(2)
                more = ["--fleet", f"nats://127.0.0.1:{port}", "--procs", str(procs), "--partition", args.partition]
            cpu, wall, reports = crawl(args.program, web, seeds, f"{folder}/{procs}", names, more)
            if engine:
                engine.terminate()
                engine_cpu = cpu_of_ended(engine)
            server.terminate()
            server.wait()
            fetched = pages_of(log)
            pages = sum(report["pages"] for report in reports)
            repeated = sum(1 for count in fetched.values() if count > 1)
            figures[procs], found[procs] = pages / cpu, set(fetched)
            print(f"{procs} process(es): {pages} pages, {len(fetched)} different, {repeated} more than once, "
                  f"{cpu:.1f} s CPU, {wall:.1f} s, {pages / cpu:.0f} pages per CPU-second")
            if procs > 1:
                sent = sum(report["bytes_sent"] for report in reports)
                urls = sum(report["urls_sent"] for report in reports)
                parcels = sum(report["parcels_sent"] for report in reports)
                print(f"  sent {urls / pages:.3f} URLs and {sent / pages:.1f} bytes a page in {parcels} parcels; "
                      f"the engine took {engine_cpu:.1f} s CPU")
                if repeated or found[1] != found[procs]:
                    sys.exit("fleet: not every page was fetched once")
        print(f"{args.procs} processes come to {100 * figures[args.procs] / figures[1]:.0f} % of one")


def cpu_of_ended(process):
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


main()
