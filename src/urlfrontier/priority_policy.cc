#include "urlfrontier/priority_policy.h"

#include <bit>

namespace bowerbird {

namespace {

constexpr std::uint64_t kFirstJoined = 0x7e00'0000'0000'0000;  // 2^993
constexpr unsigned kScoreBits = 25;
constexpr std::uint64_t kScoreMask = (std::uint64_t{1} << kScoreBits) - 1;

// The first bits of a score as an integer with the same order.
std::uint64_t score_bits(Score score) {
  const auto bits = std::bit_cast<std::int64_t>(score + 0.0);
  const auto ordered = static_cast<std::uint64_t>(bits ^ ((bits >> 63) | INT64_MIN));
  return ordered >> (64 - kScoreBits);
}

}  // namespace

Score PriorityPolicy::join(std::int32_t priority, Score score) {
  const std::uint64_t bits = score_bits(score);
  if (priority > 0) {
    return std::bit_cast<Score>(kFirstJoined +
                                ((static_cast<std::uint64_t>(priority) - 1) << kScoreBits | bits));
  }
  const auto below = static_cast<std::uint64_t>(-(static_cast<std::int64_t>(priority) + 1));
  return -std::bit_cast<Score>(kFirstJoined + (below << kScoreBits | (kScoreMask - bits)));
}

bool PriorityPolicy::is_joined(Score score) {
  return (std::bit_cast<std::uint64_t>(score) & ~(std::uint64_t{1} << 63)) >= kFirstJoined;
}

void PriorityPolicy::set_priority(PageId page, std::int32_t priority) {
  if (priority == 0) {
    entries_.erase(page);
  } else {
    entries_[page].priority = priority;
  }
}

std::int32_t PriorityPolicy::priority(PageId page) const {
  const auto found = entries_.find(page);
  return found == entries_.end() ? 0 : found->second.priority;
}

Score PriorityPolicy::own_score(PageId page, Score score) const {
  if (entries_.empty()) return score;
  const auto found = entries_.find(page);
  return found == entries_.end() ? score : found->second.score;
}

Score PriorityPolicy::put(PageId page, Score score) const {
  if (entries_.empty()) return score;
  const auto found = entries_.find(page);
  if (found == entries_.end()) return score;
  found->second.score = score;
  return join(found->second.priority, score);
}

Visit PriorityPolicy::own(const Visit& visit) const {
  Visit made = visit;
  if (is_joined(visit.score)) made.score = own_score(visit.page, visit.score);
  return made;
}

void PriorityPolicy::give(const Visit& visit, std::span<OpenLink> links) const {
  if (entries_.empty()) return inner_->give(visit, links);
  for (OpenLink& link : links) {
    if (!link.is_new) link.score = own_score(link.page, link.score);
  }
  inner_->give(own(visit), links);
  scores_.clear();
  for (OpenLink& link : links) {
    scores_.push_back(link.score);
    const auto found = entries_.find(link.page);
    if (found != entries_.end()) link.score = join(found->second.priority, link.score);
  }
}

void PriorityPolicy::given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) {
  if (entries_.empty()) return inner_->given(visit, links, shares);
  // Without a strategy all links enter, in the order of give().
  links_.assign(links.begin(), links.end());
  for (std::size_t i = 0; i < links_.size() && i < scores_.size(); ++i) {
    const auto found = entries_.find(links_[i].page);
    if (found == entries_.end()) continue;
    found->second.score = scores_[i];
    links_[i].score = scores_[i];
  }
  inner_->given(own(visit), links_, shares);
}

bool PriorityPolicy::advance(PageId best, Score score, const Emit& emit) {
  if (entries_.empty()) return inner_->advance(best, score, emit);
  return inner_->advance(best, own_score(best, score),
                         [&](PageId page, Score made) { emit(page, put(page, made)); });
}

Score PriorityPolicy::confirm(PageId page, Score stored) {
  if (entries_.empty() || !is_joined(stored)) return inner_->confirm(page, stored);
  return put(page, inner_->confirm(page, own_score(page, stored)));
}

void PriorityPolicy::save(ByteWriter& out) const {
  out.put<std::uint64_t>(entries_.size());
  for (const auto& [page, entry] : entries_) {
    out.put(page);
    out.put(entry.priority);
    out.put(entry.score);
  }
  inner_->save(out);
}

void PriorityPolicy::load(ByteReader& in) {
  for (auto left = in.get<std::uint64_t>(); left > 0 && in.ok(); --left) {
    Entry& entry = entries_[in.get<PageId>()];
    in.get(entry.priority);
    in.get(entry.score);
    if (entry.priority == 0 || entry.score != entry.score) in.reject();
  }
  inner_->load(in);
}

}  // namespace bowerbird
