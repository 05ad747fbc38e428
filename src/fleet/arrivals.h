// Messages that the broker has delivered and the crawl has not committed yet, and who must be notified once
// it has.
//
// A message may be delivered again, by its sender or by a process that took over the sender. The broker is
// notified by acknowledging the delivery, and the process that carries the message by a receipt. Threads:
// any.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/keyed_hash.h"
#include "base/thread_annotations.h"
#include "fleet/batch/message.h"
#include "fleet/bus.h"
#include "fleet/outgoing.h"

namespace bowerbird {

class Arrivals {
 public:
  // key: of the fleet's messages.
  explicit Arrivals(std::uint32_t partitions, const HashKey& key = {}) : partitions_(partitions), key_(key) {}

  struct Delivered {
    std::optional<Message> message;  // none: not from this fleet, or unreadable
    Receipts receipts;               // to send now
  };
  Delivered add(BusMessage delivery);
  // Call when the crawl has committed these messages. Returns the receipts to send.
  Receipts committed(const std::vector<MessageId>& ids);

 private:
  struct Unacknowledged {
    std::vector<std::string> replies;
    std::set<std::string> carriers;
  };
  const std::uint32_t partitions_;
  const HashKey key_;
  Mutex mutex_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, Unacknowledged> pending_ GUARDED_BY(mutex_);
};

}  // namespace bowerbird
