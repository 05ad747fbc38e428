#!/usr/bin/env python3
"""How long does a WACZ take, compared with copying and hashing the same files?

    bench/wacz.py [PROGRAM] [--size 1000] [--folder FOLDER]

A crawl stores pages that hardly compress, until the archive has --size megabytes, and is exported. The time and memory of
the export are compared with the time of `cp` and of `sha256sum` on the same WARC files, each the best of three. Every entry
of the result is checked with Python's zipfile, by its CRC and by the SHA-256 in datapackage.json. Fails if the export takes
more than twice the time of both together, or more than 100 MB of memory.

--folder keeps the crawl for another run.
"""
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import zipfile

from capture_pages import PAGE_BYTES, arguments, page, report, scratch_folder


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        name = self.path.strip("/")
        body = page(int(name)) if name.isdigit() else b""
        self.send_response(200 if body else 404)
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
    """Seconds and peak resident bytes of a command."""
    begun = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"wacz: {' '.join(words)} failed")
    return time.monotonic() - begun, usage.ru_maxrss << 10


def best(words, times=3):
    runs = [timed(words) for _ in range(times)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def check(path):
    """The errors of the file."""
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
    given = arguments(1000)
    with scratch_folder() as scratch:
        folder = given.folder or scratch + "/crawl"
        if not pathlib.Path(folder, "journal").exists():
            crawl(given.program, folder, given.size * 1_000_000 // (PAGE_BYTES * 77 // 100))
        warcs = sorted(str(path) for path in pathlib.Path(folder, "warc").iterdir())
        size = sum(os.path.getsize(path) for path in warcs)
        out = scratch + "/x.wacz"
        export, memory = best([given.program, "export", folder, "--as", "wacz", "-o", out, "--quiet"])
        wrong = [f"{name} is wrong" for name in check(out)]
        os.mkdir(scratch + "/copy")
        copy, _ = best(["cp", *warcs, scratch + "/copy"])
        digest, _ = best(["sh", "-c", 'sha256sum "$@" > /dev/null', "sh", *warcs])
        ratio = export / (copy + digest)
        if ratio > 2:
            wrong.append("the export is too slow")
        if memory > 100e6:
            wrong.append("the export takes too much memory")
        report(__doc__.split("\n\n")[0] + " " + __doc__.split("\n\n")[2],
               {"MB": f"{size / 1e6:,.0f}", "export, s": f"{export:.2f}", "cp, s": f"{copy:.2f}", "sha256sum, s": f"{digest:.2f}",
                "ratio": f"{ratio:.2f}", "memory, MB": f"{memory / 1e6:.0f}"}, wrong)


main()
