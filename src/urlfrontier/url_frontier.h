// A durable URL frontier: takes URLs, and hands out the best URL that may be fetched now. It is the core
// of the interfaces for other crawlers (include/bowerbird, Python, Scrapy, URLFrontier).
//
// Problem: `Frontier` only knows page ids. This class combines it with URL texts, payloads, queues,
// dates, leases and a journal. Each URL has
//   - a payload that is opaque to the frontier (metadata, a serialised request);
//   - a queue: the unit of politeness, by default the host of the URL. Orderings that depend on hosts use
//     the queue as the host. A queue has a delay, a time until which it is blocked, and a limit;
//   - a state (UrlState). Seeds, and links of completed URLs, are queued. take() leases the best ones.
//     Then complete(), retry() or the end of the lease follows. A completed URL may be due again at a
//     date; it then competes with the score that it had when it was completed.
// Links are collected by parent and passed to the ordering when the parent is completed. Links of a
// parent that is already completed are added at once: with the parent's worth at its completion if the
// ordering supports that (Policy::travels), otherwise as light seeds, like links without a parent. A link
// to a known URL counts as a link. At most 32 M links wait for their parents; further ones are treated as
// links without a parent. A URL is completed for the ordering once; a later visit only adds links.
//
// Deletion: a deleted URL is no longer handed out, listed or counted. The ordering does not forget it:
// the links from it and to it still count. If it is added or found again, it is new, with one exception:
// since the ordering counts a page once, a URL that was completed before its deletion returns as due,
// without a score, after all others.
//
// Durability: without a folder everything is in memory. With a folder, each call that changes something
// is in the journal when it returns, and survives kill -9. With `durable`, commit() syncs, so that
// everything before it also survives a power failure. A call happens completely or not at all. Opening
// the folder again restores the exact state, including queues, delays, blocks, limits, leases and
// last-served times. A second process (or object) cannot open the folder. Errors of the
// disk and of the ordering are permanent: every later call returns them, and the folder stays as it was after
// the last successful call.
//
// Time is an argument, never below Time{}. It never runs backwards: an earlier time counts
// as the latest one so far. Memory: about 30 bytes per known URL, plus the ordering's (docs/policies.md),
// plus the texts if there is no folder; 20 more per queued URL from the first take() that limits the number
// of queues, or takes from one queue (Frontier::group_by_host). With a folder and `memory`, fingerprints,
// queues and the growing graph beyond the limit are on disk, which leaves about 20 bytes per URL. Strings
// passed in are copied. Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontier/frontier.h"
#include "sys/disk.h"
#include "urlfrontier/queue_table.h"

namespace bowerbird {

enum class UrlIdentity : std::uint8_t {
  kCanonical,  // a URL is identified by its canonical form (url/canonical.h), which take() returns
  kAsGiven,    // each spelling is a different URL
};

struct UrlFrontierOptions {
  std::string folder = {};  // created if it does not exist; empty: in memory
  std::string policy = {};  // empty: the folder's; for a new folder `lipr`. Fixed for a folder
  UrlIdentity identity = UrlIdentity::kCanonical;  // fixed for a folder
  std::uint64_t random_seed = 1;                   // fixed for a folder
  std::uint64_t expected_pages = 0;                // page budget, if known; fixed for a folder
  std::uint64_t memory = 0;    // limit in bytes, needs a folder; 0: none. At least kLeastMemory
  bool durable = false;        // commit() syncs
  Duration delay{};            // of queues in a new folder, until set_delay()
  unsigned threads = 1;        // for recomputations of orderings; does not affect results
  Disk* disk = &Disk::real();  // outlives the frontier
  // A snapshot is written when the journal has grown by this much and by half the size of the last
  // snapshot.
  std::uint64_t snapshot_bytes = std::uint64_t{64} << 20;

  static constexpr std::uint64_t kLeastMemory = std::uint64_t{16} << 20;
};

// A URL as the caller passes it. Views are only read during the call.
struct UrlInput {
  std::string_view url;
  std::string_view queue = {};                             // empty: the URL's host
  std::optional<std::string_view> payload = std::nullopt;  // none: keep the present one
  double weight = 1;                                       // of a seed
  std::int32_t priority = 0;  // of a new URL: larger ones come first, whatever their scores
  bool follow =
      true;  // of a link; false: it counts as a link of its page, and the URL does not become known by it
};

enum class UrlState : std::uint8_t {
  kCollected,  // found on a page that is not completed yet
  kQueued,     //
  kLeased,     // handed out
  kWaiting,    // for the date of a retry
  kCompleted,  // not to be fetched again
  kScheduled,  // completed, due again at a later date
  kDue,        // completed, due again now
};
std::string_view state_name(UrlState state);

enum class PutOutcome : std::uint8_t { kNew, kKnown, kRejected };
struct PutResult {
  PutOutcome outcome = PutOutcome::kNew;
  std::string_view reason;  // why it was rejected; a static text
};

struct TakeOptions {
  std::size_t count = 1;  // maximum number of URLs
  // From at most this many queues; 0: any number. With a memory limit, a call may return fewer URLs than it
  // could, and with `queue` it reads the queue of every known URL.
  std::size_t queues = 0;
  // Limit of URLs per queue, in this call and leased in total. 0: no limit for leased ones, and in this
  // call as many as possible if the queue has no delay, otherwise one.
  std::size_t per_queue = 0;
  Duration lease{};             // 0: leases do not expire
  std::string_view queue = {};  // only from this queue
  // A gate known only to the caller: called for the queue of the best URL. A result after `now` blocks
  // the queue until then; kForever until open_queue(). It must not call the frontier.
  std::function<Time(std::string_view queue)> gate = {};
};

struct TakenUrl {
  std::string url;
  std::string queue;
  std::string payload;
  double score = 0;
  bool again = false;  // it was completed before
};

struct UrlStatus {
  std::string url;
  std::string queue;
  std::string payload;
  UrlState state = UrlState::kQueued;
  bool completed = false;            // at least once
  std::optional<double> score;       // the ordering's score, if not completed or due; kCollected has none
  std::int32_t priority = 0;         // of a URL that is not completed
  std::optional<double> rank;        // if the ordering computes ranks
  std::optional<Time> due;           // kWaiting, kScheduled, kDue
  std::optional<Time> leased_until;  // kLeased; kForever: no end
  Time queue_opens{};                // gate of its queue; kForever: until it is opened
};

struct UrlFrontierStats {
  std::uint64_t urls = 0;       // known, without deleted ones
  std::uint64_t queues = 0;     // with at least one such URL
  std::uint64_t collected = 0;  // links that wait for their parents
  std::uint64_t queued =
      0;  // to be fetched for the first time, retries and URLs behind closed gates included
  std::uint64_t in_process = 0;
  std::uint64_t completed = 0;  // URLs that were completed at least once
  std::uint64_t scheduled = 0;  // completed, due later
  std::uint64_t due = 0;        // completed, due and not leased
  std::uint64_t links = 0;      // passed in, in total
  std::uint64_t links_without_parent = 0;
  std::uint64_t rejected = 0;  // texts that are not URLs, in total
  std::uint64_t expired = 0;   // leases that expired, in total
  std::uint64_t deleted = 0;   // in total
  std::uint64_t memory = 0;    // bytes
  std::uint64_t journal_bytes = 0;
  std::uint64_t spilled = 0;  // queued URLs on disk
};

class UrlFrontier {
 public:
  // An error: an invalid ordering or limit, or a folder that is in use, damaged, or was created with
  // other options.
  static Result<std::unique_ptr<UrlFrontier>> open(const UrlFrontierOptions& options);
  // The destructor is like a crash. close() writes a snapshot, so that the next open() is fast.
  ~UrlFrontier();
  UrlFrontier(const UrlFrontier&) = delete;
  UrlFrontier& operator=(const UrlFrontier&) = delete;
  Status close();
  // Everything so far survives a kill; if durable, also a power failure.
  Status commit();

  // ---- Adding URLs. Results are in the order of the input; after an error nothing has changed.

  // Adds seeds. Their weights are relative to their sum in this call. A known URL is not changed, except
  // for its payload.
  Result<std::vector<PutResult>> add(std::span<const UrlInput> seeds, Time now);
  // Adds links of `parent`. If the parent is empty or unknown, they have none. Links that are not URLs
  // are rejected. A known URL keeps its payload.
  Result<std::vector<PutResult>> discover(std::string_view parent, std::span<const UrlInput> links, Time now);

  // ---- Taking URLs, best first. Empty: nothing is queued, all gates are closed, or set_active(false).
  Result<std::vector<TakenUrl>> take(Time now, const TakeOptions& options = {});
  // After take() returned nothing: the earliest time at which it may return something without another
  // call; none: never.
  std::optional<Time> next_opening() const;

  // ---- Reporting what happened to a URL

  struct Completion {
    std::span<const UrlInput> links = {};
    Time due = kForever;  // when it is due again
    std::optional<std::string_view> payload = std::nullopt;
  };
  // A leased URL was fetched, or failed for good. An error: it is not leased.
  Result<std::vector<PutResult>> complete(std::string_view url, const Completion& done, Time now);
  // The same for a URL in any state, known or unknown. An unknown one enters as a light seed and is
  // completed at once.
  Result<std::vector<PutResult>> put_completed(const UrlInput& url, const Completion& done, Time now);
  // A leased URL will be handed out again, not before `due`. due <= now: it was not fetched, put it back.
  Status retry(std::string_view url, Time due, Time now);
  // A completed URL will be fetched again, not before `due`; kForever: no more. An error: it is not
  // completed.
  Status schedule(std::string_view url, Time due, Time now);
  Status set_payload(std::string_view url, std::string_view payload, Time now);
  // For a URL that is queued or will be; ignored for others.
  Status set_priority(std::string_view url, std::int32_t priority, Time now);
  // False: the URL is unknown.
  Result<bool> remove(std::string_view url, Time now);
  // Returns the number of deleted URLs.
  Result<std::uint64_t> remove_queue(std::string_view queue, Time now);
  // Changes the end of the lease. False: the URL is not leased.
  Result<bool> extend_lease(std::string_view url, Time until, Time now);

  // ---- Queues. An unknown name creates a queue; it has at most 1 KiB.

  // The delay between two URLs of the queue; below 0: the default. Empty name: sets the default.
  Status set_delay(std::string_view queue, Duration delay, Time now);
  Status block_until(std::string_view queue, Time until, Time now);
  // Limit of completed and leased URLs; 0: none.
  Status set_limit(std::string_view queue, std::uint64_t urls, Time now);
  // Ends a block by TakeOptions::gate.
  void open_queue(std::string_view queue, Time now);
  Status set_active(bool active, Time now);
  bool active() const;
  Duration default_delay() const;

  // ---- Reading

  // None: unknown, or not a URL. An error: the disk cannot be read.
  Result<std::optional<UrlStatus>> status(std::string_view url);
  // Visits URLs in the order of their first appearance, all or those of one queue, starting at the
  // `from`-th known URL, until visit returns false. Returns the position to continue from; none: all were
  // visited.
  Result<std::optional<std::uint64_t>> for_each_url(std::uint64_t from, std::string_view queue,
                                                    const std::function<bool(const UrlStatus&)>& visit);
  // The same for queues. Queues without URLs are included if they have settings.
  void for_each_queue(const std::function<bool(const UrlQueue&)>& visit) const;
  const UrlQueue* find_queue(std::string_view queue) const;
  UrlFrontierStats stats() const;
  const std::string& policy() const;
  // The latest time so far; after a restart, that of the last call.
  Time now() const;
  // Problems since the last call that caused no loss, such as damaged spill files.
  std::vector<std::string> take_warnings();

 private:
  class Impl;
  explicit UrlFrontier(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bowerbird
