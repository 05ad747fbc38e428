// A durable URL frontier: takes URLs, and hands out the best URL that may be fetched now.
//
// add() adds seeds; next() leases the best URL whose queue may be asked; complete() reports its links, or
// retry() that it failed. The ordering (docs/policies.md) decides which URL is best. A queue is the unit
// of politeness, by default the URL's host. Times are milliseconds of any epoch, passed by the caller,
// and never run backwards.
//
// Without a folder everything is in memory. With one, each call is written when it returns and survives
// kill -9; with FrontierOptions::durable, commit() makes everything so far survive a power failure too. A
// second user cannot open the folder. When a folder is opened again, URLs with a lease that does not
// expire are handed out again. Each call happens completely or, if it throws Error, not at all. Threads:
// one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bowerbird/error.h"

BOWERBIRD_BEGIN

struct FrontierOptions {
  std::string folder = {};  // empty: in memory
  std::string policy = {};  // empty: the folder's; for a new folder `lipr`
  bool canonical = true;    // URLs are identified by their canonical form; false: each spelling is a URL
  std::uint64_t random_seed = 1;
  std::uint64_t expected_pages = 0;
  std::uint64_t memory = 0;  // limit in bytes, needs a folder; 0: none
  bool durable = false;      // commit() syncs
  std::int64_t delay = 0;    // between two URLs of a queue, ms
  unsigned threads = 1;      // for recomputations of orderings
};

struct UrlEntry {
  std::string_view url;
  std::string_view queue = {};                             // empty: the host
  std::optional<std::string_view> payload = std::nullopt;  // opaque
  double weight = 1;                                       // of a seed
  std::int32_t priority = 0;  // of a new URL: larger ones come first, whatever their scores
  bool follow = true;         // of a link of a completed URL; false: only counts as a link of that URL
};

enum class Put { added, known, rejected };

struct NextUrl {
  std::string url, queue, payload;
  double score = 0;
  bool again = false;  // it was completed before
};

struct UrlFacts {
  std::string url, queue, payload;
  std::string state;  // collected, queued, leased, waiting, completed, scheduled, due
  bool completed = false;
  std::optional<double> score, rank;
  std::int32_t priority = 0;
  std::optional<std::int64_t> due, leased_until;
  std::int64_t queue_opens = 0;  // when its queue may be asked; Frontier::kNever: only after a call
};

struct FrontierStats {
  std::uint64_t urls = 0, queues = 0, collected = 0, queued = 0, in_process = 0, completed = 0, scheduled = 0,
                due = 0, links = 0, links_without_parent = 0, rejected = 0, expired = 0, deleted = 0,
                memory = 0, disk = 0, spilled = 0;
};

class BOWERBIRD_API Frontier {
 public:
  static constexpr std::int64_t kNever = std::int64_t{1} << 61;
  // Returns when the queue may be asked; kNever: not before open_queue().
  using Gate = std::function<std::int64_t(std::string_view queue)>;

  explicit Frontier(const FrontierOptions& options = {});
  ~Frontier();  // like a kill; close() makes the next opening fast
  Frontier(Frontier&&) noexcept;
  Frontier& operator=(Frontier&&) noexcept;

  std::vector<Put> add(const std::vector<UrlEntry>& seeds, std::int64_t now);
  std::vector<Put> discover(std::string_view parent, const std::vector<UrlEntry>& links, std::int64_t now);
  // lease: ms until an unfinished URL is handed out again; 0: never. per_queue: limit of leased URLs of a
  // queue; 0: none.
  std::optional<NextUrl> next(std::int64_t now, std::int64_t lease = 0, std::size_t per_queue = 0,
                              const Gate& gate = {});
  std::vector<NextUrl> next_many(std::size_t count, std::int64_t now, std::int64_t lease = 0,
                                 std::size_t per_queue = 0, const Gate& gate = {});
  // After next() returned nothing: the earliest time at which it may return something; none: not without
  // another call.
  std::optional<std::int64_t> next_opening() const;

  // due: when the URL is to be fetched again. Returns the results of the links.
  std::vector<Put> complete(std::string_view url, const std::vector<UrlEntry>& links, std::int64_t now,
                            std::int64_t due = kNever,
                            std::optional<std::string_view> payload = std::nullopt);
  void retry(std::string_view url, std::int64_t due, std::int64_t now);
  void schedule(std::string_view url, std::int64_t due, std::int64_t now);
  void set_payload(std::string_view url, std::string_view payload, std::int64_t now);
  void set_priority(std::string_view url, std::int32_t priority, std::int64_t now);
  bool remove(std::string_view url, std::int64_t now);
  std::uint64_t remove_queue(std::string_view queue, std::int64_t now);

  void set_delay(std::string_view queue, std::int64_t delay,
                 std::int64_t now);  // empty: the default of all queues
  void block_until(std::string_view queue, std::int64_t until, std::int64_t now);
  void set_limit(std::string_view queue, std::uint64_t urls, std::int64_t now);
  void open_queue(std::string_view queue, std::int64_t now);

  std::optional<UrlFacts> status(std::string_view url) const;
  // In the order of first appearance, until visit returns false. queue: only this queue.
  void for_each(const std::function<bool(const UrlFacts&)>& visit, std::string_view queue = {}) const {
    for_each_from(0, visit, queue);
  }
  // The same, starting at a position. Returns the position to continue from; none: all were visited.
  std::optional<std::uint64_t> for_each_from(std::uint64_t from,
                                             const std::function<bool(const UrlFacts&)>& visit,
                                             std::string_view queue = {}) const;
  FrontierStats stats() const;
  std::string policy() const;
  std::int64_t now() const;  // the latest time so far
  void commit();
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

BOWERBIRD_END
