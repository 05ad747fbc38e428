#!/usr/bin/python3
"""How fast is `bowerbird export` next to other extractors of main text, over the same pages in the same run?

bench/export_peers.py [FOLDER] [--program FILE] [--mb N] [--seconds S]

FOLDER holds HTML files ($BENCH/www, else ~/benchdata/www: the documentation corpus that html_corpus.h names). They are packed into a WARC file, which
`bowerbird export --as jsonl` reads with two threads. python3-readability and lxml (Debian) and Readability.js with
jsdom 22 (npm) read the same pages from memory in two processes, each for at most S seconds. Those that are not
installed are left out. Checked: the export has a line per distinct page, and each line parses. bench/performance.py puts
the table into docs/performance.md."""
import argparse
import importlib.util
import json
import multiprocessing
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

READABILITY_JS = """
const { JSDOM } = require("jsdom"), { Readability } = require("@mozilla/readability"), fs = require("fs");
const [seconds, ...files] = process.argv.slice(2);
const end = Date.now() + 1000 * Number(seconds);
let pages = 0, bytes = 0;
for (const file of files) {
  if (Date.now() > end) break;
  const html = fs.readFileSync(file, "utf8");
  try { new Readability(new JSDOM(html).window.document).parse(); } catch (e) {}
  ++pages; bytes += html.length;
}
console.log(JSON.stringify([pages, bytes]));
"""


def processor_seconds():
    """CPU seconds of child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Stopwatch:
    def __init__(self):
        self.began, self.used = time.monotonic(), processor_seconds()

    def stop(self):
        return time.monotonic() - self.began, processor_seconds() - self.used


def html_files(folder, limit):
    files, size = [], 0
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".htm") and path.is_file() and not path.is_symlink():
            files.append(path)
            size += path.stat().st_size
    step = max(1, size // limit)
    return files[::step]


def write_warc(path, files):
    with open(path, "wb") as out:
        for number, file in enumerate(files):
            body = file.read_bytes()
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            out.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                      b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"
                      b"WARC-Target-URI: http://docs.example/%d\r\nContent-Type: application/http; msgtype=response\r\n"
                      b"Content-Length: %d\r\n\r\n" % (number, number, len(block)) + block + b"\r\n\r\n")


def bowerbird(program, files, work):
    warc, out = work / "pages.warc", work / "pages.jsonl"
    write_warc(warc, files)
    watch = Stopwatch()
    subprocess.run([program, "export", warc, "--as", "jsonl", "--threads", "2", "--dedup", "none", "-q", "-o", out],
                   check=True, stdout=subprocess.DEVNULL)
    times = watch.stop()
    with open(out, encoding="utf-8") as lines:
        pages = sum(1 for line in lines if json.loads(line)["url"])
    assert pages == len(files), (pages, len(files))
    return pages, sum(file.stat().st_size for file in files), times


def python_worker(job):
    name, files, seconds = job
    if name == "lxml":
        import lxml.html
        read = lambda html: lxml.html.fromstring(html).text_content()
    else:
        import readability
        read = lambda html: readability.Document(html).summary()
    end, pages, size = time.monotonic() + seconds, 0, 0
    for file in files:
        if time.monotonic() > end:
            break
        html = file.read_bytes()
        try:
            read(html)
        except Exception:  # pages that fail count too
            pass
        pages, size = pages + 1, size + len(html)
    return pages, size


def python_peer(name, files, seconds):
    watch = Stopwatch()
    with multiprocessing.Pool(2) as pool:
        results = pool.map(python_worker, [(name, files[i::2], seconds) for i in range(2)])
        pool.close()
        pool.join()
    return sum(r[0] for r in results), sum(r[1] for r in results), watch.stop()


def node_peer(files, seconds, work):
    npm = work / "npm"
    npm.mkdir()
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", npm, "jsdom@22", "@mozilla/readability"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    script = npm / "read.js"
    script.write_text(READABILITY_JS)
    watch = Stopwatch()
    runs = [subprocess.Popen(["node", script, str(seconds), *files[i::2][:2000]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for i in range(2)]
    results = [json.loads(run.communicate()[0]) for run in runs]
    return sum(r[0] for r in results), sum(r[1] for r in results), watch.stop()


def has_module(name):
    return importlib.util.find_spec(name) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?",
                        default=pathlib.Path(os.environ.get("BENCH", pathlib.Path.home() / "benchdata")) / "www")
    parser.add_argument("--program", default=ROOT / "build/release/bowerbird")
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    files = html_files(options.folder, options.mb << 20)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        rows = [("bowerbird export", bowerbird(options.program, files, work))]
        for name, module in (("lxml (all text)", "lxml"), ("python3-readability", "readability")):
            if has_module(module):
                rows.append((name, python_peer(module, files, options.seconds)))
        if shutil.which("npm"):
            try:
                rows.append(("Readability.js, jsdom 22", node_peer(files, options.seconds, work)))
            except subprocess.CalledProcessError:
                pass
    print("How fast does `bowerbird export --as jsonl` write the main text and the facts of pages, compared with other "
          f"extractors? {len(files):,} pages of documentation, two threads or processes each. "
          "Verified: the export has a line per page, and each line parses.\n")
    print("| | pages/s | MB/s | pages per CPU second | pages read |\n|---|---|---|---|---|")
    for name, (pages, size, (seconds, used)) in rows:
        print(f"| {name} | {pages / seconds:,.0f} | {size / seconds / 1e6:.1f} | {pages / used:,.0f} | {pages:,} |")


if __name__ == "__main__":
    main()
