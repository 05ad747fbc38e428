// What a process has to send: messages until their receiver has committed them, and receipts for what it has
// committed itself.
//
// Problem: the broker may be slow, full or unreachable, and its acknowledgement does not mean that a message
// is on disk. So messages stay here until they are confirmed. They are sent in order with a window per
// partition, and resent if no confirmation arrives although the queue of the partition is read. A queue that
// nobody reads still has the first copies, and further ones would fill the broker. If the broker is full,
// sending is retried later. The crawl never waits. Threads: step() from one thread at a time, the others from
// any.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "fleet/batch/message.h"
#include "fleet/bus.h"
#include "fleet/names.h"
#include "sys/clock.h"

namespace bowerbird {

// Notifications of a commit: to the broker, which delivered the messages, and to the processes that carry
// them.
struct Receipts {
  std::vector<std::string> replies;
  std::map<std::string, std::vector<MessageId>> by_carrier;

  bool empty() const { return replies.empty() && by_carrier.empty(); }
};

class Outgoing {
 public:
  // may_send: whether our lease is valid. If it is not, other processes may own our partitions.
  // warn: told once when messages wait for long because nobody reads them.
  using Warn = std::function<void(std::string)>;
  Outgoing(Bus& bus, FleetNames names, std::string carrier, std::function<bool()> may_send, Warn warn,
           const Clock& clock);

  void add(std::vector<Message> messages);
  // Confirms all messages of these senders and partitions up to these numbers.
  void confirm(const std::vector<MessageId>& ids);
  void acknowledge(Receipts receipts);
  // Sends what is due; false if nothing was.
  bool step();
  // Waits until there is something new to send, everything has been handed to the broker, or time is up.
  void wait(std::chrono::milliseconds most);
  // Whether everything that may be sent now has been handed to the broker once.
  bool all_sent() const;

 private:
  struct Item {
    Message message;
    bool sent = false;
  };
  struct Row {
    std::deque<Item> items;
    std::int64_t sent_ms = 0;   // last send or confirmation
    std::int64_t again_ms = 0;  // time of the next retry
    int unread = 0;             // how often in a row its queue was found not to be read
  };
  using RowId = std::pair<std::string, std::uint32_t>;

  std::int64_t now_ms() const { return clock_.now_us() / 1000; }
  std::vector<std::uint32_t> unconfirmed(std::int64_t now_ms) const REQUIRES(mutex_);
  void resend(const std::vector<std::uint32_t>& partitions) EXCLUDES(mutex_);
  std::vector<Message> choose(std::int64_t now_ms) REQUIRES(mutex_);
  void send(const std::vector<Message>& chosen) EXCLUDES(mutex_);
  void send(const Receipts& receipts) EXCLUDES(mutex_);

  Bus& bus_;
  FleetNames names_;
  std::string carrier_;
  std::function<bool()> may_send_;
  Warn warn_;
  const Clock& clock_;
  mutable Mutex mutex_;
  Condition changed_;
  std::map<RowId, Row> rows_ GUARDED_BY(mutex_);
  Receipts receipts_ GUARDED_BY(mutex_);
  bool sending_receipts_ GUARDED_BY(mutex_) = false;
  bool warned_ GUARDED_BY(mutex_) = false;
};

}  // namespace bowerbird
