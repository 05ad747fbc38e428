// Messages that have arrived and cannot be applied yet: an earlier number is missing, or the partition.
//
// Nothing here is part of the crawl's state: the sender keeps a message until our commit is confirmed.
// Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/batch/fleet_state.h"
#include "fleet/batch/message.h"

namespace bowerbird {

class Inbox {
 public:
  void add(Message message);
  bool empty() const { return waiting_.empty(); }
  // Drops messages for other partitions.
  template <typename Keep>
  void keep(const Keep& partition) {
    std::erase_if(waiting_, [&](const auto& row) { return !partition(row.first.first); });
  }

  // By partition: moves under an earlier epoch have already been accepted by a process, whoever resends them.
  void expect(std::vector<std::uint64_t> epochs) { expected_ = std::move(epochs); }

  // What to do next: links to apply, a partition to adopt (with all its pieces), or ids that only need to be
  // confirmed because they are known already, pieces of a partition that cannot be read, or messages that no
  // sender has sent: their numbers are too far ahead.
  struct Turn {
    std::vector<Message> links;  // at most one message
    std::vector<Message> pieces;
    std::vector<MessageId> repeats;
    std::vector<MessageId> damaged;
    std::vector<MessageId> strays;
  };
  std::optional<Turn> next(const FleetState& fleet);

 private:
  struct Waiting {
    Message message;
    bool first = false, last = false, damaged = false;
    std::uint64_t epoch = 0;  // 0: links
  };
  using Row = std::map<std::uint64_t, Waiting>;  // by number

  bool is_stale(std::uint64_t epoch, const FleetState& fleet, std::uint32_t partition) const;
  static std::optional<Turn> next_of_held(const FleetState& fleet, std::uint32_t partition,
                                          const std::string& sender, Row& row);
  std::optional<Turn> next_of_coming(const FleetState& fleet, Row& row) const;

  std::map<std::pair<std::uint32_t, std::string>, Row> waiting_;
  std::vector<std::uint64_t> expected_;
};

}  // namespace bowerbird
