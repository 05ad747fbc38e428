#include "crawl/state/requisites.h"

#include <algorithm>

namespace bowerbird {

namespace {

// A coded end: 3 and more, six bits for the outcome and two for what it means for a page.
constexpr std::uint8_t kFirstEnd = 3;
constexpr std::uint8_t kOutcomeRoom = 64;
static_assert(kFirstEnd + kOutcomes <= kOutcomeRoom);

}  // namespace

std::uint8_t RequisiteEnd::coded() const {
  if (over_limit) return kFirstEnd - 1;
  return static_cast<std::uint8_t>(kFirstEnd + static_cast<std::uint8_t>(outcome) +
                                   kOutcomeRoom * static_cast<std::uint8_t>(use));
}

bool RequisiteEnd::decode(std::uint8_t coded, RequisiteEnd& end) {
  end = {};
  end.over_limit = coded == kFirstEnd - 1;
  if (end.over_limit) return true;
  const std::uint8_t outcome = coded % kOutcomeRoom;
  if (outcome < kFirstEnd || outcome - kFirstEnd >= static_cast<int>(kOutcomes)) return false;
  end.outcome = static_cast<Outcome>(outcome - kFirstEnd);
  end.use = static_cast<Use>(coded / kOutcomeRoom);
  return true;
}

const PendingRequisite* Requisites::find(PageId page) const {
  const auto age = ages_.find(page);
  return age == ages_.end() ? nullptr : &pending_.at(age->second);
}

bool Requisites::ended(PageId page, RequisiteEnd& end) const {
  return code(page) > kPending && RequisiteEnd::decode(code(page), end);
}

Requisites::RootCounts Requisites::counts_of(PageId root) const {
  const auto found = root_counts_.find(root);
  return found == root_counts_.end() ? RootCounts() : found->second;
}

Requisites::RootCounts Requisites::counts_for(PageId from, bool of_page) const {
  const PendingRequisite* const outer = of_page ? nullptr : find(from);
  return counts_of(outer == nullptr ? from : outer->root);
}

// What is found in it has this in common.
PendingRequisite Requisites::inside(const RequisitesFound& event) const {
  PendingRequisite inner;
  inner.root = event.from;
  const PendingRequisite* const outer = event.of_page ? nullptr : find(event.from);
  if (outer == nullptr) return inner;
  inner.root = outer->root;
  inner.depth = static_cast<std::uint8_t>(outer->depth + 1);
  inner.frames = outer->frames;
  return inner;
}

void Requisites::add(PageId page, RequisiteKind kind, PendingRequisite inner) {
  inner.page = page;
  inner.kind = kind;
  if (kind == RequisiteKind::kFrame) ++inner.frames;
  set(page, kPending);
  ages_[page] = next_age_;
  pending_.emplace(next_age_++, inner);
  ++root_counts_[inner.root].pending;
}

void Requisites::count_found(PageId root, std::uint64_t found) {
  const auto counts = root_counts_.find(root);
  if (counts != root_counts_.end()) counts->second.found += found;
}

// One that is not pending may end too: a page of the crawl that failed and was not asked for as a requisite.
void Requisites::apply(const RequisiteEnded& event) {
  if (const auto age = ages_.find(event.page); age != ages_.end()) {
    const auto pending = pending_.find(age->second);
    const auto counts = root_counts_.find(pending->second.root);
    counts->second.bytes += event.bytes;
    if (--counts->second.pending == 0) root_counts_.erase(counts);
    pending_.erase(pending);
    ages_.erase(age);
  }
  set(event.page, event.end);
}

bool Requisites::fits(const RequisitesFound& event, std::uint64_t pages) const {
  if (event.from >= pages) return false;
  const PendingRequisite* const outer = event.of_page ? nullptr : find(event.from);
  if (!event.of_page && outer == nullptr) return false;
  if (outer != nullptr && outer->depth >= kMostDepth && !event.found.empty()) return false;
  return std::ranges::all_of(event.found, [&](const FoundRequisite& one) {
    return one.page < pages && one.kind <= static_cast<std::uint8_t>(RequisiteKind::kFrame);
  });
}

bool Requisites::fits(const RequisiteEnded& event, std::uint64_t pages) const {
  RequisiteEnd end;
  return event.page < pages && RequisiteEnd::decode(event.end, end);
}

std::uint64_t Requisites::bytes() const {
  constexpr std::uint64_t kPendingBytes = 128, kRootBytes = 64;  // about
  return codes_.size() + kPendingBytes * pending_.size() + kRootBytes * root_counts_.size();
}

void Requisites::save(ByteWriter& out) const {
  out.put_array(codes_.view());
  out.put(next_age_);
  out.put<std::uint64_t>(pending_.size());
  for (const auto& [age, one] : pending_) {
    out.put(age);
    out.put(one.page);
    out.put(one.root);
    out.put(one.depth);
    out.put(one.frames);
    out.put(static_cast<std::uint8_t>(one.kind));
  }
  std::vector<PageId> roots;
  for (const auto& [root, counts] : root_counts_) roots.push_back(root);
  std::sort(roots.begin(), roots.end());
  for (const PageId root : roots) {
    const RootCounts counts = this->counts_of(root);
    out.put(root);
    out.put(counts.found);
    out.put(counts.bytes);
  }
}

Status Requisites::load(ByteReader& in, std::uint64_t pages) {
  const auto damaged = [] { return error("the snapshot is damaged: its requisites make no sense"); };
  std::uint64_t known = 0;
  bool sound = true;
  in.each<std::uint8_t>([&](std::uint8_t code) {
    RequisiteEnd end;
    if (known < pages && code != kUnknown) set(static_cast<PageId>(known), code);
    sound = sound && (code <= kPending || RequisiteEnd::decode(code, end));
    ++known;
  });
  if (known > pages || !sound) return damaged();
  in.get(next_age_);
  std::map<PageId, RootCounts> roots;
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto age = in.get<std::uint64_t>();
    PendingRequisite one;
    in.get(one.page);
    in.get(one.root);
    in.get(one.depth);
    in.get(one.frames);
    const auto kind = in.get<std::uint8_t>();
    if (!in.ok() || one.root >= pages || !is_pending(one.page) || age >= next_age_ || kind > 2 ||
        !ages_.emplace(one.page, age).second || !pending_.emplace(age, one).second) {
      return damaged();
    }
    pending_.at(age).kind = static_cast<RequisiteKind>(kind);
    ++roots[one.root].pending;
  }
  for (auto& [root, counts] : roots) {
    if (in.get<PageId>() != root) return damaged();
    in.get(counts.found);
    in.get(counts.bytes);
    root_counts_.emplace(root, counts);
  }
  const auto marked = std::ranges::count(codes_.view(), kPending);
  if (!in.ok() || static_cast<std::uint64_t>(marked) != pending_.size()) return damaged();
  return {};
}

}  // namespace bowerbird
