#include "fleet/outgoing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "fleet/seal.h"
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
// After this many looks at a queue that is not read, kUnheardMs apart, the user is warned.
constexpr int kUnreadBeforeWarning = 4;

}  // namespace

Outgoing::Outgoing(Bus& bus, FleetNames names, std::string carrier, std::function<bool()> may_send, Warn warn,
                   const Clock& clock)
    : bus_(bus),
      names_(std::move(names)),
      carrier_(std::move(carrier)),
      may_send_(std::move(may_send)),
      warn_(std::move(warn)),
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
      found->second.unread = 0;
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

// Partitions with messages that were sent long ago.
std::vector<std::uint32_t> Outgoing::unconfirmed(std::int64_t now) const {
  std::vector<std::uint32_t> partitions;
  for (const auto& [id, row] : rows_) {
    if (row.items.front().sent && now - row.sent_ms > kUnheardMs) partitions.push_back(id.second);
  }
  std::sort(partitions.begin(), partitions.end());
  partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
  return partitions;
}

void Outgoing::resend(const std::vector<std::uint32_t>& partitions) {
  std::vector<BusQueue> queues;
  for (const std::uint32_t p : partitions) queues.push_back({FleetNames::queue(p), names_.partition(p)});
  const auto infos = bus_.look_at(names_.stream(), queues);
  if (!infos.ok()) return;
  std::set<std::uint32_t> unread;
  bool warn = false;
  {
    const MutexLock lock(mutex_);
    for (auto& [id, row] : rows_) {
      const auto found = std::lower_bound(partitions.begin(), partitions.end(), id.second);
      if (found != partitions.end() && *found == id.second) {
        const auto& info = (*infos)[static_cast<std::size_t>(found - partitions.begin())];
        const bool is_read = info && info->waiting == 0;
        row.unread = is_read ? 0 : row.unread + 1;
        row.sent_ms = now_ms();
        for (Item& item : row.items) item.sent = item.sent && !is_read;
      }
      if (row.unread >= kUnreadBeforeWarning) unread.insert(id.second);
    }
    warn = !unread.empty() && !warned_;
    warned_ = !unread.empty();
  }
  if (warn) {
    warn_(
        fmt::format("no process reads the messages for {} of the partitions (the first is {}); they wait at "
                    "the broker until the "
                    "process that owns them is started again or taken over",
                    unread.size(), *unread.begin()));
  }
}

std::vector<Message> Outgoing::choose(std::int64_t now) {
  std::vector<Message> chosen;
  std::size_t bytes = 0;
  for (auto& [id, row] : rows_) {
    if (row.again_ms > now || chosen.size() >= kAtOnce) continue;
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
  std::vector<std::uint32_t> late;
  {
    const MutexLock lock(mutex_);
    late = unconfirmed(now_ms());
  }
  if (!late.empty()) resend(late);
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
    static_cast<void>(bus_.publish(names_.to("ok", carrier),
                                   sealed(write_receipts(ids), MessageKind::kReceipts, names_.key))
                          .ok());
  }
  for (const std::string& reply : receipts.replies) static_cast<void>(bus_.publish(reply, "+ACK").ok());
  const MutexLock lock(mutex_);
  sending_receipts_ = false;
}

void Outgoing::send(const std::vector<Message>& chosen) {
  std::vector<BusRequest> requests;
  for (const Message& message : chosen) {
    requests.push_back({names_.partition(message.id.partition),
                        sealed(write_envelope(carrier_, message), MessageKind::kEnvelope, names_.key)});
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
