#include "fleet/outgoing.h"

#include <chrono>

#include "base/varint.h"
#include "fleet/clock_ms.h"

namespace bowerbird {

namespace {

// Messages of one partition that are sent and not confirmed.
constexpr std::size_t kWindow = 64;
constexpr std::int64_t kUnheardMs = 15'000;
constexpr std::int64_t kRefusedMs = 1000;
// The engine answers for all of them within the time of one call.
constexpr std::size_t kAtOnce = 256;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

}  // namespace

Outgoing::Outgoing(Bus& bus, FleetNames names, std::string carrier, std::function<bool()> may_send)
    : bus_(bus), names_(std::move(names)), carrier_(std::move(carrier)), may_send_(std::move(may_send)) {
  thread_ = std::thread([this] { work(); });
}

Outgoing::~Outgoing() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Outgoing::add(std::vector<Message> messages) {
  {
    const std::lock_guard lock(mutex_);
    for (Message& message : messages) {
      const RowId id(message.id.sender, message.id.partition);
      rows_[id].items.push_back({std::move(message), false});
    }
  }
  changed_.notify_all();
}

void Outgoing::confirm(const std::vector<MessageId>& ids) {
  {
    const std::lock_guard lock(mutex_);
    for (const MessageId& id : ids) {
      const auto found = rows_.find({id.sender, id.partition});
      if (found == rows_.end()) continue;
      std::deque<Item>& items = found->second.items;
      while (!items.empty() && items.front().message.id.number <= id.number) items.pop_front();
      found->second.sent_ms = now_ms();
      if (items.empty()) rows_.erase(found);
    }
  }
  changed_.notify_all();
}

void Outgoing::acknowledge(Receipts receipts) {
  {
    const std::lock_guard lock(mutex_);
    std::move(receipts.replies.begin(), receipts.replies.end(), std::back_inserter(receipts_.replies));
    for (auto& [carrier, ids] : receipts.by_carrier) {
      std::move(ids.begin(), ids.end(), std::back_inserter(receipts_.by_carrier[carrier]));
    }
  }
  changed_.notify_all();
}

bool Outgoing::all_sent() const {
  if (!receipts_.replies.empty() || !receipts_.by_carrier.empty()) return false;
  for (const auto& [id, row] : rows_) {
    for (std::size_t i = 0; i < std::min(kWindow, row.items.size()); ++i) {
      if (!row.items[i].sent) return false;
    }
  }
  return true;
}

void Outgoing::flush(std::int64_t most_ms) {
  std::unique_lock lock(mutex_);
  changed_.notify_all();
  changed_.wait_for(lock, std::chrono::milliseconds(most_ms), [this] { return all_sent(); });
}

std::vector<Message> Outgoing::choose(std::int64_t now) {
  std::vector<Message> chosen;
  std::size_t bytes = 0;
  for (auto& [id, row] : rows_) {
    if (row.again_ms > now || chosen.size() >= kAtOnce) continue;
    if (row.items.front().sent && now - row.sent_ms > kUnheardMs) {
      for (Item& item : row.items) {
        if (item.sent) ++sent_again_;
        item.sent = false;
      }
    }
    // All pieces of a partition that moves are needed before any is confirmed; so may be what is before them.
    for (std::size_t i = 0; i < row.items.size() && chosen.size() < kAtOnce && bytes < kBytesAtOnce; ++i) {
      if (row.items[i].sent || (i >= kWindow && !is_transfer(*row.items[i].message.content))) continue;
      chosen.push_back(row.items[i].message);
      bytes += row.items[i].message.content->size();
    }
  }
  return chosen;
}

// What is lost of these is delivered again, and acknowledged then.
void Outgoing::send_receipts(std::unique_lock<std::mutex>& lock) {
  const Receipts receipts = std::exchange(receipts_, {});
  lock.unlock();
  for (const auto& [carrier, ids] : receipts.by_carrier) {
    std::string message;
    for (const MessageId& id : ids) {
      put_string(message, id.sender);
      put_varint(message, id.partition);
      put_varint(message, id.number);
    }
    static_cast<void>(bus_.publish(names_.to("ok", carrier), message).ok());
  }
  for (const std::string& reply : receipts.replies) static_cast<void>(bus_.publish(reply, "+ACK").ok());
  lock.lock();
}

void Outgoing::send(const std::vector<Message>& chosen, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  std::vector<BusLetter> letters;
  for (const Message& message : chosen) {
    letters.push_back({names_.partition(message.id.partition), envelope(carrier_, message)});
  }
  const std::vector<bool> taken = bus_.publish_kept(letters);
  lock.lock();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const MessageId& id = chosen[i].id;
    const auto found = rows_.find({id.sender, id.partition});
    if (found == rows_.end()) continue;
    Row& row = found->second;
    if (!taken[i]) {
      row.again_ms = now_ms() + kRefusedMs;
      continue;
    }
    row.sent_ms = now_ms();
    for (Item& item : row.items) {
      if (item.message.id.number == id.number) item.sent = true;
    }
  }
}

void Outgoing::work() {
  std::unique_lock lock(mutex_);
  while (!finished_) {
    std::vector<Message> chosen;
    // What we committed counts for nothing if others have taken over what we held before that.
    if (may_send_()) {
      send_receipts(lock);
      chosen = choose(now_ms());
    }
    if (!chosen.empty()) send(chosen, lock);
    changed_.notify_all();
    if (chosen.empty()) changed_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

std::string Outgoing::envelope(const std::string& carrier, const Message& message) {
  std::string bytes;
  put_string(bytes, carrier);
  put_message(bytes, message);
  return bytes;
}

bool Outgoing::open(std::string_view bytes, std::string& carrier, Message& message) {
  VarintReader in(bytes);
  carrier = in.get_string();
  message = get_message(in);
  return in.ok() && in.at_end();
}

std::vector<MessageId> Outgoing::read_receipts(std::string_view bytes) {
  VarintReader in(bytes);
  std::vector<MessageId> ids;
  while (!in.at_end() && in.ok()) {
    MessageId id;
    id.sender = in.get_string();
    id.partition = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
    id.number = in.get();
    if (in.ok()) ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace bowerbird
