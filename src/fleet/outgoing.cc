#include "fleet/outgoing.h"

#include <algorithm>
#include <iterator>

#include "fleet/wire.h"

namespace bowerbird {

namespace {

// The maximum of unconfirmed messages per partition.
constexpr std::size_t kWindow = 64;
constexpr std::int64_t kUnheardMs = 15'000;
constexpr std::int64_t kRefusedMs = 1000;
// The broker answers all of them within the timeout of one call.
constexpr std::size_t kAtOnce = 256;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

}  // namespace

Outgoing::Outgoing(Bus& bus, FleetNames names, std::string carrier, std::function<bool()> may_send,
                   const Clock& clock)
    : bus_(bus),
      names_(std::move(names)),
      carrier_(std::move(carrier)),
      may_send_(std::move(may_send)),
      clock_(clock) {}

void Outgoing::add(std::vector<Message> messages) {
  {
    const MutexLock lock(mutex_);
    for (Message& message : messages) {
      const RowId id(message.id.sender, message.id.partition);
      rows_[id].items.push_back({std::move(message), false});
    }
  }
  changed_.notify_all();
}

void Outgoing::confirm(const std::vector<MessageId>& ids) {
  {
    const MutexLock lock(mutex_);
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
    const MutexLock lock(mutex_);
    std::move(receipts.replies.begin(), receipts.replies.end(), std::back_inserter(receipts_.replies));
    for (auto& [carrier, ids] : receipts.by_carrier) {
      std::move(ids.begin(), ids.end(), std::back_inserter(receipts_.by_carrier[carrier]));
    }
  }
  changed_.notify_all();
}

bool Outgoing::all_sent() const {
  const MutexLock lock(mutex_);
  if (!receipts_.empty() || sending_receipts_) return false;
  for (const auto& [id, row] : rows_) {
    for (std::size_t i = 0; i < std::min(kWindow, row.items.size()); ++i) {
      if (!row.items[i].sent) return false;
    }
  }
  return true;
}

void Outgoing::wait(std::chrono::milliseconds most) {
  const MutexLock lock(mutex_);
  changed_.wait_for(mutex_, most);
}

std::vector<Message> Outgoing::choose(std::int64_t now) {
  std::vector<Message> chosen;
  std::size_t bytes = 0;
  for (auto& [id, row] : rows_) {
    if (row.again_ms > now || chosen.size() >= kAtOnce) continue;
    if (row.items.front().sent && now - row.sent_ms > kUnheardMs) {
      for (Item& item : row.items) item.sent = false;
    }
    // A partition that moves is confirmed only when all its pieces, and the messages before them, have
    // arrived.
    for (std::size_t i = 0; i < row.items.size() && chosen.size() < kAtOnce && bytes < kBytesAtOnce; ++i) {
      if (row.items[i].sent || (i >= kWindow && !is_transfer(*row.items[i].message.content))) continue;
      chosen.push_back(row.items[i].message);
      bytes += row.items[i].message.content->size();
    }
  }
  return chosen;
}

bool Outgoing::step() {
  if (!may_send_()) return false;
  Receipts receipts;
  std::vector<Message> chosen;
  {
    const MutexLock lock(mutex_);
    receipts = std::exchange(receipts_, {});
    sending_receipts_ = !receipts.empty();
    chosen = choose(now_ms());
  }
  send(receipts);
  if (!chosen.empty()) send(chosen);
  changed_.notify_all();
  return !receipts.empty() || !chosen.empty();
}

// If a receipt is lost, its message is delivered again, and acknowledged then.
void Outgoing::send(const Receipts& receipts) {
  for (const auto& [carrier, ids] : receipts.by_carrier) {
    static_cast<void>(bus_.publish(names_.to("ok", carrier), write_receipts(ids)).ok());
  }
  for (const std::string& reply : receipts.replies) static_cast<void>(bus_.publish(reply, "+ACK").ok());
  const MutexLock lock(mutex_);
  sending_receipts_ = false;
}

void Outgoing::send(const std::vector<Message>& chosen) {
  std::vector<BusRequest> requests;
  for (const Message& message : chosen) {
    requests.push_back({names_.partition(message.id.partition), write_envelope(carrier_, message)});
  }
  const std::vector<bool> accepted = bus_.publish_kept(requests);
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const MessageId& id = chosen[i].id;
    const auto found = rows_.find({id.sender, id.partition});
    if (found == rows_.end()) continue;
    Row& row = found->second;
    if (!accepted[i]) {
      row.again_ms = now_ms() + kRefusedMs;
      continue;
    }
    row.sent_ms = now_ms();
    for (Item& item : row.items) {
      if (item.message.id.number == id.number) item.sent = true;
    }
  }
}

}  // namespace bowerbird
