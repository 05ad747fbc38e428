#include "crawl/inbox.h"

namespace bowerbird {

void Inbox::add(Parcel parcel) {
  Waiting waiting;
  if (is_move(*parcel.content)) {
    const auto content = unpack(*parcel.content);
    const MoveParcel* const move = content.ok() ? std::get_if<MoveParcel>(&*content) : nullptr;
    if (move != nullptr) {
      waiting.first = move->first;
      waiting.last = move->last;
      waiting.tenure = move->tenure;
    }
  }
  waiting.parcel = std::move(parcel);
  const ParcelId& id = waiting.parcel.id;
  waiting_[{id.partition, id.sender}].insert_or_assign(id.number, std::move(waiting));
}

std::optional<Inbox::Turn> Inbox::next(const Share& share) {
  for (auto row = waiting_.begin(); row != waiting_.end();) {
    const auto& [partition, sender] = row->first;
    auto turn = share.holds(partition) ? next_of_held(share, partition, sender, row->second)
                                       : next_of_coming(share, row->second);
    row = row->second.empty() ? waiting_.erase(row) : std::next(row);
    if (turn) return turn;
  }
  return {};
}

std::optional<Inbox::Turn> Inbox::next_of_held(const Share& share, std::uint32_t partition,
                                               const std::string& sender, Row& row) {
  Turn turn;
  const std::uint64_t mark = share.mark(partition, sender);
  while (!row.empty() && row.begin()->first <= mark) {
    turn.repeats.push_back(row.begin()->second.parcel.id);
    row.erase(row.begin());
  }
  if (!row.empty() && row.begin()->first == mark + 1) {
    turn.links.push_back(std::move(row.begin()->second.parcel));
    row.erase(row.begin());
  }
  if (turn.repeats.empty() && turn.links.empty()) return {};
  return turn;
}

// A move that has been taken before, here or elsewhere. What we gave away ourselves may come back, if whoever
// was to have it is no more and never took it.
bool Inbox::is_stale(std::uint64_t tenure, const Share& share, std::uint32_t partition) const {
  if (tenure == 0) return false;
  return tenure < share.tenure(partition) || (partition < expected_.size() && tenure < expected_[partition]);
}

// All pieces, from the first to the last, one after the other, of a move that is new to us.
std::optional<Inbox::Turn> Inbox::next_of_coming(const Share& share, Row& row) const {
  Turn turn;
  for (auto at = row.begin(); at != row.end();) {
    if (is_stale(at->second.tenure, share, at->second.parcel.id.partition)) {
      turn.repeats.push_back(at->second.parcel.id);
      at = row.erase(at);
    } else {
      ++at;
    }
  }
  for (auto first = row.begin(); first != row.end(); ++first) {
    if (!first->second.first) continue;
    auto at = first;
    std::uint64_t number = first->first;
    while (at != row.end() && at->first == number && at->second.tenure == first->second.tenure &&
           !at->second.last) {
      ++at;
      ++number;
    }
    if (at == row.end() || at->first != number || at->second.tenure != first->second.tenure) continue;
    for (auto piece = first; piece != std::next(at); ++piece)
      turn.pieces.push_back(std::move(piece->second.parcel));
    row.erase(first, std::next(at));
    break;
  }
  if (turn.repeats.empty() && turn.pieces.empty()) return {};
  return turn;
}

}  // namespace bowerbird
