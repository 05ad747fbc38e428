// Connections that wait for the next request of their host.
//
// A connection is worth keeping until its host may be asked again, which can take seconds. So the crawler
// tells when that will be (expect), and where there are too many, the connection with the furthest turn is
// closed first. One is closed, too, when its turn is past by `idle_us`, or is further away than kFarUs.
// Connections are not owned: `close` disposes of them. Times are of the monotonic clock. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
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
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  using Close = std::function<void(ClientConnection&)>;
  IdleConnections(std::size_t most, std::int64_t idle_us, Close close)
      : most_(most), idle_us_(idle_us), close_(std::move(close)) {}

  void add(ClientConnection& connection, std::int64_t now_us);
  // One of this host to one of these addresses; or null.
  ClientConnection* take(std::string_view host, bool tls, std::span<const NetAddress> addresses);
  void remove(ClientConnection& connection);
  // When the host's next request is due; kNever: none is.
  void expect(std::string_view host, std::int64_t due_us);
  // Closes the one with the furthest turn; false: there is none.
  bool close_one();
  // Closes those that are not worth keeping.
  void expire(std::int64_t now_us);
  void close_all();

  std::size_t size() const { return by_due_.size(); }

 private:
  std::int64_t until_us(const ClientConnection& connection) const;

  std::size_t most_;
  std::int64_t idle_us_;
  Close close_;
  std::set<std::pair<std::int64_t, ClientConnection*>> by_due_;
  std::unordered_map<std::string, std::vector<ClientConnection*>, KeyedStringHash, std::equal_to<>> by_host_;
};

}  // namespace bowerbird
