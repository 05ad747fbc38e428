// Idle connections, kept for the next request to their host.
//
// A connection is worth keeping until its host may be asked again, which can take seconds. Requests state
// that time (FetchRequest::next_ms); here it is the connection's due time. If connections exceed a limit,
// those that are overdue are closed first, then those with the latest due time. A connection is also
// closed when it is overdue by `idle_us`, or due only after kFarUs. Connections are not owned: `close`
// disposes of them. Times are of the monotonic clock. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "fetch/net_address.h"

namespace bowerbird {

class ClientConnection;

class IdleConnections {
 public:
  static constexpr std::int64_t kFarUs = 60'000'000;
  static constexpr std::int64_t kPassedUs = 2'000'000;
  // Memory per connection, as measured by bench/https.py.
  static constexpr std::uint64_t kTlsBytes = 24 << 10;
  static constexpr std::uint64_t kPlainBytes = 2 << 10;
  struct Limits {
    std::size_t connections = 0;
    std::uint64_t bytes = 0;
    std::int64_t idle_us = 0;
  };

  using Close = std::function<void(ClientConnection&)>;
  IdleConnections(const Limits& limits, Close close) : limits_(limits), close_(std::move(close)) {}

  // due_us: when the host may be asked again.
  void add(ClientConnection& connection, std::int64_t due_us, std::int64_t now_us);
  // A connection to this host at one of these addresses; null: none.
  ClientConnection* take(std::string_view host, bool tls, std::span<const NetAddress> addresses);
  void remove(ClientConnection& connection);
  // Changes the memory limit.
  void limit(std::uint64_t bytes, std::int64_t now_us);
  // Closes the least valuable connection. False: there is none.
  bool close_one(std::int64_t now_us);
  // Closes connections that are not worth keeping.
  void expire(std::int64_t now_us);
  void close_all();

  std::uint64_t bytes() const { return bytes_; }
  std::size_t size() const { return by_due_.size(); }

 private:
  static std::uint64_t cost(const ClientConnection& connection);
  std::int64_t until_us(const ClientConnection& connection) const;
  void dispose(ClientConnection& connection);
  void make_room(std::int64_t now_us);

  Limits limits_;
  std::uint64_t bytes_ = 0;
  Close close_;
  std::set<std::pair<std::int64_t, ClientConnection*>> by_due_;
  std::unordered_map<std::string, std::vector<ClientConnection*>, KeyedStringHash, std::equal_to<>> by_host_;
};

}  // namespace bowerbird
