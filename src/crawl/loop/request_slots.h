// Which requests are in flight, and who may start another one.
//
// Problem: a crawl has a limited number of connections, and hosts that never answer, or send a byte at a
// time, hold theirs for minutes. One page with a thousand links to such hosts must not stop the rest of
// the crawl. So a slot is held only by a request in flight: a DNS lookup, a robots.txt, a page. Hosts
// that wait for a gate hold none. Of all slots (--connections)
//   - hosts that have never answered a request for a page hold at most half;
//   - the preparations (lookups, robots.txt) of one registrable domain, and of one address, hold at most
//     a sixteenth;
//   - requests that run much longer than others of their kind are *slow*. While a host waits for a slot,
//     slow ones hold at most a quarter; beyond that the oldest ones are cancelled. The outcome table
//     decides when they are retried.
// Each share is at least one slot. With a single slot nothing is cancelled or reordered, so the order is
// that of the lab.
//
// A host whose share is used up waits here. Hosts wait in the order in which their best pages came up;
// take_ready() returns those that may try again. Pages that are being parsed are not counted here; the
// caller counts them. Threads: one.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <ratio>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

class RequestSlots {
 public:
  // kPage: also requisites.
  enum class Kind : std::uint8_t { kPage, kLookup, kRobots };

  explicit RequestSlots(std::uint64_t slots) : slots_(slots) {}

  // Whether the shares leave room for another request to the host.
  bool fits(Kind kind, const Host& host) const { return full_share(kind, host) == shares_.end(); }
  // The same, but if there is no room the host starts to wait.
  bool fits_or_waits(Kind kind, HostId id, const Host& host);

  // id: the fetcher's request id. host: the host whose shares are used.
  void start(std::uint64_t id, Kind kind, const Host& host, Time now);
  // The request has ended.
  void end(std::uint64_t id, Time now);
  // All requests have ended.
  void clear();

  std::uint64_t slots() const { return slots_; }
  void set_slots(std::uint64_t slots) { slots_ = slots; }
  std::uint64_t pages() const { return counts_[static_cast<std::size_t>(Kind::kPage)]; }
  std::uint64_t preparing() const { return requests_.size() - pages(); }
  std::uint64_t waiting() const { return waiting_hosts_; }
  // Whether so many hosts wait that no further page should be started.
  bool crowded() const { return waiting_hosts_ >= kMostWaiting; }

  // Removes and returns the waiting hosts for which there may be room now.
  std::vector<HostId> take_ready();

  // Number of requests for pages that are slow.
  std::uint64_t slow_pages(Time now) const;
  // The oldest slow request, if slow ones hold more than their share. Each request is returned once.
  std::optional<std::uint64_t> take_too_slow(Time now);

 private:
  static constexpr std::uint64_t kMostWaiting = 100'000;

  // What a share belongs to: all hosts that have not delivered, a domain, or an address.
  struct Key {
    enum class Of : std::uint8_t { kUnproven, kDomain, kAddress };
    Of of = Of::kUnproven;
    std::uint64_t domain = 0;
    NetAddress address = {};
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Share {
    std::uint64_t held = 0;
    std::deque<HostId> waiting;
  };
  struct Request {
    Kind kind = Kind::kPage;
    Time since{};
    bool cancelled = false;
    std::vector<Key> keys;
  };

  using Milliseconds = std::chrono::duration<double, std::milli>;
  using Shares = std::map<Key, Share>;

  static std::vector<Key> keys_of(Kind kind, const Host& host);
  std::uint64_t limit_of(const Key& key) const;
  Shares::const_iterator full_share(Kind kind, const Host& host) const;
  bool is_slow(const Request& request, Time now) const;

  std::uint64_t slots_;
  std::unordered_map<std::uint64_t, Request> requests_;
  std::set<std::pair<Time, std::uint64_t>> by_age_;
  Shares shares_;  // shares that are held or waited for
  std::uint64_t waiting_hosts_ = 0;
  std::array<std::uint64_t, 3> counts_{};  // by kind
  std::array<Milliseconds, 3> usual_{};    // roughly the median duration, by kind
};

}  // namespace bowerbird
