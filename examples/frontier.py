"""A small crawler with asyncio: the best pages first, at most two at a time (docs/python.md).

tools/python examples/frontier.py crawls a web of its own; replace fetch() by a real one.
"""
import asyncio

import bowerbird

WEB = {f"http://example.org/{i}": [f"http://example.org/{j}" for j in (2 * i, 2 * i + 1) if j < 50] for i in range(50)}


async def fetch(url):
    await asyncio.sleep(0.001)
    return WEB[url]


async def worker(frontier, order):
    while (found := await frontier.next_ready()) is not None:
        order.append(found.url)
        frontier.complete(found.url, await fetch(found.url))


async def main():
    with bowerbird.Frontier(policy="fpr@100") as frontier:
        frontier.add(["http://example.org/1"])
        order = []
        await asyncio.gather(*(worker(frontier, order) for _ in range(2)))
        print(f"{len(order)} pages, beginning with {order[:4]}")


asyncio.run(main())
