#!/usr/bin/env python3
"""The study of parallel crawling [001] on the graphs at hand: draws docs/img/parallel.svg and renews the tables in
docs/parallel.md (between its two marker lines). Everything is measured by `bowerbird lab`.

usage: tools/figures/parallel.py [dynamic]    ($BOWERBIRD_DATA has the real graphs, default ../shared/data)

With `dynamic`, only the rows of dynamic coordination are measured and renewed; the picture has nothing of them.
"""
import json
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
data = pathlib.Path(os.environ.get("BOWERBIRD_DATA", root.parent / "shared/data"))
GRAPHS = [
    ("cnr-2000", [str(data / "cnr-2000-nat/cnr-2000-nat"), "--hosts", str(data / "cnr-2000-nat/cnr-2000-nat.blocks.gz")]),
    ("uci-ics-2019", [str(data / "uci-ics-2019/uci-ics-2019")]),
    ("synthetic, 300 k", ["synthetic:pages=300k"]),
]
PROCS = [1, 2, 4, 8, 16, 32, 64]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
DASHES = ["", "6 3", "2 3", "8 3 2 3"]


def lab(graph, *options):
    """The runs of one call; each has "team" and the figures."""
    command = [str(root / "run"), "lab", *graph, "--no-baselines", "--quiet", "--json", *map(str, options)]
    print("  " + " ".join(command[1:]), file=sys.stderr)
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)["runs"]


def by_procs(graph, mode, partition, *options):
    return lab(graph, "--procs", ",".join(map(str, PROCS)), "--mode", mode, "--partition", partition, *options)


def measure(name, graph):
    print(f"== {name}", file=sys.stderr)
    found = {}
    host = ("--policies", "bfs", "--seeds", "random:64")
    found["firewall, by host"] = by_procs(graph, "firewall", "host-hash", *host)
    found["firewall, by URL"] = by_procs(graph, "firewall", "url-hash", *host)
    found["seeds"] = [(seeds, lab(graph, "--policies", "bfs", "--seeds", f"random:{seeds}", "--procs", 8,
                                  "--mode", "firewall", "--partition", "host-hash")[0])
                      for seeds in (8, 64, 512, 4096)]
    reachable = max(run["crawled"] for run in found["firewall, by host"])
    found["cross-over"] = [lab(graph, *host, "--procs", 4, "--mode", "cross-over", "--partition", "host-hash",
                               "--pages", int(reachable * share))[0] for share in (0.5, 0.8, 1.2, 1.6, 2.4, 4)]
    found["exchange, by host"] = by_procs(graph, "exchange", "host-hash", "--policies", "fpr")
    found["exchange, by URL"] = by_procs(graph, "exchange", "url-hash", "--policies", "fpr")
    found["no scores"] = by_procs(graph, "exchange", "host-hash", "--policies", "fpr", "--no-scores")
    found["batch"] = [(batch, lab(graph, "--policies", "fpr", "--procs", 16, "--partition", "host-hash",
                                  "--batch", batch)[0]) for batch in (1, 10, 100, 1000, 10000)]
    found["replicate"] = [(count, lab(graph, "--policies", "fpr", "--procs", 16, "--partition", "host-hash",
                                      *(("--replicate", count) if count else ()))[0])
                          for count in (0, 10, 100, 1000, 10000)]
    found["learn"] = [(count, lab(graph, "--policies", "fpr", "--procs", 16, "--partition", "host-hash",
                                  *(("--replicate", count, "--learn") if count else ()))[0])
                      for count in (0, 10, 100, 1000, 10000)]
    found["dynamic"] = dynamic(graph)
    return found


def dynamic(graph):
    return by_procs(graph, "exchange", "host-hash", "--policies", "fpr", "--coordination", "dynamic")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


BY_PROCS = (("URLs sent per page", "exchanged", 3), ("auc", "auc", 4),
            ("pages of the busiest process over the mean", "balance", 2))


def exchange_heading(what):
    return f"Exchange mode (fpr, batches of 100 pages), {what}, by processes:\n\n"


def exchange_row(label, runs, key, digits):
    return [label, *(f"{run[key]:.{digits}f}" for run in runs)]


def renew_dynamic(page):
    """The page with the rows of dynamic coordination measured anew."""
    found = [(name, dynamic(graph)) for name, graph in GRAPHS]
    for what, key, digits in BY_PROCS:
        before, rest = page.split(exchange_heading(what))
        table, after = rest.split("\n\n", 1)
        lines = table.split("\n")
        for name, runs in found:
            row = exchange_row(f"{name}, by host, dynamic", runs, key, digits)
            place = next(i for i, line in enumerate(lines) if line.startswith(f"| {row[0]} |"))
            lines[place] = "| " + " | ".join(row) + " |"
        page = before + exchange_heading(what) + "\n".join(lines) + "\n\n" + after
    return page


def tables(found):
    text = "Coverage in firewall mode (bfs, 64 random seeds), by processes:\n\n"
    head = ["graph, partition", *map(str, PROCS)]
    rows = [[f"{name}, {how}", *(f"{run['coverage']:.3f}" for run in all[f"firewall, {how}"])]
            for name, all in found for how in ("by host", "by URL")]
    text += table(head, rows)
    text += "\nCoverage in firewall mode with 8 processes, by host, by random seeds:\n\n"
    text += table(["graph", *(str(seeds) for seeds, _ in found[0][1]["seeds"])],
                  [[name, *(f"{run['coverage']:.3f}" for _, run in all["seeds"])] for name, all in found])
    text += "\nOverlap in cross-over mode (4 processes, by host), as coverage grows (coverage: overlap):\n\n"
    text += table(["graph", *["" for _ in found[0][1]["cross-over"]]],
                  [[name, *(f"{run['coverage']:.2f}: {run['overlap']:.2f}" for run in all["cross-over"])]
                   for name, all in found])
    for what, key, digits in BY_PROCS:
        text += "\n" + exchange_heading(what)
        rows = []
        for name, all in found:
            for how in ("exchange, by host", "exchange, by URL", "no scores", "dynamic"):
                if key == "exchanged" and how == "no scores":
                    continue
                label = {"no scores": "by host, no scores", "dynamic": "by host, dynamic"}.get(how, how[10:])
                rows.append(exchange_row(f"{name}, {label}", all[how], key, digits))
        text += table(head, rows)
    text += "\nExchange mode (fpr, 16 processes, by host), auc and URLs sent per page, by batch size in pages:\n\n"
    text += table(["graph", *(str(batch) for batch, _ in found[0][1]["batch"])],
                  [[name, *(f"{run['auc']:.4f}, {run['exchanged']:.3f}" for _, run in all["batch"])]
                   for name, all in found])
    text += "\nThe same in batches of 100, URLs sent per page, by replicated URLs:\n\n"
    rows = []
    for name, all in found:
        rows.append([f"{name}, given", *(f"{run['exchanged']:.4f}" for _, run in all["replicate"])])
        rows.append([f"{name}, learned", *(f"{run['exchanged']:.4f}" for _, run in all["learn"])])
    text += table(["graph", *(str(count) for count, _ in found[0][1]["replicate"])], rows)
    return text


def panel(x, y, title, across, up, labels, series, top=None):
    """One plot of 260 x 150 at (x, y); the values of a series stand above `labels`, evenly spaced."""
    width, height = 260, 150
    highest = top or max([value for _, values in series for value in values] + [1e-9]) * 1.05
    px = lambda i: x + 40 + i * (width - 50) / max(1, len(labels) - 1)
    py = lambda value: y + 20 + height * (1 - value / highest)
    out = [f'<text x="{x + 40}" y="{y + 8}" class="t">{title}</text>']
    for i in range(5):
        value = highest * i / 4
        out.append(f'<line x1="{x + 40}" x2="{x + width - 10}" y1="{py(value):.1f}" y2="{py(value):.1f}" class="g"/>')
        out.append(f'<text x="{x + 36}" y="{py(value) + 3:.1f}" class="a" text-anchor="end">{value:.2g}</text>')
    for i, label in enumerate(labels):
        out.append(f'<text x="{px(i):.1f}" y="{y + height + 34}" class="a" text-anchor="middle">{label}</text>')
    out.append(f'<text x="{x + 40 + (width - 50) / 2}" y="{y + height + 48}" class="a" text-anchor="middle">{across}</text>')
    for number, (_, values) in enumerate(series):
        points = " ".join(f"{px(i):.1f},{py(value):.1f}" for i, value in enumerate(values))
        out.append(f'<polyline points="{points}" stroke="{COLOURS[number]}" stroke-dasharray="{DASHES[number]}"/>')
        out += [f'<circle cx="{px(i):.1f}" cy="{py(value):.1f}" r="2.5" fill="{COLOURS[number]}"/>'
                for i, value in enumerate(values)]
    return "\n".join(out)


def picture(found):
    pick = lambda key, field: [(name, [run[field] for run in all[key]]) for name, all in found]
    pairs = lambda key, field: [(name, [run[field] for _, run in all[key]]) for name, all in found]
    one = lambda all, field, key: [run[field] / all["exchange, by host"][0][field] for run in all[key]]
    batches = [str(batch) for batch, _ in found[0][1]["batch"]]
    counts = [str(count) for count, _ in found[0][1]["replicate"]]
    share = [(name, [run["exchanged"] / max(1e-9, all["replicate"][0][1]["exchanged"]) for _, run in all["replicate"]])
             for name, all in found]
    seeds = [str(number) for number, _ in found[0][1]["seeds"]]
    panels = [
        ("coverage, firewall, by host", "processes", PROCS, pick("firewall, by host", "coverage"), 1.05),
        ("coverage, firewall, 8 processes", "random seeds", seeds, pairs("seeds", "coverage"), 1.05),
        ("overlap, cross-over, 4 processes", "pages fetched / reachable", [0.5, 0.8, 1.2, 1.6, 2.4, 4],
         pick("cross-over", "overlap"), None),
        ("auc over that of one process, exchange", "processes", PROCS,
         [(name, one(all, "auc", "exchange, by host")) for name, all in found], 1.1),
        ("URLs sent per page, exchange, by host", "processes", PROCS, pick("exchange, by host", "exchanged"), None),
        ("URLs sent, against none replicated", "replicated URLs", counts, share, 1.05),
    ]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 480" font-family="sans-serif" role="img">',
           "<title>Parallel crawling: coverage, overlap, quality and communication</title>",
           "<style>.t{font-size:11px;font-weight:bold}.a{font-size:9px}.g{stroke:#ccc;stroke-width:.5}"
           "polyline{fill:none;stroke-width:1.8}</style>", '<rect width="860" height="480" fill="#fff"/>']
    for number, (title, across, labels, series, top) in enumerate(panels):
        out.append(panel(10 + number % 3 * 283, 14 + number // 3 * 215, title, across, "", labels, series, top))
    for number, (name, _) in enumerate(found):
        x = 200 + 170 * number
        out.append(f'<line x1="{x}" x2="{x + 30}" y1="462" y2="462" stroke="{COLOURS[number]}" stroke-width="2" '
                   f'stroke-dasharray="{DASHES[number]}"/><text x="{x + 36}" y="466" class="a">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    if sys.argv[1:] == ["dynamic"]:
        page = root / "docs/parallel.md"
        page.write_text(renew_dynamic(page.read_text()))
        return
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    found = [(name, measure(name, graph)) for name, graph in GRAPHS]
    (root / "docs/img/parallel.svg").write_text(picture(found))
    page = root / "docs/parallel.md"
    before, rest = page.read_text().split("<!-- measured: begin -->\n")
    after = rest.split("<!-- measured: end -->\n")[1]
    page.write_text(f"{before}<!-- measured: begin -->\n{tables(found)}<!-- measured: end -->\n{after}")


main()
