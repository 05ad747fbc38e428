// What is next: every page's state, the queue of discovered pages by score, host gates, and the strategy that
// decides which links enter. The lab and the live crawler run this very class.
//
// A page is in exactly one state and only the frontier changes it:
//   undiscovered -> queued -> in flight -> done | dead, or in flight -> waiting -> queued.
// Invariant: next() hands out the page with the best score among the queued pages whose host's gate is open
// at `now` (earlier discovered first among equals). Gates cost nothing where they are never set (the lab).
// Memory: 4 bytes per page id, 16 per queued page. Threads: one owner. Time is an argument, in milliseconds
// of any epoch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"
#include "policy/policy.h"

namespace bowerbird {

using Time = std::int64_t;

enum class PageState : std::uint8_t { kUndiscovered, kQueued, kInFlight, kWaiting, kDone };

// A link as it was found on a page; distinct targets, in the order of out(v).
struct Link {
  PageId page = 0;
  bool other_host = false;
};

struct SeedPage {
  PageId page = 0;
  double weight = 1;
};

// What a page's URL tells; asked once per discovered page, and only when ordering or strategy needs it.
using HintSource = std::function<PageHints(PageId)>;
using HostSource = std::function<HostId(PageId)>;

struct FrontierOptions {
  std::string strategy = "all";      // a spec: all, sydney@8, sydney@8:budget=5%, shallow@8, truncated@8
  std::uint64_t expected_pages = 0;  // what a budget in percent is a share of
  std::uint64_t seed = 1;            // of everything random in the strategy
  PageId page_capacity = 0;  // ids known to be below this from the start (lab); live grows as ids come
};

struct Job {
  PageId page = 0;
  bool revisit = false;  // already crawled: only its remaining links are wanted (lab: give its links again)
};

struct FrontierCounts {
  std::uint64_t discovered = 0;  // ever
  std::uint64_t crawled = 0;
  std::uint64_t primary = 0;    // |P|: queued now
  std::uint64_t secondary = 0;  // |S|
  std::uint64_t in_flight = 0;
  std::uint64_t waiting = 0;
  std::uint64_t revisits = 0;
  std::uint64_t dropped = 0;  // links a budget turned away
  std::uint64_t peak = 0;     // largest |P| + |S|
};

class Frontier {
 public:
  // Fails on a bad strategy spec. hints / hosts may be empty where ordering, strategy and gates need none.
  static Result<std::unique_ptr<Frontier>> make(const FrontierOptions& options,
                                                std::unique_ptr<Policy> policy, HintSource hints = {},
                                                HostSource hosts = {});
  virtual ~Frontier() = default;

  // Discovers these pages as seeds; pages known already are left as they are.
  virtual void seed(std::span<const SeedPage> seeds) = 0;

  // The best page that may be fetched at `now`, which is in flight from here on; none if the queue is empty
  // or every gate is closed.
  virtual std::optional<Job> next(Time now) = 0;
  // When nothing could be handed out: the earliest time at which something may be; none if the frontier is
  // empty.
  virtual std::optional<Time> next_opening() const = 0;

  // The page in flight has been fetched and has these links (a page that failed for good has none).
  virtual void complete(PageId page, std::span<const Link> links) = 0;
  // The page in flight is to be tried again, not before `due`.
  virtual void retry(PageId page, Time due) = 0;
  // No page of this host is handed out before `opens`.
  virtual void set_gate(HostId host, Time opens) = 0;

  virtual PageState state(PageId page) const = 0;
  virtual std::optional<Score> score(PageId page) const = 0;  // of a page that is discovered and not crawled
  virtual const FrontierCounts& counts() const = 0;
  virtual std::uint64_t bytes() const = 0;  // all memory, the ordering's included
  virtual Policy& policy() = 0;

  // All state. load() into a Frontier made with the same options and a fresh policy of the same spec; an
  // error leaves it unusable.
  virtual void save(ByteWriter& out) const = 0;
  virtual Status load(ByteReader& in) = 0;
};

}  // namespace bowerbird
