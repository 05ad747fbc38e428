#!/usr/bin/env python3
"""How fresh does `bowerbird crawl --forever` keep a test Web that changes and grows, by each refresh policy?

    bench/refresh_year.py [--pages 10000] [--rate 1000] [--days 365] [--warm-up 100] [--time-scale 86400]
                          [--policies uniform,proportional,importance,index,index-age] [--together]

Serves a synthetic Web (`web serve --changes 0.14`, a fifth of its pages appear during the run), crawls it with
learned rates within --memory 256MiB, and judges the requests by the server's truth file, with the PageRank of the
served graph as importance. The crawler has no such options but the policy and the rate; what it holds for important it
learns from the links it sees. With the default scale a day takes a second, so a year of one policy takes six minutes.
Next to the crawl is what the lab predicts for the same policy, changes and budget, with the true importance. Exits
with 1 unless `index` has at least 0.03 more freshness, and `index-age` at most 0.7 of the age, of the other policies.
--write puts the table into docs/refresh.md.
"""
import argparse
import concurrent.futures
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OTHERS = ("uniform", "proportional", "importance")


def serve(arguments, graph, folder):
    command = [arguments.program, "web", "serve", graph, "--port", "0", "--bind", "127.0.0.1",
               "--changes", str(arguments.changes), "--newcomers", "20%", "--newcomer-days", str(arguments.days),
               "--time-scale", str(arguments.time_scale), "--words", "60",
               "--truth", f"{folder}/truth", "--truth-days", str(arguments.days * 1.2 + 30),
               "--access-log", f"{folder}/requests", "--json", "--quiet"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return server, json.loads(server.stdout.readline())


def run(arguments, policy):
    graph = f"synthetic:pages={arguments.pages}"
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        server, ready = serve(arguments, graph, folder)
        seconds = (arguments.days + 1) * 86400 / arguments.time_scale
        began = time.monotonic()
        try:
            crawl = subprocess.run(
                [arguments.program, "crawl", ready["page"], "--out", f"{folder}/crawl", "--scope", "any",
                 "--contact", "bench@bowerbird.example", "--connect-to", ready["addresses"][0],
                 "--allow-net", "127.0.0.0/8", "--delay", "0", "--no-durable", "--no-traps", "--no-report",
                 "--memory", "256MiB", "--forever", "--refresh", policy,
                 "--refresh-rate", f"{arguments.rate}/day", "--time-scale", str(arguments.time_scale),
                 "--time", f"{seconds:.1f}s", "--quiet"],
                capture_output=True, text=True)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        if crawl.returncode != 0:
            sys.exit(f"{policy}: {crawl.stderr}")
        status = json.loads(subprocess.run([arguments.program, "status", f"{folder}/crawl", "--json"],
                                           capture_output=True, text=True, check=True).stdout)
        judged = subprocess.run(
            [arguments.program, "lab", "refresh", graph, "--rates", f"truth:{folder}/truth",
             "--requests", f"{folder}/requests", "--seeds", "ids:0", "--discovery", "--importance", "pagerank",
             "--budget", str(arguments.rate), "--days", str(arguments.days), "--warm-up", str(arguments.warm_up),
             "--policies", policy, "--use-rates", "learned", "--dates", "--json", "--quiet"],
            capture_output=True, text=True)
        if judged.returncode != 0:
            sys.exit(f"{policy}: {judged.stderr}")
        runs = {one["policy"]: one for one in json.loads(judged.stdout)["runs"]}
        return {"live": runs["crawl"], "lab": runs[policy], "refresh": status["refresh"],
                "seconds": time.monotonic() - began}


def write(lines):
    page = f"{ROOT}/docs/refresh.md"
    with open(page, encoding="utf-8") as file:
        text = file.read()
    # the options that say what was measured, not where
    words, skipped = [], False
    for word in sys.argv[1:]:
        if not skipped and not word.startswith(("--program", "--folder", "--write")):
            words.append(word)
        skipped = word in ("--program", "--folder")
    begin, end = text.index("<!-- year:"), text.index("<!-- /year -->")
    table = "\n".join([f"<!-- year: {' '.join(['bench/refresh_year.py', *words])} -->", *lines, ""])
    with open(page, "w", encoding="utf-8") as file:
        file.write(text[:begin] + table + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=f"{ROOT}/build/release/bowerbird")
    parser.add_argument("--folder", help="for temporary files")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=1000, help="fetches per day")
    parser.add_argument("--changes", type=float, default=0.14)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--warm-up", type=int, default=100)
    parser.add_argument("--time-scale", type=float, default=86_400)
    parser.add_argument("--policies", default=",".join((*OTHERS, "index", "index-age")))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--together", action="store_true", help="all policies at the same time")
    arguments = parser.parse_args()
    policies = arguments.policies.split(",")
    with concurrent.futures.ThreadPoolExecutor(len(policies) if arguments.together else 1) as pool:
        results = dict(zip(policies, pool.map(lambda policy: run(arguments, policy), policies)))
    lines = ["| policy | freshness | lab | age, days | lab | held | found a change | fetches |",
             "|---|---|---|---|---|---|---|---|"]
    for policy in policies:
        live, lab = results[policy]["live"], results[policy]["lab"]
        lines.append(f"| `{policy}` | {live['freshness']:.4f} | {lab['freshness']:.4f} | {live['age']:.4f} | "
                     f"{lab['age']:.4f} | {live['held']:.3f} | {100 * live['changed']:.1f} % | "
                     f"{live['fetches']:.0f} of {arguments.rate * arguments.days} |")
    print(f"{arguments.pages} pages, {arguments.rate} fetches per day, {arguments.days} days, measured after "
          f"{arguments.warm_up}; freshness and age by the server's truth, importance = PageRank")
    print("\n".join(lines), flush=True)
    if arguments.write:
        write(lines)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {memory:.0f} MiB")
    good = True
    for other in OTHERS:
        if not {other, "index", "index-age"} <= results.keys():
            continue
        more = results["index"]["live"]["freshness"] - results[other]["live"]["freshness"]
        share = results["index-age"]["live"]["age"] / results[other]["live"]["age"]
        met = more >= 0.03 and share <= 0.7
        good = good and met
        print(f"index: {more:+.4f} freshness, index-age: {share:.3f} of the age, compared with {other}"
              f"{'' if met else '  NOT MET'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
