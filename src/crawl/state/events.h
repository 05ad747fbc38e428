// Every event that can happen to the state of a crawl, one struct per event, and how the journal encodes
// them.
//
// CrawlState::apply() has one overload per event. A running crawl records an event and applies it; a
// restored crawl only applies it. Each struct lists its fields once, for both encoder and decoder. The
// number of an event is its position in CrawlEvent: append new events at the end, or raise the format
// number of the folder. Times are encoded as differences from the crawl's clock. Plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/state/control_state.h"
#include "crawl/state/requisites.h"
#include "fleet/batch/message.h"
#include "frontier/off_queue.h"
#include "policy/policy.h"
#include "store/crawl_reader.h"
#include "store/links.h"

namespace bowerbird {

struct SeedEntry {
  PageId page = 0;
  double weight = 1;
  bool sitemap = false;
  auto fields() { return std::tie(page, weight, sitemap); }
};

// Seeds enter the frontier. Their weights are relative to `total`, or to their own sum if that is 0.
struct SeedsAdded {
  std::vector<SeedEntry> seeds;
  double total = 0;
  auto fields() { return std::tie(seeds, total); }
};

// A robots.txt names these sitemaps. They enter with small weight, since only the user gives seeds.
struct SitemapsFound {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};

// The frontier was asked for the best page.
struct PageTaken {
  Time now{};
  PageId page = kNoPage;     // kNoPage: none was available
  bool links_again = false;  // the page was crawled before; it gives the links that the strategy held back
  auto fields() { return std::tie(now, page, links_again); }
};

// The best page is on a host that must not be asked before `opens`, so the frontier looks for the next best
// one.
struct PageBlocked {
  Time now{};
  PageId page = kNoPage;  // kNoPage: the search ended before a page was found
  Time opens{};
  SharedGateId gate = kOwnGate;
  auto fields() { return std::tie(now, page, opens, gate); }
};

// A page is done. Its links are a row of links.log; the journal has the rest.
struct PageDone {
  PageId page = 0;
  std::span<const StoredLink> links;
  bool on_topic = false;
  bool failed = false;  // not fetched: it does not count as covered
  bool merged = false;  // `fleet merge`: done in another folder; no score changes
  auto fields() { return std::tie(on_topic, failed, merged); }
};

// A page in flight will be retried.
struct PageRetried {
  PageId page = 0;
  Time due{};
  bool counted = false;  // the try counts: it has failed; false: it was not fetched
  auto fields() { return std::tie(page, due, counted); }
};

// A page in flight was excluded. It enters again if another page links to it.
struct PageExcluded {
  PageId page = 0;
  auto fields() { return std::tie(page); }
};

// Links of a finished page that were out of scope when it was parsed and are in scope now.
struct LinksAdmitted {
  PageId from = 0;
  std::vector<StoredLink> links;
  auto fields() { return std::tie(from, links); }
};

struct GateSet {
  HostId host = 0;
  Time opens{};
  auto fields() { return std::tie(host, opens); }
};

// Facts about a host, as written by HostTable::save_host().
struct HostChanged {
  HostId host = 0;
  std::string facts;
  auto fields() { return std::tie(host, facts); }
};

struct RobotsChanged {
  HostId host = 0;
  Time until{};
  bool reached = true;  // false: only errors were received, so everything is forbidden
  std::string text;
  bool https = false;  // the scheme of the origin
  auto fields() { return std::tie(host, until, reached, text, https); }
};

// The queue has a memory limit from now on; replay follows the journal's order instead of checking it.
struct QueueLimited {
  std::uint64_t bytes = 0;
  auto fields() { return std::tie(bytes); }
};

// `fleet merge`: a page of another folder of the crawl enters.
struct PageMerged {
  PageId page = 0;
  std::uint32_t depth = 0;
  bool done = false;
  Score score = 0;
  auto fields() { return std::tie(page, depth, done, score); }
};

// ---- Events of a fleet

// Links that another process found.
struct LinksReceived {
  Message message;
  auto fields() { return std::tie(message); }
};

// A piece of an arriving partition, except the last one.
struct PieceArrived {
  Message piece;
  auto fields() { return std::tie(piece); }
};

// A partition arrived with the pieces before and this last one.
struct PartitionAdopted {
  Message last;
  auto fields() { return std::tie(last); }
};

// Partitions were given away, with everything known about their pages.
struct PartitionsGiven {
  std::vector<std::uint32_t> partitions;
  auto fields() { return std::tie(partitions); }
};

// Partly filled batches are ready to be sent.
struct BatchesFlushed {
  auto fields() { return std::tie(); }
};

// The receiver has committed all messages up to this one.
struct MessageConfirmed {
  MessageId id;
  auto fields() { return std::tie(id); }
};

// We took over the unsent messages of a lost process.
struct OrphanAbsorbed {
  std::string member;
  std::vector<Message> messages;
  auto fields() { return std::tie(member, messages); }
};

// Cross-over mode: a page of another process's partition enters here.
struct ForeignPageEntered {
  auto fields() { return std::tie(); }
};

// ---- Events of refreshing (refresh_state.h).

// From now on the refresh queue chooses the pages; with the policy `none`, the frontier.
struct RefreshStarted {
  Time now{};
  std::string policy = "none";
  Duration shortest{}, longest{};
  double least_new = 0, most_new = 1;
  double scale = 1;             // of refresh time
  std::uint8_t importance = 0;  // a RefreshImportance
  bool round = false;           // each page once
  auto fields() {
    return std::tie(now, policy, shortest, longest, least_new, most_new, scale, importance, round);
  }
};

struct FetchedBefore {
  PageId page = 0;
  RefreshTime fetched{};
  auto fields() { return std::tie(page, fetched); }
};

// Pages that were fetched before the refresh queue was on.
struct PagesHeld {
  std::vector<FetchedBefore> pages;
  auto fields() { return std::tie(pages); }
};

// The refresh queue was asked for the best page.
struct RefreshTaken {
  Time now{};
  PageId page = kNoPage;  // kNoPage: none was available
  std::uint8_t want = 0;  // a RefreshWant
  auto fields() { return std::tie(now, page, want); }
};

// The best page of the refresh queue must not be fetched before `opens`, so the queue looked for the next
// best.
struct RefreshBlocked {
  Time now{};
  PageId page = kNoPage;  // kNoPage: the search ended before a page was found
  std::uint8_t want = 0;
  Time opens{};
  std::uint8_t sides = 0;  // a RefreshWant: whether new pages of the host, held ones or both have to wait
  bool own_gate = false;   // the gate that is closed is the host's own
  auto fields() { return std::tie(now, page, want, opens, sides, own_gate); }
};

// A page's first visit, with the numbers that the ordering needs to score its links.
struct FirstVisit {
  double score = 0;
  std::uint32_t links = 0, other_host = 0, crawled = 0, known = 0, discovered = 0;
  bool on_topic = false;
  auto fields() { return std::tie(score, links, other_host, crawled, known, discovered, on_topic); }
};

// A page was fetched, for the first time (after its PageDone) or again. Its times are encoded as ms since
// 1970, so that they can be read without the rest of the journal.
struct PageVisited {
  PageId page = 0;
  RefreshTime time{};
  bool first = false;
  bool answered = false;     // it was fetched or is unchanged: digest and validators are from this response
  bool comparable = false;   // it is known whether the page had changed
  std::uint8_t outcome = 0;  // a RefreshOutcome
  std::uint16_t status = 0;  // of the response; 0: there was none
  std::uint64_t digest = 0;
  std::string etag;
  std::uint64_t modified = 0;     // Last-Modified, seconds since 1970; 0: none
  std::uint32_t bytes = 0;        // of the body
  RefreshTime changed_at{};       // when it changed, by a credible Last-Modified; 0: not known
  RefreshTime fresh_until{};      // 0: the server does not say
  std::uint8_t missing = 0;       // consecutive 404s
  std::uint64_t stored_us = 0;    // when its body was stored (wall clock), if the SHA-1 is known
  std::string body;               // SHA-1 of the body; or empty
  std::vector<StoredLink> links;  // links that the page did not have before
  std::vector<FirstVisit> visit;  // one entry if there are links: how the ordering scores them
  auto fields() {
    return std::tie(page, time, first, answered, comparable, outcome, status, digest, etag, modified, bytes,
                    changed_at, fresh_until, missing, stored_us, body, links, visit);
  }
};

// A held page in flight will be fetched later.
struct VisitPostponed {
  PageId page = 0;
  Time until{};
  bool counted = false;  // it was fetched and failed
  auto fields() { return std::tie(page, until, counted); }
};

struct ListedPage {
  PageId page = 0;
  std::uint64_t modified = 0;  // `lastmod`, seconds since 1970
  bool due = false;            // the value is new, so the page has changed
  auto fields() { return std::tie(page, modified, due); }
};

// A sitemap or a feed lists these pages of a host.
struct PagesListed {
  RefreshTime now{};
  HostId host = 0;
  std::vector<ListedPage> pages;
  auto fields() { return std::tie(now, host, pages); }
};

// The importance of all pages in the refresh queue is updated, from the ordering's ranks or the links
// seen since. recount: from all links seen.
struct ImportanceUpdated {
  bool recount = false;
  auto fields() { return std::tie(recount); }
};

// The links whose PageRank becomes the importance.
enum class RanksOf : std::uint8_t {
  kStoredLinks,  // the links are read from links.log, and kept in memory from now on
  kKeptLinks,    // the links in memory
  kOrdering,     // no links are kept; the ordering recomputes its own ranks
};
// The importance of all pages in the refresh queue becomes the PageRank of the links seen so far. If no links
// are kept, this is an ImportanceUpdated event.
struct RanksComputed {
  std::uint8_t source = 0;       // a RanksOf
  std::uint64_t most_bytes = 0;  // if the links take more memory, they are dropped
  bool recount = false;          // as in ImportanceUpdated
  auto fields() { return std::tie(source, most_bytes, recount); }
};

// ---- Events of commands; control_state.h has further ones

// A requested page is handed out before others.
struct RequestTaken {
  Time now{};
  PageId page = kNoPage;
  auto fields() { return std::tie(now, page); }
};

using CrawlEvent =
    std::variant<PageDone, SeedsAdded, PageTaken, PageRetried, PageExcluded, LinksAdmitted, GateSet,
                 HostChanged, RobotsChanged, QueueLimited, PageMerged, LinksReceived, PartitionAdopted,
                 PartitionsGiven, BatchesFlushed, MessageConfirmed, OrphanAbsorbed, ForeignPageEntered,
                 PageBlocked, SitemapsFound, RequisitesFound, RequisiteEnded, RefreshStarted, PagesHeld,
                 RefreshTaken, RefreshBlocked, PageVisited, VisitPostponed, PagesListed, ImportanceUpdated,
                 PieceArrived, RuleChanged, OptionChanged, ChangeNoted, PagesRequested, RequestsDropped,
                 PagesEntered, PageSuspended, PagesReleased, RequestTaken, RanksComputed>;

// The payload of an event in the journal, appended to `out`. now: the crawl's clock before the event.
template <typename E>
void encode_event(const E& event, Time now, std::string& out);
// The number of an event type in the journal. PageDone has the store's own kLinksEvent.
template <typename E>
std::uint8_t event_number();

// An error: the number or the payload is invalid.
Result<CrawlEvent> decode_event(const Event& event, Time now);

}  // namespace bowerbird
