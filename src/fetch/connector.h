// Connects to the first of several addresses that answers (Happy Eyeballs, RFC 8305).
//
// The addresses are tried in the given order, IPv6 and IPv4 in turn, the next one when an attempt fails or
// has taken kAttemptUs. The first that succeeds is handed over; the others are closed before anything is
// sent on them. Whether an address may be connected to at all has been decided before. The loop outlives the
// connector. Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fetch/net_address.h"
#include "sys/event_loop.h"

namespace bowerbird {

class Connector final : public EventLoop::Handler {
 public:
  static constexpr std::int64_t kAttemptUs = 250'000;

  struct Result {
    int fd = -1;  // to be owned, and watched by the loop with kEvents; or none
    NetAddress address{};
    bool internal = false;  // no attempt could be made: out of descriptors or memory
    std::string trouble;
  };
  // Edges of everything, so that a connection never has to change what it waits for.
  static const std::uint32_t kEvents;

  // done: called once; it may destroy the connector.
  Connector(EventLoop& loop, std::vector<NetAddress> addresses, std::uint16_t port,
            std::function<void(Result)> done);
  ~Connector() override;
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  // May call done before it returns.
  void start() { try_next(); }
  // Gives up, without a call of done. Needed before it is destroyed, unless done was called.
  void close();
  void on_ready(std::uint32_t) override {}
  void on_timer() override { try_next(); }

  // In turn, beginning with the family of the first one (section 4).
  static std::vector<NetAddress> interlaced(const std::vector<NetAddress>& addresses);

 private:
  class Attempt;

  void try_next();
  void ended(Attempt& attempt, int error);
  void finish(Result result);

  EventLoop& loop_;
  std::vector<NetAddress> addresses_;
  std::size_t next_ = 0;
  std::uint16_t port_;
  std::function<void(Result)> done_;
  std::vector<std::unique_ptr<Attempt>> attempts_;
  Result last_;
};

}  // namespace bowerbird
