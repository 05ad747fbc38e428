#!/usr/bin/env python3
"""What bench/memory_crawl.py and bench/known_urls_bench found, as tables and a picture of docs/memory.md.

usage: tools/figures/memory_crawl.py [--crawl RESULT.json] [--small RESULT.json] [--urls LOG]
"""
import argparse
import json
import pathlib
import re
import subprocess

document = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/memory.md"


def mib(value):
    return f"{value / (1 << 20):,.0f} MiB"


def put(mark, text):
    page = document.read_text()
    found = re.search(rf"(<!-- {mark}:[^\n]*-->\n).*?(<!-- /{mark} -->)", page, re.S)
    if not found:
        raise SystemExit(f"{document}: no place for {mark}")
    document.write_text(page[:found.start()] + found[1] + text + found[2] + page[found.end():])


def crawl_table(result):
    rows = ["| | " + " | ".join("the crawl" if run["name"] == "crawl" else "resumed" for run in result["runs"]) + " |",
            "|---|" + "---|" * len(result["runs"])]

    def row(name, value):
        rows.append(f"| {name} | " + " | ".join(value(run, run["status"], run["status"].get("memory", {})) for run in result["runs"]) + " |")

    row("seconds", lambda run, s, m: f"{run['samples'][-1][0]:,.0f}")
    row("exit status", lambda run, s, m: "none yet: taken while it ran" if run["code"] is None else str(run["code"]))
    row("peak resident memory, by the kernel", lambda run, s, m: f"{mib(run['most'])}, {run['most'] / result['memory']:.3f} of the budget")
    row("minimum to maximum in the second half, sampled each second", lambda run, s, m: "{} to {}".format(
        *(mib(f(v for t, v in run["samples"][len(run["samples"]) // 2:])) for f in (min, max))))
    row("pages fetched in total", lambda run, s, m: f"{s['pages']:,}")
    row("URLs known", lambda run, s, m: f"{s['known']:,}")
    row("queued", lambda run, s, m: f"{s['queued']:,}")
    row("fingerprints of URLs on disk", lambda run, s, m: f"{m.get('urls_on_disk', 0):,}")
    row("hosts on disk", lambda run, s, m: f"{m.get('hosts_on_disk', 0):,}")
    row("queue entries on disk", lambda run, s, m: f"{m.get('queued_on_disk', 0):,}" if "queued_on_disk" in m else "not recorded by that build")
    row("links looked up on disk", lambda run, s, m: f"{m.get('links_asked_of_disk', 0):,}")
    row("new URLs rejected", lambda run, s, m: f"{s['turned_away']:,}, worth {s['turned_away_worth']:.3g}")
    parts = sorted(result["runs"][0]["status"]["memory"]["parts"].items(), key=lambda part: -part[1])
    for name, _ in parts:
        row(f"memory at the end: {name}", lambda run, s, m, name=name: mib(m["parts"].get(name, 0)))
    return "\n".join(rows) + "\n"


def picture(result):
    """docs/img/memory_crawl.svg: resident memory and known URLs against time."""
    run = result["runs"][0]
    plot = f"""set terminal svg size 860,360 font "DejaVu Sans,13" background "white"
set output "{document.parent / 'img/memory_crawl.svg'}"
set xlabel "minutes"
set ylabel "resident memory, MiB"
set y2label "URLs known, millions"
set ytics nomirror
set y2tics
set yrange [0:*]
set y2range [0:*]
set key bottom right
set grid lc rgb "#dddddd"
budget = {result["memory"] / (1 << 20)}
plot budget lw 2 dt 2 lc rgb "#999999" title "the budget", \\
     "-" using 1:2 with lines lw 2.5 lc rgb "#0072b2" title "resident memory", \\
     "-" using 1:2 axes x1y2 with lines lw 2.5 lc rgb "#d55e00" title "URLs known (right)"
"""
    for points in ([(t / 60, value / (1 << 20)) for t, value in run["samples"]], [(t / 60, known / 1e6) for t, _, known in run["pages"]]):
        plot += "".join(f"{x} {y}\n" for x, y in points) + "e\n"
    subprocess.run(["gnuplot"], input=plot, text=True, check=True)


def urls_table(text):
    rows = ["| known URLs | look-ups/s | per CPU second | decisions/s | per CPU second | resident | peak | memory per URL | disk per URL | peak disk per URL | looked up on disk | wrong |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    pattern = (r"([\d,]+) URLs  (\d+) \((\d+)\) offers/s  (\d+) \((\d+)\) decisions/s +([\d.]+ \wiB) resident \(most ([\d.]+ \wiB)\), "
               r"([\d.]+) bytes a URL in memory, ([\d.]+) on disk \(most ([\d.]+)\).*?([\d.]+) % asked of the disk, \d+ reads; (\d+) wrong")
    found = list(re.finditer(pattern, text))
    for m in found:
        known, wall, own, decided, decided_own, resident, most, memory, disk, most_disk, asked, wrong = m.groups()
        rows.append(f"| {known} | {int(wall):,} | {int(own):,} | {int(decided):,} | {int(decided_own):,} | {resident} | {most} | {memory} B | {disk} B | {most_disk} B | {asked} % | {wrong} |")
    plain = re.search(r"unordered_set \+ priority_queue +(\d+) URLs  (\d+) \((\d+)\) offers/s  ([\d.]+ \wiB) memory, (\d+) bytes a URL", text)
    if plain:
        urls, wall, own, memory, each = plain.groups()
        rows.append(f"| `unordered_set<string>` and `priority_queue`, {int(urls):,} | {int(wall):,} | {int(own):,} | | | {memory} | | {each} B | | | | |")
    stages = [(int(m[1].replace(",", "")), int(m[3])) for m in found]
    seconds = sum(5 * (urls - before) / rate for (urls, rate), (before, _) in zip(stages, [(0, 0), *stages]))
    wanted = [f"on average {5 * stages[-1][0] / seconds:,.0f} look-ups/s (target 300,000)",
              f"{int(found[-1][5]):,} decisions/s at the end (50,000)", f"at most {max(float(m[10]) for m in found):.1f} bytes of disk per URL (40)",
              f"{stages[0][1] / stages[-1][1]:.1f} times fewer look-ups/s at the end than at the beginning (3)"]
    if plain:
        same = next(m for m in found if int(m[1].replace(",", "")) >= int(plain[1]))
        wanted.append(f"{int(same[3]) / int(plain[3]):.1f} times as fast as `unordered_set<string>` and `priority_queue`, "
                      f"in {float(same[8]) / float(plain[5]):.2f} of the memory")
    budget = re.search(r"most memory ([\d.]+) of the budget of ([\d.]+ \wiB)", text)
    wanted.append(f"at most {budget[1]} of {budget[2]} (1.05)")
    return "\n".join(rows) + "\n\nPer CPU second of the thread; the targets are in brackets: " + "; ".join(wanted) + ".\n"


parser = argparse.ArgumentParser()
parser.add_argument("--crawl")
parser.add_argument("--small")
parser.add_argument("--urls")
args = parser.parse_args()
if args.crawl:
    put("crawl", crawl_table(json.load(open(args.crawl))))
    picture(json.load(open(args.crawl)))
if args.small:
    put("small", crawl_table(json.load(open(args.small))))
if args.urls:
    put("urls", urls_table(open(args.urls).read()))
