#!/usr/bin/env python3
"""How long does a WACZ take, compared with copying and hashing the same files?

    bench/wacz.py [PROGRAM] [--size 1000] [--folder FOLDER]

Crawls pages from a server of its own until the archive has --size megabytes, exports the crawl, and measures the time and
memory of the export and the time of `cp` and `sha256sum` on the same WARC files, each the best of three. Checks the result
with Python's zipfile: every entry by its CRC and, as datapackage.json says, by its SHA-256. Fails if the export takes more
than twice the time or more than 100 MB. --folder keeps the crawl for another run.
"""
import argparse
import base64
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

PAGE_BYTES = 100_000  # random bytes; a page is a third larger, and its gzip about as large


class Pages(http.server.BaseHTTPRequestHandler):
    """Page N links to the pages 2N+1 and 2N+2 and is filled with text that hardly compresses."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        name = self.path.strip("/")
        status, body = 404, b""
        if name.isdigit():
            n = int(name)
            text = base64.b64encode(random.Random(n).randbytes(PAGE_BYTES))
            links = f"<title>Page {n}</title><a href=/{2 * n + 1}>1</a> <a href=/{2 * n + 2}>2</a><p>"
            status, body = 200, links.encode() + text
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def crawl(program, folder, pages):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    subprocess.run([program, "crawl", "http://bench.example/0", "--out", folder, "--pages", str(pages), "--policy", "bfs",
                    "--connect-to", f"127.0.0.1:{server.server_address[1]}", "--allow-net", "127.0.0.0/8", "--delay", "0",
                    "--connections-per-host", "4", "--contact", "bench@example.org", "--warc", "gzip", "--quiet"], check=True)
    server.shutdown()


def timed(words):
    """Seconds and the most resident bytes of a command."""
    begun = time.monotonic()
    pid = os.spawnvp(os.P_NOWAIT, words[0], words)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"wacz: {' '.join(words)} failed")
    return time.monotonic() - begun, usage.ru_maxrss << 10


def best(words, times=3):
    runs = [timed(words) for _ in range(times)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def check(path):
    """What is wrong with the file."""
    wrong = []
    with zipfile.ZipFile(path) as archive:
        if archive.testzip():
            wrong.append("a CRC")
        package = json.loads(archive.read("datapackage.json"))
        for resource in package["resources"]:
            digest = hashlib.sha256()
            with archive.open(resource["path"]) as entry:
                while piece := entry.read(1 << 20):
                    digest.update(piece)
            if "sha256:" + digest.hexdigest() != resource["hash"]:
                wrong.append(resource["path"])
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="build/release/bowerbird")
    parser.add_argument("--size", type=int, default=1000, help="megabytes of the archive")
    parser.add_argument("--folder", help="keep the crawl here")
    given = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="bowerbird-wacz-")
    try:
        folder = given.folder or scratch + "/crawl"
        if not pathlib.Path(folder, "journal").exists():
            crawl(given.program, folder, given.size * 1_000_000 // (PAGE_BYTES + 3000))
        warcs = sorted(str(path) for path in pathlib.Path(folder, "warc").iterdir())
        size = sum(os.path.getsize(path) for path in warcs)
        out = scratch + "/x.wacz"
        export, memory = best([given.program, "export", folder, "--as", "wacz", "-o", out, "--quiet"])
        wrong = check(out)
        os.mkdir(scratch + "/copy")
        copy, _ = best(["cp", *warcs, scratch + "/copy"])
        digest, _ = best(["sh", "-c", 'sha256sum "$@" > /dev/null', "sh", *warcs])
        ratio = export / (copy + digest)
        print(json.dumps({"megabytes": round(size / 1e6), "export_s": round(export, 2), "cp_s": round(copy, 2),
                          "sha256sum_s": round(digest, 2), "ratio": round(ratio, 2), "memory_mb": round(memory / 1e6),
                          "wrong": wrong}))
        if wrong or ratio > 2 or memory > 100e6:
            sys.exit("wacz: the export is wrong, too slow or too large")
    finally:
        shutil.rmtree(scratch)


main()
