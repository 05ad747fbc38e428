// What a process has to send: messages until their receiver's commit is known, and receipts for what it has
// committed itself.
//
// Problem: the engine may be slow, full or gone, and its word that it has a message does not mean that the
// message is safe. So messages stay here until they are confirmed, are sent in order with a window for each
// partition, and are sent again when nothing is heard; a full engine is asked again later. The crawl never
// waits. Threads: its own, which sends; add(), acknowledge() and confirm() from any.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fleet/batch/message.h"
#include "fleet/bus.h"
#include "fleet/names.h"

namespace bowerbird {

class Outgoing {
 public:
  // may_send: whether we still hold what we hold.
  Outgoing(Bus& bus, FleetNames names, std::string carrier, std::function<bool()> may_send);
  ~Outgoing();
  Outgoing(const Outgoing&) = delete;
  Outgoing& operator=(const Outgoing&) = delete;

  void add(std::vector<Message> messages);
  // All of their senders and partitions up to these numbers are safe.
  void confirm(const std::vector<MessageId>& ids);
  // Messages that we have committed: how the engine is told, and by those who keep them until then.
  struct Receipts {
    std::vector<std::string> replies;
    std::map<std::string, std::vector<MessageId>> by_carrier;
  };
  void acknowledge(Receipts receipts);
  // Until all has been handed to the engine once, or the time is over.
  void flush(std::int64_t most_ms);
  std::uint64_t sent_again() const { return sent_again_; }

  // A message with the name of the process that carries it, as bytes, and back.
  static std::string envelope(const std::string& carrier, const Message& message);
  static bool open(std::string_view bytes, std::string& carrier, Message& message);
  static std::vector<MessageId> read_receipts(std::string_view bytes);

 private:
  struct Item {
    Message message;
    bool sent = false;
  };
  struct Row {
    std::deque<Item> items;
    std::int64_t sent_ms = 0;   // when something of it was last sent, or heard of
    std::int64_t again_ms = 0;  // not before
  };
  using RowId = std::pair<std::string, std::uint32_t>;

  void work();
  std::vector<Message> choose(std::int64_t now_ms);
  void send(const std::vector<Message>& chosen, std::unique_lock<std::mutex>& lock);
  void send_receipts(std::unique_lock<std::mutex>& lock);
  bool all_sent() const;

  Bus& bus_;
  FleetNames names_;
  std::string carrier_;
  std::function<bool()> may_send_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<RowId, Row> rows_;
  Receipts receipts_;
  bool finished_ = false;
  std::atomic<std::uint64_t> sent_again_ = 0;
  std::thread thread_;
};

}  // namespace bowerbird
