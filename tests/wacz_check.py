#!/usr/bin/env python3
"""Reads a WACZ with Python's own zipfile and checks everything that other tools rely on: wacz_check.py FILE.

Prints one line of JSON: entries, pages, index lines, and what is wrong.
"""
import gzip
import hashlib
import io
import json
import sys
import zipfile

wrong = []
archive = zipfile.ZipFile(sys.argv[1])
if archive.testzip():
    wrong.append("a checksum is wrong")
names = archive.namelist()
for info in archive.infolist():
    if info.compress_type != zipfile.ZIP_STORED:
        wrong.append(f"{info.filename}: not stored")


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


package_text = archive.read("datapackage.json")
package = json.loads(package_text)
digest = json.loads(archive.read("datapackage-digest.json"))
if digest != {"path": "datapackage.json", "hash": sha256(package_text)}:
    wrong.append("datapackage-digest.json")
for resource in package["resources"]:
    data = archive.read(resource["path"])
    if len(data) != resource["bytes"] or sha256(data) != resource["hash"]:
        wrong.append(f"{resource['path']}: length or hash")
listed = {resource["path"] for resource in package["resources"]}
if listed | {"datapackage.json", "datapackage-digest.json"} != set(names):
    wrong.append("datapackage.json does not list every entry")

index = archive.read("indexes/index.cdx.gz")
lines = gzip.decompress(index).decode().splitlines()
if lines != sorted(lines):
    wrong.append("the index is not sorted")
blocks = archive.read("indexes/index.idx").decode().splitlines()
if not blocks[0].startswith("!meta 0 {"):
    wrong.append("index.idx does not begin with its format")
at = 0
for block in blocks[1:]:
    place = json.loads(block[block.index(" {"):])
    packed = index[place["offset"]:place["offset"] + place["length"]]
    first = gzip.decompress(packed).decode().splitlines()[0]
    if place["offset"] != at or sha256(packed) != place["digest"] or not first.startswith(block[:block.index(" {")]):
        wrong.append(f"index.idx: {block}")
    at += place["length"]
if at != len(index):
    wrong.append("index.idx does not cover the index")

urls = set()
present, wanted = set(), set()  # payloads of responses, and those that revisits refer to
warcs = {name: archive.read(name) for name in names if name.startswith("archive/")}
for line in lines:
    entry = json.loads(line[line.index(" {"):])
    warc = warcs["archive/" + entry["filename"]]
    begin = int(entry["offset"])
    member = io.BytesIO(warc[begin:begin + int(entry["length"])])
    record = gzip.GzipFile(fileobj=member).read().decode("latin-1")
    if not record.startswith("WARC/1.") or f"\r\nWARC-Target-URI: {entry['url']}\r\n" not in record:
        wrong.append(f"no record at the place of {line}")
    urls.add(entry["url"])
    digest = entry["digest"].removeprefix("sha1:")
    (wanted if "\r\nWARC-Type: revisit\r\n" in record else present).add(digest)
pages = [json.loads(line) for line in archive.read("pages/pages.jsonl").decode().splitlines()][1:]
for page in pages:
    if page["url"] not in urls:
        wrong.append(f"{page['url']}: a page that is not in the index")
# How many records there are, and of which type the first of each file is.
records = 0
first = set()
for name, warc in warcs.items():
    text = gzip.decompress(warc).decode("latin-1") if warc else ""
    records += text.count("WARC/1.1\r\nWARC-Type: ")
    if not name.endswith("full-responses.warc.gz"):
        first.add(text.split("WARC-Type: ", 1)[1].split("\r\n", 1)[0])
print(json.dumps({"records": records, "first": ",".join(sorted(first)), "dangling": len(wanted - present),
                  "entries": names, "pages": pages, "lines": len(lines), "urls": len(urls),
                  "main": package.get("mainPageUrl"), "wrong": wrong}))
