#!/usr/bin/env python3
"""Which pages of the peers' corpus can a crawler reach that obeys `meta robots: nofollow`?

usage: bench/crawl_reach.py small|full     (its server is up: serve.sh start of the harness)

The harness has a judge, reach.py, which obeys robots.txt and follows every link. Here it runs as it is, but of a page
that says nofollow it gets an empty page, so that it finds no links there. The list is compared with the judge's own, as
conf/followed-SET.txt; it is made once.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
peers = pathlib.Path(os.environ.get("BOWERBIRD_PEERS", root / "../shared/peers")).resolve()
data = pathlib.Path(os.environ.get("BENCH", pathlib.Path.home() / "benchdata"))

META = re.compile(rb"<meta\b[^>]*>", re.IGNORECASE)
ROBOTS = re.compile(rb"name\s*=\s*[\"']?robots\b", re.IGNORECASE)
FORBIDS = re.compile(rb"content\s*=\s*(\"[^\"]*|'[^']*|[^\s>]*)\b(nofollow|none)\b", re.IGNORECASE)


def says_nofollow(body):
    return any(ROBOTS.search(tag) and FORBIDS.search(tag) for tag in META.findall(body))


def followed(which):
    """The URLs of the list, which is created if it is missing."""
    listed = data / f"conf/followed-{which}.txt"
    if not listed.exists():
        subprocess.run(["ip", "netns", "exec", "bench", "/usr/bin/python3", __file__, which], check=True, stdout=sys.stderr)
    return set(listed.read_text().split("\n")[:-1])


def make(which):
    import http.client
    import runpy
    plain = http.client.HTTPResponse.read

    def read(response, *sizes):
        body = plain(response, *sizes)
        return b"" if says_nofollow(body) else body

    http.client.HTTPResponse.read = read
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(data / "conf", pathlib.Path(folder) / "conf")
        sys.argv = [str(peers / "reach.py"), folder, which]
        runpy.run_path(sys.argv[0], run_name="__main__")
        lines = (pathlib.Path(folder) / f"conf/reachable-{which}.txt").read_text().splitlines()
    made = data / f"conf/followed-{which}.txt.new"
    made.write_text("".join(line.split("\t")[0] + "\n" for line in lines))
    made.rename(made.with_suffix(""))


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else "small")
