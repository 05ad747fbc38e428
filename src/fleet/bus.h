// The broker of a fleet: NATS with JetStream and its key-value store, as far as we use it.
//
// Problem: the client library is written in C, its calls wait for the network, and its errors are numbers.
// This interface has the few calls a fleet makes, with Result and owned strings. Every call may block for a
// few seconds and fail. A lost connection is re-established in the background. Unit tests use another
// implementation, fake_bus_testing.h. Ownership: callbacks live until the bus is destroyed, and are called
// from threads of the library. Threads: any.
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

struct BusRequest {
  std::string subject;
  std::string data;
};

struct BusEntry {
  std::string value;
  std::uint64_t revision = 0;
};

// Keys and values. Every change has a revision; update() succeeds only if the given revision is the last one.
class BusStore {
 public:
  virtual ~BusStore() = default;
  virtual Result<std::optional<BusEntry>> get(const std::string& key) = 0;
  virtual Result<std::uint64_t> put(const std::string& key, const std::string& value) = 0;
  // No value: the key exists already, or has another revision.
  virtual Result<std::optional<std::uint64_t>> create(const std::string& key, const std::string& value) = 0;
  virtual Result<std::optional<std::uint64_t>> update(const std::string& key, const std::string& value,
                                                      std::uint64_t revision) = 0;
  virtual Status remove(const std::string& key) = 0;
  // The entries whose keys begin with `prefix`, which ends in a dot or is empty; by key.
  virtual Result<std::map<std::string, BusEntry>> all(const std::string& prefix) = 0;
};

struct BusQueue {
  std::string name;
  std::string subject;
};

struct QueueInfo {
  std::uint64_t waiting = 0;    // not yet delivered
  std::uint64_t delivered = 0;  // in total
  std::string to;               // subject they are delivered to
};

// What a log has.
struct LogEnd {
  std::uint64_t first = 0;  // sequence of its first message
  std::uint64_t last = 0;   // of its last one; 0: it is empty
  std::uint64_t bytes = 0;
};

struct LogMessage {
  std::uint64_t sequence = 0;
  std::string data;
};

enum class AppendResult : std::uint8_t {
  kAccepted,  // as the message after the given one
  kConflict,  // that is not the last message
  kUnknown,   // no answer: it may be in the log or not
};

class Bus {
 public:
  using Receive = std::function<void(BusMessage)>;

  // url: see broker_address.h. Errors are of the kind kRetry, unless the broker refuses us; they never name
  // its credentials.
  static Result<std::unique_ptr<Bus>> connect(const std::string& url);
  virtual ~Bus() = default;

  // Values expire `ttl_s` after they were written; 0: never.
  virtual Result<std::unique_ptr<BusStore>> store(const std::string& name, double ttl_s) = 0;
  // The store must exist.
  virtual Result<std::unique_ptr<BusStore>> existing_store(const std::string& name) = 0;

  // A stream keeps each message until it is acknowledged, and refuses new ones when it is full.
  virtual Status make_stream(const std::string& name, const std::string& subjects,
                             std::uint64_t most_bytes) = 0;
  // The calls with several requests send all of them before they wait for an answer. Returns for each request
  // whether the broker has accepted it (which does not mean that it is on its disk).
  virtual std::vector<bool> publish_kept(const std::vector<BusRequest>& requests) = 0;
  // From now on the messages of these queues are delivered only to `to`. Returns for each queue whether that
  // succeeded.
  virtual std::vector<bool> take_over(const std::string& stream, const std::vector<BusQueue>& queues,
                                      const std::string& to) = 0;
  // None where the queue does not exist.
  virtual Result<std::vector<std::optional<QueueInfo>>> look_at(const std::string& stream,
                                                                const std::vector<BusQueue>& queues) = 0;

  // A log keeps all its messages, numbered from 1, and refuses new ones when the disk is full. No error where
  // it exists.
  virtual Status make_log(const std::string& name, const std::string& subject) = 0;
  // None: there is no such log.
  virtual Result<std::optional<LogEnd>> end_of_log(const std::string& name) = 0;
  // Appends the message if `last` is the sequence of the last one; 0: the log is empty. Of several clients
  // that append after the same message exactly one succeeds, also with a cluster of brokers (NATS: the
  // expected sequence of the stream).
  virtual AppendResult append(const std::string& name, const std::string& subject, std::string_view data,
                              std::uint64_t last) = 0;
  // At most `count` messages from this one on, without those that are not there.
  virtual Result<std::vector<LogMessage>> read_log(const std::string& name, std::uint64_t first,
                                                   std::size_t count) = 0;

  // Sends a message that is not stored.
  virtual Status publish(const std::string& subject, std::string_view data) = 0;
  virtual Status subscribe(const std::string& subject, Receive receive) = 0;
  // When this returns, no callback is running or will be called.
  virtual void stop_listening() = 0;
};

}  // namespace bowerbird
