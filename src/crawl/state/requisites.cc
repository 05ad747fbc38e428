#include "crawl/state/requisites.h"

#include <algorithm>

namespace bowerbird {

namespace {

// The code of an end: 3 plus six bits for the outcome and two for its use as a page.
constexpr std::uint8_t kFirstEnd = 3;
constexpr std::uint8_t kOutcomeRoom = 64;
// The two largest codes have other meanings.
static_assert(kFirstEnd + kOutcomes < kOutcomeRoom - 1);

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

// The fields that all requisites found in `event` have in common.
PendingRequisite Requisites::inside(const RequisitesFound& event) const {
  PendingRequisite inner;
  inner.root = event.from;
  inner.from = event.from;
  const PendingRequisite* const outer = event.of_page ? nullptr : find(event.from);
  if (outer == nullptr) return inner;
  inner.root = outer->root;
  inner.depth = static_cast<std::uint8_t>(outer->depth + 1);
  inner.frames = outer->frames;
  return inner;
}

CompletePages::Need Requisites::need(PageId page) const {
  using Need = CompletePages::Need;
  if (is_pending(page) || is_awaited(page)) return Need::kPending;
  RequisiteEnd end;
  if (!is_known(page) || is_elsewhere(page) || !ended(page, end)) return Need::kThere;
  if (end.over_limit) return Need::kOverLimit;
  const bool there = is_final_response(end.outcome) && end.use != RequisiteEnd::Use::kNotStored;
  return there ? Need::kThere : Need::kMissing;
}

void Requisites::add(const PendingRequisite& one) {
  const CompletePages::Need before = need(one.page);
  set(one.page, kPending);
  ages_[one.page] = next_age_;
  pending_.emplace(next_age_++, one);
  ++root_counts_[one.root].pending;
  complete_.changed(one.page, before, CompletePages::Need::kPending);
}

void Requisites::count_complete(const RequisitesFound& event) {
  std::vector<PageId> needs;
  needs.reserve(event.found.size());
  for (const FoundRequisite& one : event.found) needs.push_back(one.page);
  const bool lacks = event.left_out > 0 || event.excluded > 0;
  const auto need_of = [this](PageId page) { return need(page); };
  if (event.of_page) {
    complete_.page_found(event.from, needs, lacks, need_of);
  } else {
    complete_.part_found(event.from, needs, lacks, need_of);
  }
}

void Requisites::arrive(const PendingRequisite& one, std::uint64_t found, bool is_done) {
  if (!is_wanted(one.page)) return;
  if (one.kind == RequisiteKind::kLeaf && is_done) return set(one.page, RequisiteEnd{}.coded());
  add(one);
  RootCounts& counts = root_counts_[one.root];
  counts.found = std::max(counts.found, found);
  arrived_.push_back(one.page);
}

bool Requisites::arrive_ended(PageId page, std::uint8_t end) {
  RequisiteEnd decoded;
  if (!RequisiteEnd::decode(end, decoded)) return false;
  if (code(page) == kUnknown || code(page) == kElsewhere) set(page, end);
  return true;
}

std::uint8_t Requisites::leave(PageId page) {
  const std::uint8_t before = code(page);
  const CompletePages::Need need_before = need(page);
  if (before == kPending) drop_pending(page, 0);
  set(page, kElsewhere);
  complete_.changed(page, need_before, CompletePages::Need::kThere);
  return before == kPending || before == kAwaited ? 0 : before;
}

void Requisites::drop_pending(PageId page, std::uint64_t bytes) {
  const auto age = ages_.find(page);
  if (age == ages_.end()) return;
  const auto pending = pending_.find(age->second);
  const auto counts = root_counts_.find(pending->second.root);
  counts->second.bytes += bytes;
  if (--counts->second.pending == 0) root_counts_.erase(counts);
  pending_.erase(pending);
  ages_.erase(age);
}

void Requisites::count_found(PageId root, std::uint64_t found) {
  const auto counts = root_counts_.find(root);
  if (counts != root_counts_.end()) counts->second.found += found;
}

// A requisite may end without being pending: a page of the crawl that failed, and was not requested as a
// requisite.
void Requisites::apply(const RequisiteEnded& event) {
  const CompletePages::Need before = need(event.page);
  drop_pending(event.page, event.bytes);
  set(event.page, event.end);
  complete_.changed(event.page, before, need(event.page));
}

bool Requisites::fits(const RequisitesFound& event, std::uint64_t pages) const {
  if (event.from >= pages) return false;
  const PendingRequisite* const outer = event.of_page ? nullptr : find(event.from);
  if (!event.of_page && outer == nullptr) return false;
  if (outer != nullptr && outer->depth >= kMostDepth && !event.found.empty()) return false;
  return std::ranges::all_of(event.found, [&](const FoundRequisite& one) {
    return one.page < pages && one.plain_kind() <= RequisiteKind::kPage;
  });
}

bool Requisites::fits(const RequisiteEnded& event, std::uint64_t pages) const {
  RequisiteEnd end;
  return event.page < pages && RequisiteEnd::decode(event.end, end);
}

std::uint64_t Requisites::bytes() const {
  constexpr std::uint64_t kPendingBytes = 128, kRootBytes = 64;  // about
  return codes_.size() + kPendingBytes * pending_.size() + kRootBytes * root_counts_.size() +
         complete_.bytes();
}

void Requisites::save(ByteWriter& out) const {
  out.put_array(codes_.view());
  out.put(next_age_);
  out.put<std::uint64_t>(pending_.size());
  for (const auto& [age, one] : pending_) {
    out.put(age);
    out.put(one.page);
    out.put(one.root);
    out.put(one.from);
    out.put(one.depth);
    out.put(one.frames);
    out.put(one.links);
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
  complete_.save(out);
}

Status Requisites::load(ByteReader& in, std::uint64_t pages) {
  const auto damaged = [] { return error("the snapshot is damaged: its requisites are invalid"); };
  std::uint64_t known = 0;
  bool sound = true;
  in.each<std::uint8_t>([&](std::uint8_t code) {
    RequisiteEnd end;
    if (known < pages && code != kUnknown) set(static_cast<PageId>(known), code);
    sound = sound && (code <= kPending || code >= kAwaited || RequisiteEnd::decode(code, end));
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
    in.get(one.from);
    in.get(one.depth);
    in.get(one.frames);
    in.get(one.links);
    const auto kind = in.get<std::uint8_t>();
    if (!in.ok() || one.root >= pages || (one.from != kNoPage && one.from >= pages) ||
        !is_pending(one.page) || age >= next_age_ || kind > static_cast<std::uint8_t>(kLastRequisiteKind) ||
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
  complete_.load(in, pages, [this](PageId page) { return need(page); });
  const auto marked = std::ranges::count(codes_.view(), kPending);
  if (!in.ok() || static_cast<std::uint64_t>(marked) != pending_.size()) return damaged();
  return {};
}

}  // namespace bowerbird
