"""Best pages first for Scrapy (docs/scrapy.md). Three lines of settings:

    SCHEDULER = "bowerbird.scrapy.Scheduler"
    SPIDER_MIDDLEWARES = {"bowerbird.scrapy.Links": 1000}
    BOWERBIRD_ORDERING = "lipr"

The middleware collects what a callback yields; when its generator ends, the page is completed with all its links. The scheduler
hands out the request whose page is best by the ordering, as soon as its downloader slot can start it. A page is a URL; several
requests (by Scrapy's fingerprint) may belong to it. State is in JOBDIR/bowerbird-SPIDER and survives kill -9.
"""
import logging
import pickle
from collections import deque
from pathlib import Path
from time import time

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import NotConfigured
from scrapy.http import Request
from scrapy.resolver import dnscache
from scrapy.utils.job import job_dir
from scrapy.utils.misc import create_instance, load_object
from scrapy.utils.request import request_from_dict

from . import Frontier

logger = logging.getLogger(__name__)

# Keys in Request.meta: the page that a request found (its parent), the page that it fetches, a start request.
_PARENT, _PAGE, _START = "_bowerbird_parent", "_bowerbird_page", "_bowerbird_start"
_DEFAULT_FILTER = "scrapy.dupefilters.RFPDupeFilter"
_COMMIT_SECONDS = 1.0


class Links:
    """Spider middleware: tells the scheduler which links a page has. It must be the one closest to the spider."""

    def __init__(self, crawler):
        self.crawler = crawler
        crawler.bowerbird_links = self

    @classmethod
    def from_crawler(cls, crawler):
        # Not issubclass(): Scrapy's base class calls everything with the methods of a scheduler a subclass.
        if Scheduler not in load_object(crawler.settings["SCHEDULER"]).__mro__:
            raise NotConfigured('bowerbird.scrapy.Links needs SCHEDULER = "bowerbird.scrapy.Scheduler"')
        return cls(crawler)

    def _scheduler(self):
        return self.crawler.engine.slot.scheduler

    def process_start_requests(self, start_requests, spider):
        for request in start_requests:
            request.meta[_START] = True
            yield request

    def _collect(self, page, item, links):
        if isinstance(item, Request) and page is not None:
            links.append(item.url)
            for key in (_PAGE, _START):
                item.meta.pop(key, None)
            item.meta[_PARENT] = page
        return item

    # try/finally: a page is completed when its generator ends, raises, or is thrown away.
    def process_spider_output(self, response, result, spider):
        page, links = response.meta.get(_PAGE), []
        try:
            for item in result:
                yield self._collect(page, item, links)
        finally:
            if page is not None:
                self._scheduler().page_done(page, response.request, links)

    async def process_spider_output_async(self, response, result, spider):
        page, links = response.meta.get(_PAGE), []
        try:
            async for item in result:
                yield self._collect(page, item, links)
        finally:
            if page is not None:
                self._scheduler().page_done(page, response.request, links)


class _Page:
    """A page in progress."""

    __slots__ = ("request", "stored", "links", "found")

    def __init__(self, request, stored):
        self.request = request  # the one that is being downloaded or scraped
        self.stored = stored    # it is the first one of the page's payload, until the page is completed
        self.links = []         # what its callbacks yielded
        self.found = set()      # of those, URLs that were scheduled


class Scheduler(BaseScheduler):
    """Hands out requests by the importance of their pages.

    Settings: BOWERBIRD_ORDERING (default lipr), BOWERBIRD_STRICT, BOWERBIRD_MEMORY (bytes, with JOBDIR), BOWERBIRD_DURABLE.
    """

    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.stats = crawler.stats
        self.ordering = settings.get("BOWERBIRD_ORDERING", "lipr")
        self.strict = settings.getbool("BOWERBIRD_STRICT")
        self.memory = settings.getint("BOWERBIRD_MEMORY")
        self.durable = settings.getbool("BOWERBIRD_DURABLE")
        self.jobdir = job_dir(settings)
        self.debug = settings.getbool("SCHEDULER_DEBUG")
        name = settings["DUPEFILTER_CLASS"]
        # Ours keeps the fingerprints of a page with the page, so that they agree after a kill.
        self.filter = None if name == _DEFAULT_FILTER else create_instance(load_object(name), settings, crawler)
        self.spider = None
        self.frontier = None
        self._pages = {}        # page -> _Page, in progress
        self._memory = {}       # page -> requests that cannot be serialised
        self._other = deque()   # requests whose URLs are not http(s)
        self._seen_other = set()
        self._redirected = set()  # fingerprints of requests that redirects lead to
        self._wake = None
        self._handed = {}  # when a slot was last given a request
        self._committed = 0.0
        self._unserialisable = 0

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    # ---- Opening and closing

    def open(self, spider):
        self.spider = spider
        if not hasattr(self.crawler, "bowerbird_links"):
            raise NotConfigured('bowerbird.scrapy.Scheduler needs SPIDER_MIDDLEWARES = {"bowerbird.scrapy.Links": 1000}')
        folder = str(Path(self.jobdir) / f"bowerbird-{spider.name}") if self.jobdir else None
        self.frontier = Frontier(folder, self.ordering, memory=self.memory if folder else 0, durable=self.durable)
        self.crawler.signals.connect(self._slot_free, signal=signals.request_left_downloader)
        return self.filter.open() if self.filter else None

    def close(self, reason):
        if self._wake is not None and self._wake.active():
            self._wake.cancel()
        # What is in progress is fetched again by the next run.
        now = time()
        for page in list(self._pages):
            self.frontier.retry(page, None, now)
        self._report()
        self.frontier.close()
        return self.filter.close(reason) if self.filter else None

    def _report(self):
        for key, value in self.frontier.stats().items():
            self.stats.set_value(f"bowerbird/{key}", value, spider=self.spider)
        self.stats.set_value("bowerbird/ordering", self.frontier.policy, spider=self.spider)

    def has_pending_requests(self):
        if self._other or self._pages:
            return True
        stats = self.frontier.stats()
        return stats["queued"] + stats["due"] + stats["collected"] > 0

    def __len__(self):
        stats = self.frontier.stats()
        return stats["queued"] + stats["due"] + len(self._other)

    # ---- Requests in

    def enqueue_request(self, request):
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request)
        parent = request.meta.pop(_PARENT, None)
        page = request.meta.pop(_PAGE, None)
        start = request.meta.pop(_START, False)
        if page in self._pages:
            return self._continue_page(page, request, fingerprint)
        if not request.url.startswith(("http://", "https://")):
            return self._enqueue_other(request, fingerprint)
        return self._enqueue(request, fingerprint, parent, start, self.frontier.status(request.url))

    def _filtered(self, request, fingerprint, seen):
        if request.dont_filter:
            return False
        if self.filter:
            if not self.filter.request_seen(request):
                return False
            self.filter.log(request, self.spider)
            return True
        if not seen and fingerprint not in self._redirected:
            return False
        if self.debug:
            logger.debug("Filtered duplicate request: %s", request, extra={"spider": self.spider})
        self.stats.inc_value("dupefilter/filtered", spider=self.spider)
        return True

    def _enqueue(self, request, fingerprint, parent, start, status):
        stored = _load(status["payload"]) if status else _EMPTY
        if self._filtered(request, fingerprint, fingerprint in stored[1]):
            return False
        data = self._serialise(request)
        requests = stored[0] if data is None else stored[0] + [data]
        # As in Scrapy, a request that is not filtered does not filter others.
        known = request.dont_filter or fingerprint in stored[1]
        payload = _dump(requests, stored[1] if known else stored[1] + [fingerprint])
        url, now = request.url, time()
        if status is None:
            entry = [(url, payload, self._slot_key(request), request.priority)]
            if start:
                counts = self.frontier.add(entry, now)
            else:
                counts = self.frontier.discover(entry, parent if parent in self._pages else None, now)
            if counts[2]:
                return self._enqueue_other(request, fingerprint)
            status = {"url": url, "state": "new"}
        else:
            self.frontier.set_payload(url, payload, now)
            if request.priority > status["priority"]:
                self.frontier.set_priority(url, request.priority, now)
            if status["state"] in ("completed", "scheduled"):
                self.frontier.schedule(url, now, now)
            elif status["state"] == "collected" and parent not in self._pages:
                self.frontier.discover([url], None, now)
        if data is None:
            self._memory.setdefault(self._canonical(url), []).append(request)
        if parent in self._pages:
            self._pages[parent].found.add(url)
        self._count_enqueued("memory" if data is None or not self.jobdir else "disk")
        return True

    # A redirect or a retry of a page in progress: the page is handed out again, with this request.
    def _continue_page(self, page, request, fingerprint):
        status = self.frontier.status(page)
        stored = _load(status["payload"])
        if request.url != page and self._filtered(request, fingerprint, fingerprint in self._seen_of(request.url)):
            return False
        if not request.dont_filter:
            self._redirected.add(fingerprint)
        data = self._serialise(request)
        if data is None:
            self._memory.setdefault(page, []).insert(0, request)
        rest = stored[0][1:] if self._pages[page].stored else stored[0]
        requests = rest if data is None else [data] + rest
        now = time()
        self.frontier.set_payload(page, _dump(requests, stored[1]), now)
        if request.priority != 0:
            self.frontier.set_priority(page, request.priority, now)
        self.frontier.retry(page, None, now)
        del self._pages[page]
        self._count_enqueued("memory" if data is None or not self.jobdir else "disk")
        return True

    def _seen_of(self, url):
        status = self.frontier.status(url)
        return _load(status["payload"])[1] if status else ()

    def _enqueue_other(self, request, fingerprint):
        if self._filtered(request, fingerprint, fingerprint in self._seen_other):
            return False
        if not request.dont_filter:
            self._seen_other.add(fingerprint)
        self._other.append(request)
        self._count_enqueued("memory")
        return True

    def _count_enqueued(self, where):
        self.stats.inc_value(f"scheduler/enqueued/{where}", spider=self.spider)
        self.stats.inc_value("scheduler/enqueued", spider=self.spider)

    def _serialise(self, request):
        try:
            return pickle.dumps(request.to_dict(spider=self.spider), protocol=4)
        except Exception as error:
            if self._unserialisable == 0 or self.debug:
                logger.warning("Unable to serialize request: %s - reason: %s; it stays in memory", request, error,
                               extra={"spider": self.spider})
            self._unserialisable += 1
            self.stats.inc_value("scheduler/unserializable", spider=self.spider)
            return None

    def _canonical(self, url):
        status = self.frontier.status(url)
        return status["url"] if status else url

    def _slot_key(self, request):
        return self.crawler.engine.downloader._get_slot_key(request, self.spider) or None

    # ---- Requests out

    def next_request(self):
        self._finish_lost()
        now = time()
        if now - self._committed >= _COMMIT_SECONDS:
            self._committed = now
            self.frontier.commit()
            self._report()
        if self.strict and (self.crawler.engine.slot.start_requests is not None or self._pages):
            return None
        if self._other:
            return self._count_dequeued(self._other.popleft(), "memory")
        while True:
            found = self.frontier.next(now, gate=self._gate)
            if found is None:
                self._set_wake(now)
                return None
            request = self._request_of(found, now)
            if request is not None:
                return request

    def _request_of(self, found, now):
        page = found.url
        requests = _load(found.payload)[0]
        where = "disk" if self.jobdir else "memory"
        waiting = page in self._memory
        if waiting:
            request = self._memory[page].pop(0)
            if not self._memory[page]:
                del self._memory[page]
            where = "memory"
        elif requests:
            request = request_from_dict(pickle.loads(requests[0]), spider=self.spider)
        else:
            # Its request was in the memory of a process that is gone.
            self.frontier.complete(page, (), now)
            return None
        request.meta[_PAGE] = page
        self._pages[page] = _Page(request, stored=not waiting)
        self._note_handed(request, now)
        return self._count_dequeued(request, where)

    def _count_dequeued(self, request, where):
        self.stats.inc_value(f"scheduler/dequeued/{where}", spider=self.spider)
        self.stats.inc_value("scheduler/dequeued", spider=self.spider)
        return request

    # When a request to this slot can be started: a time, 0 for now; infinity until _slot_free() opens it.
    def _gate(self, queue):
        downloader = self.crawler.engine.downloader
        key = dnscache.get(queue, queue) if downloader.ip_concurrency else queue
        slot = downloader.slots.get(key)
        handed = self._handed.get(key, 0)
        if slot is None:
            delay = getattr(self.spider, "download_delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))
            return handed + delay if handed and delay else 0
        if len(slot.active) >= slot.concurrency:
            return float("inf")
        if slot.latercall and slot.latercall.active():
            return max(slot.latercall.getTime(), time() + 0.001)  # what waits there goes first
        return max(slot.lastseen, handed) + slot.delay if slot.delay else 0

    # A request reaches its slot only after the downloader's middlewares: until then the slot does not know of it.
    def _note_handed(self, request, now):
        slots = self.crawler.engine.downloader.slots
        if len(self._handed) > 2 * len(slots) + 1000:
            self._handed = {key: at for key, at in self._handed.items() if key in slots}
        key = self._slot_key(request)
        if key:
            self._handed[key] = now

    def _slot_free(self, request, spider):
        key = request.meta.get("download_slot")
        if key:
            self.frontier.open_queue(key, time())
            if self.crawler.engine.downloader.ip_concurrency:
                self.frontier.open_queue(request.url.split("/")[2].rsplit("@")[-1].split(":")[0], time())

    # The engine looks only every five seconds by itself.
    def _set_wake(self, now):
        opens = self.frontier.next_opening()
        if opens is None:
            return
        from twisted.internet import reactor
        if self._wake is not None and self._wake.active():
            if self._wake.getTime() <= opens:
                return
            self._wake.cancel()
        self._wake = reactor.callLater(max(0.0, opens - now) + 0.001, self._woken)

    def _woken(self):
        slot = self.crawler.engine.slot
        if slot is not None:
            slot.nextcall.schedule()

    # ---- Pages that end

    def page_done(self, page, request, links):
        """The callback of a page has ended and yielded these links."""
        entry = self._pages.get(page)
        if entry is None:
            return
        entry.links.extend(links)
        self._complete(page, entry)

    def _complete(self, page, entry):
        now = time()
        scheduled = entry.found
        known = {url: self.frontier.status(url) is not None for url in entry.links}
        followed = [url for url in entry.links if url in scheduled or known[url]]
        dropped = [url for url in entry.links if url not in scheduled and not known[url]]
        requests, seen = _load(self.frontier.status(page)["payload"])
        if entry.stored:
            requests = requests[1:]
        more = bool(requests) or page in self._memory
        self.frontier.complete(page, followed, now, due=now if more else None, payload=_dump(requests, seen),
                               unfollowed=dropped)
        del self._pages[page]

    # Downloads that failed have no callback: the engine has dropped their request, and nothing else came of it.
    def _finish_lost(self):
        slot = self.crawler.engine.slot
        if slot is None or not self._pages:
            return
        for page, entry in list(self._pages.items()):
            if entry.request not in slot.inprogress:
                self._complete(page, entry)


_EMPTY = ([], [])


def _dump(requests, seen):
    return pickle.dumps((requests, seen), protocol=4)


def _load(payload):
    return pickle.loads(payload) if payload else _EMPTY
