// Connects to the first of several addresses that answers (Happy Eyeballs, RFC 8305).
//
// The addresses are tried in the given order, alternating between IPv6 and IPv4. The next attempt starts
// when one fails or has taken kAttemptUs. The first connection that succeeds is the result; the others
// are closed before anything is sent. The caller has already checked that the addresses are allowed. The
// loop outlives the connector. Threads: the loop's.
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
    int fd = -1;  // owned by the receiver, watched by the loop with kEvents; -1: none
    NetAddress address{};
    bool internal = false;  // no attempt was possible: out of descriptors or memory
    std::string trouble;
  };
  // Edge-triggered events for reading and writing, so that a connection never has to change them.
  static const std::uint32_t kEvents;

  // done: called once. It may destroy the connector.
  Connector(EventLoop& loop, std::vector<NetAddress> addresses, std::uint16_t port,
            std::function<void(Result)> done);
  ~Connector() override;
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  // May call `done` before it returns.
  void start() { try_next(); }
  // Gives up without calling `done`. Required before destruction, unless `done` was called.
  void close();
  void on_ready(std::uint32_t) override {}
  void on_timer() override { try_next(); }

  // Alternates the address families, starting with the family of the first address (section 4).
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
