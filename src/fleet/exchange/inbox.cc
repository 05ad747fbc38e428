#include "fleet/exchange/inbox.h"

namespace bowerbird {

namespace {

// A sender has far fewer messages for a partition under way at a time.
constexpr std::uint64_t kMostAhead = 4096;

}  // namespace

void Inbox::add(Message message) {
  Waiting waiting;
  if (is_transfer(*message.content)) {
    const auto content = unpack(*message.content);
    const PartitionTransfer* const move = content.ok() ? std::get_if<PartitionTransfer>(&*content) : nullptr;
    waiting.damaged = move == nullptr;
    if (move != nullptr) {
      waiting.first = move->first;
      waiting.last = move->last;
      waiting.epoch = move->epoch;
    }
  }
  waiting.message = std::move(message);
  const MessageId& id = waiting.message.id;
  waiting_[{id.partition, id.sender}].insert_or_assign(id.number, std::move(waiting));
}

std::optional<Inbox::Turn> Inbox::next(const FleetState& fleet) {
  for (auto row = waiting_.begin(); row != waiting_.end();) {
    const auto& [partition, sender] = row->first;
    auto turn = fleet.holds(partition) ? next_of_held(fleet, partition, sender, row->second)
                                       : next_of_coming(fleet, row->second);
    row = row->second.empty() ? waiting_.erase(row) : std::next(row);
    if (turn) return turn;
  }
  return {};
}

std::optional<Inbox::Turn> Inbox::next_of_held(const FleetState& fleet, std::uint32_t partition,
                                               const std::string& sender, Row& row) {
  Turn turn;
  const std::uint64_t last_sequence = fleet.last_sequence(partition, sender);
  while (!row.empty() && row.begin()->first <= last_sequence) {
    turn.repeats.push_back(row.begin()->second.message.id);
    row.erase(row.begin());
  }
  if (!row.empty() && row.begin()->first == last_sequence + 1) {
    turn.links.push_back(std::move(row.begin()->second.message));
    row.erase(row.begin());
  }
  for (auto at = row.upper_bound(last_sequence + kMostAhead); at != row.end(); at = row.erase(at))
    turn.strays.push_back(at->second.message.id);
  if (turn.repeats.empty() && turn.links.empty() && turn.strays.empty()) return {};
  return turn;
}

// Whether a move has already been accepted, here or elsewhere. A partition that we gave away may return, if
// its receiver was lost and never accepted it.
bool Inbox::is_stale(std::uint64_t epoch, const FleetState& fleet, std::uint32_t partition) const {
  if (epoch == 0) return false;
  return epoch < fleet.epoch(partition) || (partition < expected_.size() && epoch < expected_[partition]);
}

// All pieces of a move that is new to us, in order and without gaps.
std::optional<Inbox::Turn> Inbox::next_of_coming(const FleetState& fleet, Row& row) const {
  Turn turn;
  for (auto at = row.begin(); at != row.end();) {
    const MessageId& id = at->second.message.id;
    if (at->second.damaged || is_stale(at->second.epoch, fleet, id.partition)) {
      (at->second.damaged ? turn.damaged : turn.repeats).push_back(id);
      at = row.erase(at);
    } else {
      ++at;
    }
  }
  for (auto first = row.begin(); first != row.end(); ++first) {
    if (!first->second.first) continue;
    auto at = first;
    std::uint64_t number = first->first;
    while (at != row.end() && at->first == number && at->second.epoch == first->second.epoch &&
           !at->second.last) {
      ++at;
      ++number;
    }
    if (at == row.end() || at->first != number || at->second.epoch != first->second.epoch) continue;
    for (auto piece = first; piece != std::next(at); ++piece)
      turn.pieces.push_back(std::move(piece->second.message));
    row.erase(first, std::next(at));
    break;
  }
  if (turn.repeats.empty() && turn.damaged.empty() && turn.pieces.empty()) return {};
  return turn;
}

}  // namespace bowerbird
