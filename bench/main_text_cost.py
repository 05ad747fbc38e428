#!/usr/bin/python3
"""What does `crawl --main-text` cost? Crawls the same pages with and without it.

bench/main_text_cost.py FOLDER [--start PATH] [--program FILE] [--pages N] [--write]

FOLDER holds a site (docs/performance.md says where to find one), which a server on 127.0.0.1 serves. Processor time and
size of the archive are those of the crawler alone, so other load hardly matters. Checked: both crawls store the same
number of pages, and the second one a text for most of them. --write puts the table into docs/text.md."""
import argparse
import functools
import gzip
import http.server
import pathlib
import resource
import subprocess
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- cost: bench/main_text_cost.py -->\n", "<!-- end of cost -->\n"


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass


def crawl(options, port, out, extra):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([options.program, "crawl", f"http://127.0.0.1:{port}/{options.start}", "--contact", "bench@bower.example",
                    "--allow-net", "127.0.0.0/8", "--delay", "0", "--pages", str(options.pages), "--out", out, "-q", *extra],
                   check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    files = sorted((out / "warc").iterdir())
    records = b"".join(gzip.open(file).read() for file in files)
    counts = [records.count(b"\r\nWARC-Type: " + kind + b"\r\n") for kind in (b"response", b"conversion")]
    return seconds, sum(file.stat().st_size for file in files), *counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--start", default="", help="where the crawl begins, in the folder")
    parser.add_argument("--program", default=ROOT / "build/release/bowerbird")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(options.folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        rows = [(name, crawl(options, server.server_port, pathlib.Path(folder) / str(len(extra)), extra))
                for name, extra in (("without", []), ("with `--main-text`", ["--main-text"]))]
    server.shutdown()
    (_, (_, _, pages, _)), (_, (_, _, same, texts)) = rows
    assert pages == same and 2 * texts > pages, (pages, same, texts)
    table = "| crawl | pages | CPU time per page | archive per page |\n|---|---|---|---|\n"
    for name, (seconds, size, responses, _) in rows:
        table += f"| {name} | {responses} | {1000 * seconds / responses:.2f} ms | {size / responses / 1000:.1f} kB |\n"
    print(table)
    if options.write:
        target = ROOT / "docs/text.md"
        page = target.read_text()
        at, to = page.index(BEGIN) + len(BEGIN), page.index(END)
        target.write_text(page[:at] + table + page[to:])


if __name__ == "__main__":
    main()
