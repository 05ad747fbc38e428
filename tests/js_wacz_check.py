#!/usr/bin/env python3
"""Compares the index of our WACZ with the one that js-wacz makes of the same WARC files: js_wacz_check.py OURS THEIRS.

Prints one line of JSON: how many captures theirs has, and what of it is not in ours.
"""
import gzip
import json
import sys
import zipfile


def captures(path):
    """Lines of the index: key, URL, time, digest, status and position."""
    archive = zipfile.ZipFile(path)
    names = archive.namelist()
    packed = [name for name in names if name.startswith("indexes/") and name.endswith((".cdx.gz", ".cdxj.gz"))]
    plain = [name for name in names if name.startswith("indexes/") and name.endswith((".cdx", ".cdxj"))]
    text = gzip.decompress(archive.read(packed[0])) if packed else archive.read(plain[0])
    found = set()
    for line in text.decode().splitlines():
        if not line or line.startswith("!"):
            continue
        key, time, rest = line.split(" ", 2)
        entry = json.loads(rest)
        found.add((key, time[:14], entry["url"], entry["digest"].split(":")[-1], str(entry.get("status", "")),
                   str(entry["offset"]), str(entry["length"])))
    return found


ours, theirs = captures(sys.argv[1]), captures(sys.argv[2])
print(json.dumps({"captures": len(theirs), "missing": sorted(theirs - ours)[:5]}))
