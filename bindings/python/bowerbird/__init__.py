"""Crawl orderings, a durable URL frontier, the lab and crawl folders of Bowerbird.

    import bowerbird
    from bowerbird import lab

    graph = bowerbird.Graph.generate(pages=100_000)
    rows = lab.run(graph, ["bfs", "fpr@100", "lipr"], seeds="top:10")

docs/python.md has a five-minute start. Errors are bowerbird.Error; wrong types are TypeError.
"""
import asyncio
import time

from . import _core
from ._core import (CrawlVisit, Error, Graph, NextUrl, OrderingContext, PageLink, ParsedPage, Robots, Visit, canonical_url,
                    change_rate, load_plugin, orderings, refresh_days, refresh_policies, refresh_value, url_host, url_site)

__version__ = _core.__version__
__all__ = ["Crawl", "CrawlVisit", "Error", "Frontier", "Graph", "NextUrl", "Ordering", "OrderingContext", "PageLink",
           "ParsedPage", "Robots", "Visit", "canonical_url", "change_rate", "convert", "lab", "load_plugin", "orderings",
           "parse_page", "refresh_days", "refresh_policies", "refresh_value", "url_host", "url_site"]


def _generate(pages=1_000_000, seed=1, **options):
    """A synthetic web (docs/synthetic-web.md), computed on the fly."""
    spec = {"pages": int(pages), "seed": int(seed), **options}
    return Graph.open("synthetic:" + ",".join(f"{key}={value}" for key, value in spec.items()))


Graph.generate = staticmethod(_generate)


def convert(source, target):
    """Writes the graph `source` as `target`; the formats follow from the names."""
    Graph.open(source).save(target)


def parse_page(html, url="", content_type="", text=True):
    """Title, links and text of an HTML page, as the crawler reads it. html: bytes, or str."""
    if isinstance(html, str):
        html = html.encode()
        content_type = "text/html; charset=utf-8"
    return _core.parse_page(html, url, content_type, text)


class Ordering:
    """The base of orderings written in Python: a subclass has seed() and score(), and may have the others.

    The frontier takes the uncrawled page with the largest score, and among equals the one found first. It stores the score
    of each uncrawled page and passes it back with each further link to that page. An object is made for each run, with an
    OrderingContext.
    """

    def __init__(self, context):
        self.context = context

    def seed(self, page, share):
        """The first score of a seed; share: its part of all seeds' weight."""
        raise NotImplementedError

    def score(self, visit, pages, scores, is_new, other_host):
        """New scores of the links of a page to uncrawled pages: change `scores` in place, or return an array.

        visit: the page being crawled (Visit). The arrays have one entry for each link, in the order of the page. scores:
        the scores so far, 0 for a new page. Called once per page; must not change the ordering (use crawled() for that).
        """
        raise NotImplementedError


class Frontier(_core.Frontier):
    """A durable URL frontier: add URLs, and get the best URL that may be fetched now.

    folder: where everything is kept; None: in memory. policy: an ordering (docs/policies.md), or a class derived from
    Ordering. memory: limit in bytes, with a folder. delay: seconds between two URLs of a queue (a host, unless a queue is
    given). Times are seconds, by default those of time.time(). With a folder each call survives kill -9 once it has
    returned; commit() makes it survive a power failure too, if durable is set. A URL is a str, or a tuple (url, payload)
    or (url, payload, queue), where payload is bytes of your own. May be used from several threads.
    """

    def __init__(self, folder=None, policy="", **options):
        if isinstance(policy, type):
            policy = lab.register(policy)
        super().__init__(folder, policy, **options)
        self._changed = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __iter__(self):
        return self.urls()

    def urls(self, queue=""):
        """All known URLs with their status, in order of their first appearance."""
        at = 0
        while at is not None:
            page, at = self._page_of_urls(at, 1000, queue)
            yield from page

    def why(self, url):
        """The status of a URL, with `text`: an explanation in words; None if the URL is not known."""
        facts = self.status(url)
        if facts is None:
            return None
        score = "" if facts["score"] is None else f" with score {facts['score']:.6g}"
        texts = {
            "collected": "found on a page that is not completed yet; it enters the queue with that page",
            "queued": f"in the queue{score}",
            "leased": "handed out, and not yet completed or retried",
            "waiting": "waiting for a retry",
            "completed": "completed; it is not fetched again",
            "scheduled": "completed; it is fetched again when it is due",
            "due": f"due again{score}",
        }
        facts["text"] = texts[facts["state"]]
        if facts["state"] in ("queued", "due") and facts["queue_opens"] > time.time():
            facts["text"] += f"; its queue {facts['queue']} is closed until {facts['queue_opens']}"
        facts["policy"] = self.policy
        return facts

    # ---- asyncio

    def _event(self):
        if self._changed is None:
            self._changed = asyncio.Event()
        return self._changed

    def _notify(self):
        if self._changed is not None:
            self._changed.set()

    async def next_ready(self, *, lease=0.0, per_queue=0):
        """Waits until a URL may be fetched. None: the queue is empty and nothing is in process, so none will come.

        Call complete(), retry() and add() in the same event loop: they wake the waiters.
        """
        event = self._event()
        while True:
            event.clear()
            found = self.next(lease=lease, per_queue=per_queue)
            if found is not None:
                return found
            opens = self.next_opening()
            if opens is None and self.stats()["in_process"] == 0:
                event.set()  # the other waiters end too
                return None
            try:
                await asyncio.wait_for(event.wait(), None if opens is None else max(0.0, opens - time.time()))
            except asyncio.TimeoutError:
                pass


def _waking(name):
    method = getattr(_core.Frontier, name)

    def call(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        self._notify()
        return result

    call.__name__ = name
    call.__doc__ = _DOCS[name]
    return call


_DOCS = {
    "add": "Adds seeds; weights are relative to their sum. Returns how many are new, known and rejected.",
    "discover": "Adds links of `parent`, which count when it is completed; without a parent they get a small weight.",
    "complete": "Records that a URL was fetched, or failed permanently; links: its links. due: when to fetch "
                "it again. Returns how many links are new, known and rejected.",
    "retry": "Retries a URL that was handed out, not before `due` (default: at once).",
    "schedule": "Fetches a completed URL again at `due`; None: never again.",
    "set_delay": "Seconds between two URLs of a queue; without a queue: the default for all queues.",
    "block_until": "No URL of the queue is handed out before this time.",
    "set_limit": "Maximum number of URLs of the queue that are completed or in process; 0: no limit.",
    "open_queue": "Ends a block by the gate function of next().",
    "remove": "Deletes a URL; False if it is not known. The ordering keeps what it has learned from it.",
    "remove_queue": "Deletes all URLs of a queue; returns their number.",
}
for _name in _DOCS:
    setattr(Frontier, _name, _waking(_name))
del _name


class Crawl(_core.Crawl):
    """The folder of a crawl, as of its last commit; the crawl may be running."""

    def pages(self):
        """The first visit of each fetched page, in the order of fetching."""
        seen = set()
        for visit in self.visits():
            if visit.page not in seen:
                seen.add(visit.page)
                yield visit

    def visits(self):
        """All fetches of pages, in order."""
        for number in range(self._captures):
            visit = self._visit(number)
            if visit is not None:
                yield visit

    def links(self):
        """(page, targets, followed) for each crawled page: page ids, as NumPy arrays."""
        pages, offsets, targets, followed = self._links()
        for i, page in enumerate(pages):
            row = slice(offsets[i], offsets[i + 1])
            yield int(page), targets[row], followed[row].astype(bool)

    def texts(self):
        """(visit, ParsedPage) for each HTML page with a body."""
        for visit in self.pages():
            if visit.status == 200 and visit.mime in ("text/html", "application/xhtml+xml"):
                yield visit, parse_page(self.body(visit), visit.url, visit.mime)

    def graph(self):
        """The links as a Graph; page i is page i of the crawl."""
        return Graph.open(self._folder)

    def __init__(self, folder):
        super().__init__(folder)
        self._folder = str(folder)


from . import lab  # noqa: E402 (it needs the names above)
