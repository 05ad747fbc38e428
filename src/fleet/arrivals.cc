#include "fleet/arrivals.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fleet/names.h"
#include "fleet/seal.h"
#include "fleet/wire.h"

namespace bowerbird {

Arrivals::Delivered Arrivals::add(BusMessage delivery) {
  Delivered delivered;
  const auto content = unsealed(delivery.data, MessageKind::kEnvelope, key_);
  auto envelope = content ? read_envelope(*content) : std::nullopt;
  if (!envelope || envelope->message.id.partition >= partitions_) {
    delivered.receipts.replies.push_back(std::move(delivery.reply));
    return delivered;
  }
  const MessageId& id = envelope->message.id;
  const MutexLock lock(mutex_);
  Unacknowledged& entry = pending_[{id.sender, id.partition, id.number}];
  // Its carrier keeps it until we confirm it. Repeats must not pile up at the broker.
  if (envelope->carrier != kOrigin) delivered.receipts.replies = std::exchange(entry.replies, {});
  if (!delivery.reply.empty()) entry.replies.push_back(std::move(delivery.reply));
  entry.carriers.insert(envelope->carrier);
  delivered.message = std::move(envelope->message);
  return delivered;
}

Receipts Arrivals::committed(const std::vector<MessageId>& ids) {
  Receipts receipts;
  const MutexLock lock(mutex_);
  for (const MessageId& id : ids) {
    const auto found = pending_.find({id.sender, id.partition, id.number});
    if (found == pending_.end()) continue;
    std::move(found->second.replies.begin(), found->second.replies.end(),
              std::back_inserter(receipts.replies));
    for (const std::string& carrier : found->second.carriers) {
      if (carrier != kOrigin) receipts.by_carrier[carrier].push_back(id);
    }
    pending_.erase(found);
  }
  return receipts;
}

}  // namespace bowerbird
