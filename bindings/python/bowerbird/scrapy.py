"""Best pages first for Scrapy (docs/scrapy.md). Three lines of settings:

    SCHEDULER = "bowerbird.scrapy.Scheduler"
    SPIDER_MIDDLEWARES = {"bowerbird.scrapy.Links": 1000}
    BOWERBIRD_ORDERING = "lipr"

The middleware collects what a callback yields; when its generator ends, the page is completed with all its links. The scheduler
hands out the request whose page is best by the ordering, as soon as its downloader slot can start it. A page is a canonical URL;
further requests of a URL (by Scrapy's fingerprint) are pages of their own, whose names are the URL with the fingerprint as its
fragment. State is in JOBDIR/bowerbird-SPIDER and survives kill -9.
"""
import hashlib
import logging
import os
import pickle
from collections import deque
from pathlib import Path
from time import time
from urllib.parse import quote

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import NotConfigured
from scrapy.http import Request
from scrapy.resolver import dnscache
from scrapy.utils.job import job_dir
from scrapy.utils.misc import create_instance, load_object
from scrapy.utils.request import request_from_dict

from . import Error, Frontier, canonical_url

logger = logging.getLogger(__name__)

# Keys in Request.meta: the page that a request found (its parent), the page that it fetches, a start request.
_PARENT, _PAGE, _START = "_bowerbird_parent", "_bowerbird_page", "_bowerbird_start"
_DEFAULT_FILTER = "scrapy.dupefilters.RFPDupeFilter"
_COMMIT_SECONDS = 1.0
_MOST_PRIORITY = (1 << 31) - 1
_LONGEST_QUEUE = 200  # bytes
_MOST_BYTES = 16 << 20  # of a request that is stored
_SECONDS_TO_REACH_A_SLOT = 0.05


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

    __slots__ = ("request", "slot", "links", "found")

    def __init__(self, request, slot):
        self.request = request  # the one that is being downloaded or scraped
        self.slot = slot        # which it was handed out for
        self.links = []         # what its callbacks yielded
        self.found = {}         # of those, the ones that reached the scheduler: URL -> canonical URL


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
        self._memory = {}       # page -> its request, if it cannot be serialised
        self._other = deque()   # requests whose URLs are not http(s)
        self._seen_other = set()
        self._seen = set()        # fingerprints of requests that redirects lead to, hexadecimal
        self._redirects = None    # the file with those of redirects
        self._new_redirects = []  # not yet in the file
        self._queues = {}         # queue -> slot, if their names differ
        self._held = {}           # slot -> queues that wait until it is free
        self._coming = {}         # slot -> pages that were handed out and have not reached it yet
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
        folder = str(Path(self.jobdir) / f"bowerbird-{quote(spider.name, safe='')}") if self.jobdir else None
        self.frontier = Frontier(folder, self.ordering, canonical=False, memory=self.memory if folder else 0, durable=self.durable)
        if folder:
            self._open_redirects(Path(folder, "redirects"))
        self.crawler.signals.connect(self._slot_reached, signal=signals.request_reached_downloader)
        self.crawler.signals.connect(self._slot_free, signal=signals.request_left_downloader)
        return self.filter.open() if self.filter else None

    def close(self, reason):
        if self._wake is not None and self._wake.active():
            self._wake.cancel()
        # What is in progress is fetched again by the next run.
        now = time()
        for page in list(self._pages):
            self.frontier.retry(page, None, now)
        self._commit()
        if self._redirects:
            self._redirects.close()
        self.frontier.close()
        return self.filter.close(reason) if self.filter else None

    # Only what the frontier has: a request that is filtered because of a redirect that was lost would be lost too.
    def _open_redirects(self, path):
        if path.exists():
            # The last line may be cut off.
            self._seen.update(line[:-1] for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n"))
        self._redirects = path.open("ab")
        if self._redirects.tell() > 0:
            self._redirects.write(b"\n")

    def _commit(self):
        self.frontier.commit()
        if self._redirects and self._new_redirects:
            self._redirects.write(b"".join(fingerprint + b"\n" for fingerprint in self._new_redirects))
            self._redirects.flush()
        self._new_redirects.clear()
        self._report()

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
        url = _canonical(request.url)
        if url is None:
            return self._enqueue_other(request, fingerprint)
        return self._enqueue(request, fingerprint, parent, start, url)

    def _filtered(self, request, fingerprint, seen):
        if request.dont_filter:
            return False
        if self.filter:
            if not self.filter.request_seen(request):
                return False
            self.filter.log(request, self.spider)
            return True
        if not seen and fingerprint.hex().encode() not in self._seen:
            return False
        if self.debug:
            logger.debug("Filtered duplicate request: %s", request, extra={"spider": self.spider})
        self.stats.inc_value("dupefilter/filtered", spider=self.spider)
        return True

    # Whether there is a request of the URL, and the same request.
    def _knows(self, url, fingerprint):
        status = self.frontier.status(url)
        if status is None:
            return False, False
        same = _load(status["payload"])[1] == fingerprint or self.frontier.status(f"{url}#{fingerprint.hex()}") is not None
        return True, same

    def _enqueue(self, request, fingerprint, parent, start, url):
        known, same = self._knows(url, fingerprint)
        if self._filtered(request, fingerprint, same):
            if known and parent in self._pages:
                self._pages[parent].found[request.url] = url
            return False
        page = f"{url}#{fingerprint.hex()}" if known else url
        # As in Scrapy, a request that is not filtered does not filter others.
        if known and (same or request.dont_filter):
            page += "." + os.urandom(8).hex()
        data = self._serialise(request)
        payload = _dump(data, None if request.dont_filter else fingerprint)
        entry, now = [(page, payload, self._queue_of(request), _priority_of(request))], time()
        if start:
            counts = self.frontier.add(entry, now)
        else:
            counts = self.frontier.discover(entry, parent if parent in self._pages else None, now)
        if counts[2]:
            return self._enqueue_other(request, fingerprint)
        if data is None:
            self._memory[page] = request
        if parent in self._pages:
            self._pages[parent].found[request.url] = url
        self._count_enqueued("memory" if data is None or not self.jobdir else "disk")
        return True

    # A redirect or a retry of a page in progress: the page is handed out again, with this request.
    def _continue_page(self, page, request, fingerprint):
        url = _canonical(request.url)
        if url != page.partition("#")[0] and self._filtered(request, fingerprint, url and self._knows(url, fingerprint)[1]):
            return False
        if not request.dont_filter and fingerprint.hex().encode() not in self._seen:
            self._seen.add(fingerprint.hex().encode())
            self._new_redirects.append(fingerprint.hex().encode())
        data = self._serialise(request)
        if data is None:
            self._memory[page] = request
        now = time()
        self.frontier.set_payload(page, _dump(data, _load(self.frontier.status(page)["payload"])[1]), now)
        if request.priority != 0:
            self.frontier.set_priority(page, _priority_of(request), now)
        self.frontier.retry(page, None, now)
        self._end_page(page)
        self._count_enqueued("memory" if data is None or not self.jobdir else "disk")
        return True

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
            data = pickle.dumps(request.to_dict(spider=self.spider), protocol=4)
            if len(data) > _MOST_BYTES:
                raise ValueError(f"it has {len(data)} bytes, more than {_MOST_BYTES}")
            return data
        except Exception as error:
            if self._unserialisable == 0 or self.debug:
                logger.warning("Unable to serialize request: %s - reason: %s; it stays in memory", request, error,
                               extra={"spider": self.spider})
            self._unserialisable += 1
            self.stats.inc_value("scheduler/unserializable", spider=self.spider)
            return None

    def _slot_key(self, request):
        return self.crawler.engine.downloader._get_slot_key(request, self.spider)

    # The frontier's name of a slot, which Scrapy knows by any object.
    def _queue_of(self, request):
        key = self._slot_key(request)
        name = key if isinstance(key, str) else repr(key)
        if len(name.encode(errors="replace")) > _LONGEST_QUEUE or not name.isprintable():
            name = hashlib.sha1(name.encode(errors="replace")).hexdigest()
        if name != key:
            self._queues[name] = key
        return name or None

    # ---- Requests out

    def next_request(self):
        self._finish_lost()
        now = time()
        if now - self._committed >= _COMMIT_SECONDS:
            self._committed = now
            self._commit()
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
        where = "disk" if self.jobdir else "memory"
        request, data = self._memory.pop(page, None), _load(found.payload)[0]
        if request is not None:
            where = "memory"
        elif data is not None:
            request = request_from_dict(pickle.loads(data), spider=self.spider)
        else:
            # Its request was in the memory of a process that is gone.
            self.frontier.complete(page, (), now)
            return None
        request.meta[_PAGE] = page
        self._pages[page] = entry = _Page(request, self._slot_key(request))
        self._note_handed(entry, now)
        return self._count_dequeued(request, where)

    def _count_dequeued(self, request, where):
        self.stats.inc_value(f"scheduler/dequeued/{where}", spider=self.spider)
        self.stats.inc_value("scheduler/dequeued", spider=self.spider)
        return request

    # When a request to this slot can be started: a time, 0 for now; infinity until _slot_free() opens it.
    def _gate(self, queue):
        downloader = self.crawler.engine.downloader
        key = self._queues.get(queue, queue)
        if downloader.ip_concurrency:
            key = dnscache.get(key, key)
        slot = downloader.slots.get(key)
        handed = self._handed.get(key, 0)
        if slot is None:
            delay = getattr(self.spider, "download_delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))
            return handed + delay if handed and delay else 0
        if len(slot.active) >= slot.concurrency:
            self._held.setdefault(key, set()).add(queue)
            return float("inf")
        if len(slot.active) + len(self._coming.get(key, ())) >= slot.concurrency:
            return time() + _SECONDS_TO_REACH_A_SLOT
        if slot.latercall and slot.latercall.active():
            return max(slot.latercall.getTime(), time() + 0.001)  # what waits there goes first
        return max(slot.lastseen, handed) + slot.delay if slot.delay else 0

    # A request reaches its slot only after the downloader's middlewares: until then the slot does not know of it.
    def _note_handed(self, entry, now):
        slots = self.crawler.engine.downloader.slots
        if len(self._handed) > 2 * len(slots) + 1000:
            self._handed = {key: at for key, at in self._handed.items() if key in slots}
        self._handed[entry.slot] = now
        self._coming.setdefault(entry.slot, set()).add(entry)

    def _slot_reached(self, request, spider):
        entry = self._pages.get(request.meta.get(_PAGE))
        if entry is not None:
            self._has_come(entry)

    # A slot knows of its request, or it will not come.
    def _has_come(self, entry):
        coming = self._coming.get(entry.slot)
        if coming:
            coming.discard(entry)
            if not coming:
                del self._coming[entry.slot]

    # Several queues may have the same slot: those of the hosts of an address.
    def _slot_free(self, request, spider):
        for queue in self._held.pop(request.meta.get("download_slot"), ()):
            self.frontier.open_queue(queue, time())

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
        followed, dropped = [], []
        for link in entry.links:
            url = entry.found.get(link)
            if url is not None:
                followed.append(url)
            elif (url := _canonical(link)) is not None:
                (followed if self.frontier.status(url) is not None else dropped).append(url)
        fingerprint = _load(self.frontier.status(page)["payload"])[1]
        self.frontier.complete(page, followed, now, payload=_dump(None, fingerprint), unfollowed=dropped)
        self._end_page(page)

    def _end_page(self, page):
        self._has_come(self._pages.pop(page))

    # Downloads that failed have no callback: the engine has dropped their request, and nothing else came of it.
    def _finish_lost(self):
        slot = self.crawler.engine.slot
        if slot is None or not self._pages:
            return
        for page, entry in list(self._pages.items()):
            if entry.request not in slot.inprogress:
                self._complete(page, entry)


# None: not http(s), or no URL at all.
def _canonical(url):
    try:
        return canonical_url(url)
    except (Error, UnicodeEncodeError):
        return None


def _priority_of(request):
    return max(-_MOST_PRIORITY, min(_MOST_PRIORITY, request.priority))


# The payload of a page: its request, if it is stored, and the fingerprint by which it filters others.
def _dump(data, fingerprint):
    return pickle.dumps((data, fingerprint), protocol=4)


def _load(payload):
    return pickle.loads(payload) if payload else (None, None)
