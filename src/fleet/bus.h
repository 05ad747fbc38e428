// The engine of a fleet: NATS with JetStream and its key-value store, as far as we use it.
//
// Problem: the client library is C, its calls wait for the network, and its errors are numbers. Here are the
// few calls a fleet makes, with Result and owned strings. Every call may block for a few seconds and fail;
// a lost connection is taken up again by itself. Ownership: callbacks live until the bus is destroyed, and
// are called from threads of the library. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct BusMessage {
  std::string subject;
  std::string reply;
  std::string data;
};

struct BusLetter {
  std::string subject;
  std::string data;
};

struct BusEntry {
  std::string value;
  std::uint64_t revision = 0;
};

// Keys and values; every change has a revision, and update() succeeds for the one who knows the last.
class BusStore {
 public:
  virtual ~BusStore() = default;
  virtual Result<std::optional<BusEntry>> get(const std::string& key) = 0;
  virtual Result<std::uint64_t> put(const std::string& key, const std::string& value) = 0;
  // No value: the key is there already, or its revision is another.
  virtual Result<std::optional<std::uint64_t>> create(const std::string& key, const std::string& value) = 0;
  virtual Result<std::optional<std::uint64_t>> update(const std::string& key, const std::string& value,
                                                      std::uint64_t revision) = 0;
  virtual Status remove(const std::string& key) = 0;
  // All there is, by key.
  virtual Result<std::map<std::string, BusEntry>> all() = 0;
};

struct BusQueue {
  std::string name;
  std::string subject;
};

struct QueueInfo {
  std::uint64_t waiting = 0;    // not yet delivered
  std::uint64_t delivered = 0;  // so far
  std::string to;               // where they go
};

class Bus {
 public:
  using Receive = std::function<void(BusMessage)>;

  // "nats://host:port"; the error says what to do.
  static Result<std::unique_ptr<Bus>> connect(const std::string& url);
  ~Bus();
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  // Values vanish `ttl_s` after they were written; 0: never.
  Result<std::unique_ptr<BusStore>> store(const std::string& name, double ttl_s);

  // One that must be there.
  Result<std::unique_ptr<BusStore>> existing_store(const std::string& name);

  // A stream of messages that each wait until they are acknowledged; full, it takes no more.
  Status make_stream(const std::string& name, const std::string& subjects, std::uint64_t most_bytes);
  // What is asked many at a time is all sent before any answer is waited for.
  // By letter, whether the engine has taken it (which does not mean that it is on its disk).
  std::vector<bool> publish_kept(const std::vector<BusLetter>& letters);
  // All messages of these queues' subjects are delivered to `to` from now on, and to nobody else; by queue,
  // whether it was done.
  std::vector<bool> take_over(const std::string& stream, const std::vector<BusQueue>& queues,
                              const std::string& to);
  // None where there is no such queue.
  Result<std::vector<std::optional<QueueInfo>>> look_at(const std::string& stream,
                                                        const std::vector<BusQueue>& queues);

  // Messages that nobody keeps.
  Status publish(const std::string& subject, std::string_view data);
  Status subscribe(const std::string& subject, Receive receive);
  // No callback is running or will be called when this returns.
  void stop_listening();

  // Forgets everything under these names.
  Status forget(const std::string& stream, const std::vector<std::string>& stores);

 private:
  class Impl;
  explicit Bus(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bowerbird
