#!/usr/bin/env python3
"""How much one page with links to hostile hosts slows down the crawl of all other hosts.

usage: bench/attacks.py [BOWERBIRD] [--policies bfs,lipr] [--connections N]

60 good hosts are crawled with --delay 0.5, undisturbed and next to each attack. The first page of the first host links
to all hostile ones. Counted are the pages that the good hosts served in the first five seconds; the same number without
the attack is 100 %. Exit status 1 if an attack leaves less than 90 %. Names, web servers and crawler are all on
loopback: this program is the name server and every web server.
"""
import argparse
import asyncio
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

GOOD = 60
SECONDS = 5
ATTACKS = {  # name: number of hostile hosts, whether they are of one domain and address
    "none": (0, False),
    "wildcard DNS": (400, True),
    "silent DNS": (1000, False),
    "hanging robots.txt": (1000, False),
    "headers byte by byte": (1000, False),
    "bodies byte by byte": (1000, False),
}


class NameServer(threading.Thread):
    """Good hosts are at 127.1.0.N, hostile ones at 127.2.N.N, or all at 127.3.0.1."""

    def __init__(self, attack):
        super().__init__(daemon=True)
        self.attack = attack
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def address(self, name):
        number = int("".join(c for c in name.split(".")[0] if c.isdigit()))
        if name.startswith("good"):
            return bytes([127, 1, 0, number + 1])
        if self.attack == "silent DNS":
            return None
        return bytes([127, 3, 0, 1]) if ATTACKS[self.attack][1] else bytes([127, 2, number // 250, number % 250 + 1])

    def run(self):
        while True:
            query, sender = self.socket.recvfrom(512)
            labels, at = [], 12
            while query[at]:
                labels.append(query[at + 1:at + 1 + query[at]].decode())
                at += query[at] + 1
            kind = struct.unpack(">H", query[at + 1:at + 3])[0]
            address = self.address(".".join(labels))
            if address is None:
                continue
            answers = b"\xc0\x0c\0\1\0\1\0\0\x0e\x10\0\4" + address if kind == 1 else b""
            head = query[:2] + b"\x81\x80\0\1" + struct.pack(">H", 1 if answers else 0) + b"\0\0\0\0"
            self.socket.sendto(head + query[12:at + 5] + answers, sender)


class Web(threading.Thread):
    def __init__(self, attack):
        super().__init__(daemon=True)
        self.attack = attack
        self.pages = []  # request times of pages of good hosts
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.answer, "0.0.0.0", 0, backlog=4096)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    def body(self, host, path):
        number = int(path[1:] or 0)
        links = ""
        if host.startswith("good0.") and number == 0:
            count, one_domain = ATTACKS[self.attack]
            links = "".join(f"<a href=http://{f'h{i}.evil' if one_domain else f'evil{i}'}.test:{self.port}/>x</a>"
                            for i in range(count))
        return (links + "".join(f"<a href=/{n}>x</a>" for n in range(number + 1, number + 4))).encode()

    async def answer(self, reader, writer):
        try:
            while True:
                request = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = request.split(" ")[1]
                host = next(line[6:] for line in request.split("\r\n") if line.lower().startswith("host: "))
                good = host.startswith("good")
                if path == "/robots.txt":
                    if not good and self.attack == "hanging robots.txt":
                        await asyncio.sleep(600)
                    writer.write(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
                    continue
                body = self.body(host, path)
                if good:
                    self.pages.append(time.monotonic())
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
                if not good and self.attack == "headers byte by byte":
                    head = head[:-2] + b"X: " + b"x" * 10000 + b"\r\n\r\n"
                    await self.trickle(writer, head)
                writer.write(head)
                if not good and self.attack == "bodies byte by byte":
                    await self.trickle(writer, body)
                writer.write(body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @staticmethod
    async def trickle(writer, data):
        for i in range(len(data)):
            writer.write(data[i:i + 1])
            await asyncio.sleep(0.25)
            if writer.is_closing():
                raise ConnectionError


def measure(program, attack, policy, connections):
    """Pages of good hosts in the first seconds."""
    names, web = NameServer(attack), Web(attack)
    names.start()
    web.start()
    web.ready.wait()
    with tempfile.TemporaryDirectory() as folder:
        seeds = pathlib.Path(folder) / "seeds"
        seeds.write_text("".join(f"http://good{i}.test:{web.port}/\n" for i in range(GOOD)))
        subprocess.run([program, "crawl", "--seed-file", seeds, "--out", f"{folder}/crawl", "--dns", f"127.0.0.1:{names.port}",
                        "--contact", "bench@bowerbird.example", "--allow-net", "127.0.0.0/8", "--scope", "any", "--delay", "0.5",
                        "--policy", policy, "--connections", str(connections), "--time", f"{SECONDS + 2}s", "--quiet",
                        "--no-durable", "--no-report"],
                       check=True, stdout=subprocess.DEVNULL)
    return sum(at < web.pages[0] + SECONDS for at in web.pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("program", nargs="?", default=root / "build/release/bowerbird")
    parser.add_argument("--policies", default="bfs,lipr")
    parser.add_argument("--connections", type=int, default=256)
    options = parser.parse_args()
    failed = False
    print(f"{'ordering':<10} {'attack':<22} {'good pages in ' + str(SECONDS) + ' s':>19} {'':>7}")
    for policy in options.policies.split(","):
        undisturbed = None
        for attack in ATTACKS:
            pages = measure(options.program, attack, policy, options.connections)
            undisturbed = undisturbed or pages
            failed |= pages < 0.9 * undisturbed
            print(f"{policy:<10} {attack:<22} {pages:>19} {100 * pages / undisturbed:>5.0f} %", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
