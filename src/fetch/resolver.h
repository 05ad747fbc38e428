// Resolves names to addresses with c-ares and a cache of our own.
//
// Problem: a crawler resolves a few hosts all the time and millions of others once. A resolver that
// blocks, or queries again for each page, slows the whole crawl. Answers are cached for their TTL (within
// bounds), failures for a shorter time. Requests for a name that is being resolved share one query. The
// cache is bounded: answers that expire first are removed first. Lifetime: the loop outlives the
// resolver. Destroying it answers open requests with kFailed. Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "fetch/net_address.h"
#include "sys/clock.h"
#include "sys/event_loop.h"

namespace bowerbird {

enum class ResolveStatus : std::uint8_t {
  kFound,
  kNoSuchName,  // the name does not exist
  kFailed,      // no answer, or an invalid one; a later query may succeed
};

struct Resolution {
  ResolveStatus status = ResolveStatus::kFailed;
  std::vector<NetAddress> addresses;
  std::int64_t until_us = 0;  // by the resolver's clock
};

struct ResolverOptions {
  std::string servers;     // "192.0.2.1:53,..."; empty: those of the system
  bool hosts_file = true;  // look in the system's hosts file first
  double timeout_s = 5;    // of one query
  int tries = 3;
  std::int64_t least_ttl_s = 60;  // minimum time in the cache
  std::int64_t most_ttl_s = 1800;
  std::int64_t no_name_ttl_s = 600;
  std::int64_t failed_ttl_s = 30;
  std::size_t cache_entries = 100'000;
};

class Resolver {
 public:
  // clock: monotonic; null: the system's.
  static Result<std::unique_ptr<Resolver>> make(EventLoop& loop, const ResolverOptions& options,
                                                const Clock* clock = nullptr);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  using Answer = std::function<void(const Resolution&)>;
  // name: as in a URL: lower case, an IPv6 address in brackets. May call `answer` at once.
  void resolve(const std::string& name, Answer answer);
  // Removes the name from the cache, because its addresses did not respond.
  void forget(const std::string& name) { cache_.erase(name); }

  std::size_t cached() const { return cache_.size(); }
  std::uint64_t queries() const { return queries_; }

 private:
  class Channel;
  struct Query;

  Resolver(EventLoop& loop, const ResolverOptions& options, const Clock* clock);
  void finish(const std::string& name, const Resolution& resolution);
  void make_room();

  EventLoop& loop_;
  ResolverOptions options_;
  MonotonicClock machine_;
  const Clock& clock_;
  std::unordered_map<std::string, Resolution, KeyedStringHash> cache_;
  std::unordered_map<std::string, std::vector<Answer>, KeyedStringHash> open_;
  std::uint64_t queries_ = 0;
  std::unique_ptr<Channel> channel_;
};

}  // namespace bowerbird
