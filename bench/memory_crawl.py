#!/usr/bin/env python3
"""Does a crawl of the test Web of a billion pages stay within its memory?

    bench/memory_crawl.py [PROGRAM] [--time 1h] [--memory 1GiB] [--policy auto] [--out FOLDER] [--result FILE] [-- OPTIONS]

Serves the Web, crawls it, and looks at the resident memory of the crawl once a second; then goes on with the crawl for a
minute, looking in the same way. Prints what came of it, and writes it to --result as JSON (`tools/figures/memory_crawl.py`
puts that into docs/memory.md). Fails if the memory was ever 5 % above the budget.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600}


def number(text, units):
    found = re.fullmatch(r"(\d+)([A-Za-z]+)", text)
    if not found or found[2] not in units:
        sys.exit(f"memory_crawl: what is {text}?")
    return int(found[1]) * units[found[2]]


def memory_of(pid):
    """Current and peak resident bytes."""
    try:
        text = open(f"/proc/{pid}/status").read()
    except OSError:
        return None
    found = dict(re.findall(r"^Vm(RSS|HWM):\s+(\d+) kB", text, re.M))
    return (int(found["RSS"]) << 10, int(found["HWM"]) << 10) if "RSS" in found else None


def last_moment(program, folder):
    """The status of the crawl at its last commit."""
    done = subprocess.run([program, "status", folder, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def watch(words, log, note):
    """The exit status, resident bytes per second, and their peak; calls note(samples, most) once a minute."""
    begun = noted = time.time()
    process = subprocess.Popen(words, stdout=open(log, "w"), stderr=subprocess.STDOUT)
    samples, most = [], 0
    while process.poll() is None:
        found = memory_of(process.pid)
        if found:
            samples.append([round(time.time() - begun, 1), found[0]])
            most = max(most, found[1])
        if time.time() - noted >= 60:
            note(None, samples, most)
            noted = time.time()
        time.sleep(1)
    note(process.returncode, samples, most)


def thin(samples, count=240):
    """The maximum of each interval."""
    step = max(1, len(samples) // count)
    return [max(samples[i:i + step], key=lambda s: s[1]) for i in range(0, len(samples), step)]


def main():
    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("program", nargs="?", default=f"{here}/../build/release/bowerbird")
    parser.add_argument("--time", default="1h")
    parser.add_argument("--again", default="1m", help="how long the crawl is gone on with")
    parser.add_argument("--memory", default="1GiB")
    parser.add_argument("--pages", default="1G")
    parser.add_argument("--policy", default="auto")
    parser.add_argument("--out")
    parser.add_argument("--result")
    words = sys.argv[1:]
    more = words[words.index("--") + 1:] if "--" in words else []
    args = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    scratch = None if args.out else tempfile.mkdtemp()
    folder = args.out or scratch + "/crawl"
    budget = number(args.memory, UNITS)
    server = subprocess.Popen([args.program, "web", "serve", f"synthetic:pages={args.pages}", "--port", "0", "--threads", "1"],
                              stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        port = re.search(r"port=(\d+)", line)[1]
        portal = urllib.request.urlopen(f"http://127.0.0.1:{port}/").read().decode()
        seeds = ["http://" + page for page in re.findall(r'href="/~/([^"]+)"', portal)[:12]]
        fixed = ["--out", folder, "--scope", "any", "--connect-to", f"127.0.0.1:{port}", "--allow-net", "127.0.0.0/8",
                 "--delay", "0", "--contact", "bench@bowerbird.example", "--memory", args.memory, "--quiet", "--json",
                 "--no-report", *more]
        result = {"memory": budget, "graph": args.pages, "runs": []}
        for name, span in (("crawl", args.time), ("again", args.again)):
            seconds = number(span, SECONDS)
            if seconds == 0:
                continue
            words = [args.program, "crawl", *fixed, "--time", f"{seconds}s"]
            if name == "crawl":
                words += [*seeds, "--policy", args.policy]
            run = {"name": name, "seconds": seconds, "pages": []}
            result["runs"].append(run)

            def note(code, samples, most, run=run):
                status = last_moment(args.program, folder)
                run.update(code=code, most=most, samples=thin(samples), status=status)
                run["pages"].append([samples[-1][0] if samples else 0, status.get("pages", 0), status.get("known", 0)])
                if args.result:
                    json.dump(result, open(args.result, "w"), indent=1)

            watch(words, f"{folder}.{name}.log", note)
            print(f"{name}: exit {run['code']}, most {run['most'] / (1 << 20):.1f} MiB, {run['most'] / budget:.3f} of the budget; "
                  f"{json.dumps(run['status'])}", flush=True)
        if any(run["code"] != 0 or run["most"] > 1.05 * budget for run in result["runs"]):
            sys.exit(1)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
        if scratch:
            shutil.rmtree(scratch)


main()
