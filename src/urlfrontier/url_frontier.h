// A durable URL frontier: URLs in, the best URL that may be fetched now out. The core of the interfaces for
// other crawlers (include/bowerbird, Python, Scrapy, URLFrontier).
//
// Problem: `Frontier` knows page ids only. This class joins it with URL texts, payloads, queues, dates and
// leases, and with a journal. Each URL has
//   - an opaque payload of the caller (metadata, a serialised request),
//   - a queue: the unit of politeness, by default the host of the URL. For orderings that look at hosts, the
//     queue is the host. A queue has a delay, a time until which it is blocked, and a limit,
//   - a state (UrlState). It changes as follows: seeds and links of completed URLs are queued; take() leases
//   the
//     best ones; complete(), retry() or the end of the lease follow. A completed URL may be due again at a
//     date; it then competes with the score that it had when it was completed.
// Links are collected by parent and given to the ordering when the parent is completed. Links of a parent
// that is completed already are added at once; they count with the parent's worth at its completion if the
// ordering can do that (Policy::travels), and as light seeds otherwise, as links without a parent do. A link
// to a known URL counts as a link. At most 32 M links wait for their parents; further ones have none. A URL
// is completed for the ordering once; what a later visit finds are further links.
//
// Deletion: a deleted URL is not handed out, listed or counted any more. The ordering forgets nothing: the
// links that it gave count on, and so do the links to it. If it is added or found again, it is new, except
// that the ordering counts a page once: a URL that was completed before its deletion comes back as a due one,
// without a score, so after all others.
//
// Durability: without a folder everything is in memory. With one, every call that changes something has been
// written to the journal when it returns, and survives kill -9. commit() makes what was written survive a
// power failure too, if `durable`; without it nothing is synced. A call happens as a whole or not at all.
// Opening the folder again continues exactly: queues, delays, blocks, limits, leases and last-served times
// too. A second process (or object) on the folder is refused. Errors of the disk and of the ordering are
// permanent: every later call returns them, and the folder stays as it was after the last call that
// succeeded.
//
// Time is an argument, in milliseconds of any epoch >= 0. It never runs backwards: an earlier time counts as
// the latest one given. Memory: about 30 bytes per known URL plus the ordering's (docs/policies.md), and the
// texts if there is no folder; with a folder and `memory`, fingerprints, queues and the growing graph beyond
// the limit are on disk, which leaves about 20 bytes per URL. Strings passed in are copied. Threads: one at a
// time.
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
  kCanonical,  // a URL is known under its canonical form (url/canonical.h), which is what take() returns
  kAsGiven,    // every spelling is a URL of its own
};

struct UrlFrontierOptions {
  std::string folder = {};  // created if it does not exist; empty: in memory
  std::string policy = {};  // empty: that of the folder, for a new one `lipr`. Fixed for a folder
  UrlIdentity identity = UrlIdentity::kCanonical;  // fixed for a folder
  std::uint64_t random_seed = 1;                   // fixed for a folder
  std::uint64_t expected_pages = 0;                // page budget, if known; fixed for a folder
  std::uint64_t memory = 0;    // limit in bytes, needs a folder; 0: none. At least kLeastMemory
  bool durable = false;        // commit() syncs
  Time delay = 0;              // of a new folder's queues, until set_delay()
  unsigned threads = 1;        // for recomputations of orderings; changes no result
  Disk* disk = &Disk::real();  // outlives the frontier
  // A snapshot is written when the journal has grown by this and by half of the last snapshot.
  std::uint64_t snapshot_bytes = std::uint64_t{64} << 20;

  static constexpr std::uint64_t kLeastMemory = std::uint64_t{16} << 20;
};

// A URL as a caller gives it. Views are only read during the call.
struct UrlInput {
  std::string_view url;
  std::string_view queue = {};                             // empty: the URL's host
  std::optional<std::string_view> payload = std::nullopt;  // none: keep what there is
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
  kCompleted,  // and not to be fetched again
  kScheduled,  // completed, and to be fetched again at a date that has not come
  kDue,        // completed, and to be fetched again
};
std::string_view state_name(UrlState state);

enum class PutOutcome : std::uint8_t { kNew, kKnown, kRejected };
struct PutResult {
  PutOutcome outcome = PutOutcome::kNew;
  std::string_view reason;  // why it was rejected: a static text
};

struct TakeOptions {
  std::size_t count = 1;   // URLs, at most
  std::size_t queues = 0;  // of at most this many queues; 0: any number
  // URLs of a queue: in this call, and in process including those of this call. 0: any number in process, and
  // in this call as many as possible if the queue has no delay, otherwise one
  std::size_t per_queue = 0;
  Time lease = 0;               // ms; 0: no lease ends by itself
  std::string_view queue = {};  // only of this queue. Reads the queue of every known URL, so it is slower
  // When a queue may be asked, as only the caller knows; called for the queue of the best URL. A time after
  // `now` blocks the queue until then; kForever until open_queue(). It must not call the frontier.
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
  bool completed = false;       // at least once
  std::optional<double> score;  // the ordering's, if it is not completed, or due; kCollected has none yet
  std::int32_t priority = 0;    // of a URL that is not completed
  std::optional<double> rank;   // if the ordering computes ranks
  std::optional<Time> due;      // kWaiting, kScheduled, kDue
  std::optional<Time> leased_until;  // kLeased; kForever: no end
  Time queue_opens = 0;              // its queue's gate; kForever: until somebody opens it
};

struct UrlFrontierStats {
  std::uint64_t urls = 0;       // known, without deleted ones
  std::uint64_t queues = 0;     // with such URLs
  std::uint64_t collected = 0;  // links that wait for their parent
  std::uint64_t queued =
      0;  // to be fetched for the first time, retries and URLs behind closed gates included
  std::uint64_t in_process = 0;
  std::uint64_t completed = 0;  // URLs that were completed at least once
  std::uint64_t scheduled = 0;  // of those: due later
  std::uint64_t due = 0;        // of those: due and not in process
  std::uint64_t links = 0;      // given, in total
  std::uint64_t links_without_parent = 0;
  std::uint64_t rejected = 0;  // texts that are no URL, in total
  std::uint64_t expired = 0;   // leases that ended by themselves, in total
  std::uint64_t deleted = 0;   // in total
  std::uint64_t memory = 0;    // bytes
  std::uint64_t journal_bytes = 0;
  std::uint64_t spilled = 0;  // queued URLs that are not in memory
};

class UrlFrontier {
 public:
  // An error: a bad ordering or limit, a folder in use, damaged, or made with other options.
  static Result<std::unique_ptr<UrlFrontier>> open(const UrlFrontierOptions& options);
  // Like a crash; close() writes a snapshot, so that the next open() is fast.
  ~UrlFrontier();
  UrlFrontier(const UrlFrontier&) = delete;
  UrlFrontier& operator=(const UrlFrontier&) = delete;
  Status close();
  // The folder is left in its state now; if durable, also after a power failure.
  Status commit();

  // ---- URLs in. Results are in the order of the input; an error means that nothing happened.

  // Seeds. Their weights are relative to their sum in this call. A known URL stays as it is, but gets the
  // payload.
  Result<std::vector<PutResult>> add(std::span<const UrlInput> seeds, Time now);
  // Links of `parent`, or without a known parent (empty, or a URL that is not known). Links that are no URL
  // are rejected. A known URL keeps its payload.
  Result<std::vector<PutResult>> discover(std::string_view parent, std::span<const UrlInput> links, Time now);

  // ---- The next URLs, best first. Empty: the queue is empty, all gates are closed, or set_active(false).
  Result<std::vector<TakenUrl>> take(Time now, const TakeOptions& options = {});
  // If take() returned nothing: the earliest time at which it may return something without another call;
  // none: never.
  std::optional<Time> next_opening() const;

  // ---- What happened to a URL.

  struct Completion {
    std::span<const UrlInput> links = {};
    Time due = kForever;  // when it is to be fetched again
    std::optional<std::string_view> payload = std::nullopt;
  };
  // A leased URL was fetched, or failed for good. An error if it is not leased.
  Result<std::vector<PutResult>> complete(std::string_view url, const Completion& done, Time now);
  // The same for a URL in any state, known or not. A new one enters as a light seed and is completed at once.
  Result<std::vector<PutResult>> put_completed(const UrlInput& url, const Completion& done, Time now);
  // A leased URL is to be tried again, not before `due`. With due <= now: it was not fetched, put it back.
  Status retry(std::string_view url, Time due, Time now);
  // A completed URL is to be fetched again, not before `due`; kForever: not any more. An error if it is not
  // completed.
  Status schedule(std::string_view url, Time due, Time now);
  Status set_payload(std::string_view url, std::string_view payload, Time now);
  // Of a URL that is queued, or not yet; of others it is ignored.
  Status set_priority(std::string_view url, std::int32_t priority, Time now);
  // False: it is not known.
  Result<bool> remove(std::string_view url, Time now);
  // How many URLs were deleted.
  Result<std::uint64_t> remove_queue(std::string_view queue, Time now);
  // The lease ends now, or at another time; false: it is not leased.
  Result<bool> extend_lease(std::string_view url, Time until, Time now);

  // ---- Queues. A name that is not known yet is remembered; it has at most 1 KiB.

  // Between two URLs of the queue; below 0: the default again. Empty name: the default of all queues.
  Status set_delay(std::string_view queue, Time delay, Time now);
  Status block_until(std::string_view queue, Time until, Time now);
  // Completed URLs and URLs in process, at most; 0: no limit.
  Status set_limit(std::string_view queue, std::uint64_t urls, Time now);
  // Ends a block by TakeOptions::gate.
  void open_queue(std::string_view queue, Time now);
  Status set_active(bool active, Time now);
  bool active() const;
  Time default_delay() const;

  // ---- Reading.

  // None: not known, or not a URL. An error: the disk cannot be read.
  Result<std::optional<UrlStatus>> status(std::string_view url);
  // The URLs in order of their first appearance, all or those of one queue, from the `from`-th known URL on,
  // until visit returns false. Returns the number to go on from; none: that was all.
  Result<std::optional<std::uint64_t>> for_each_url(std::uint64_t from, std::string_view queue,
                                                    const std::function<bool(const UrlStatus&)>& visit);
  // The same for queues. Queues without URLs are included if they have settings.
  void for_each_queue(const std::function<bool(const UrlQueue&)>& visit) const;
  const UrlQueue* find_queue(std::string_view queue) const;
  UrlFrontierStats stats() const;
  const std::string& policy() const;
  // Latest time given; after a restart that of the last call.
  Time now() const;
  // What went wrong without harm since the last call: damaged spill files and the like.
  std::vector<std::string> take_warnings();

 private:
  class Impl;
  explicit UrlFrontier(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bowerbird
