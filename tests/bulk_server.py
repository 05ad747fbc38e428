#!/usr/bin/env python3
"""A server with the _bulk interface of OpenSearch that checks every line; sends a file to it twice.

bulk_server.py FILE prints one object: documents after the first and the second import, and what was wrong.
"""
import http.server
import json
import sys
import threading
import urllib.request

documents = {}
errors = []


class Bulk(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != "/pages/_bulk":
            errors.append(f"path {self.path}")
        if self.headers["Content-Type"] != "application/x-ndjson":
            errors.append("content type")
        if not body.endswith(b"\n"):
            errors.append("the last line has no end")
        lines = body.decode("utf-8").split("\n")[:-1]
        items = []
        for action, source in zip(lines[::2], lines[1::2]):
            action = json.loads(action)
            if list(action) != ["index"] or not 0 < len(action["index"]["_id"].encode()) <= 512:
                errors.append(f"action {action}")
            document = json.loads(source)
            if not isinstance(document, dict) or "url" not in document:
                errors.append("a document without a URL")
            documents[action["index"]["_id"]] = document
            items.append({"index": {"_id": action["index"]["_id"], "status": 201}})
        if len(lines) % 2:
            errors.append("an action without a document")
        answer = json.dumps({"errors": False, "items": items}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Bulk)
threading.Thread(target=server.serve_forever, daemon=True).start()
counts = []
for _ in range(2):
    request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}/pages/_bulk", open(sys.argv[1], "rb").read(),
                                     {"Content-Type": "application/x-ndjson"})
    urllib.request.urlopen(request, timeout=20).read()
    counts.append(len(documents))
server.shutdown()
print(json.dumps({"documents": counts[0], "after_second_import": counts[1], "errors": errors}))
