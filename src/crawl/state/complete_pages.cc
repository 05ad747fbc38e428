#include "crawl/state/complete_pages.h"

#include <algorithm>
#include <unordered_set>

namespace bowerbird {

namespace {

template <typename Map>
std::vector<PageId> sorted_keys(const Map& map) {
  std::vector<PageId> keys;
  keys.reserve(map.size());
  for (const auto& [key, value] : map) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

void CompletePages::count(Verdict verdict, int by) {
  if (verdict == Verdict::kComplete) return;
  (verdict == Verdict::kWaiting ? waiting_ : incomplete_) += static_cast<std::uint64_t>(by);
}

// Counts the page with its new verdict, and closes it if nothing can change now.
void CompletePages::count_again(PageId page, Verdict before) {
  const auto found = open_.find(page);
  const Open& open = found->second;
  count(before, -1);
  count(open.verdict(), 1);
  if (open.pending > 0 || open.over_limit > 0) return;
  if (open.lacks) {
    if (lacking_.size() <= page) lacking_.resize(std::size_t{page} + 1);
    lacking_[page] = true;
  }
  open_.erase(found);
}

void CompletePages::page_found(PageId page, std::span<const PageId> needs, bool lacks,
                               const NeedOf& need_of) {
  Verdict before = is_lacking(page) ? Verdict::kIncomplete : Verdict::kComplete;
  if (is_lacking(page)) lacking_[page] = false;
  if (const auto found = open_.find(page); found != open_.end()) before = found->second.verdict();
  Open& open = open_[page];
  open = {++turn_, 0, 0, lacks};
  follow(page, open, needs, need_of);
  count_again(page, before);
}

void CompletePages::part_found(PageId part, std::span<const PageId> needs, bool lacks,
                               const NeedOf& need_of) {
  Part& known = parts_[part];
  need_count_ += needs.size();
  need_count_ -= known.needs.size();
  known.needs.assign(needs.begin(), needs.end());
  known.lacks = lacks;
  const auto waiters = waiters_.find(part);
  if (waiters == waiters_.end()) return;
  // A copy: a part that requires itself adds to the list.
  const std::vector<Waiter> pages = waiters->second;
  std::unordered_set<PageId> seen;
  for (const Waiter& waiter : pages) {
    const auto found = open_.find(waiter.page);
    if (found == open_.end() || found->second.turn != waiter.turn || !seen.insert(waiter.page).second)
      continue;
    const Verdict before = found->second.verdict();
    found->second.lacks = found->second.lacks || lacks;
    follow(waiter.page, found->second, needs, need_of);
    count_again(waiter.page, before);
  }
}

// Visits everything that is reachable from `needs`. A page may wait for the same requisite several times,
// and counts it each time.
void CompletePages::follow(PageId page, Open& open, std::span<const PageId> needs, const NeedOf& need_of) {
  std::unordered_set<PageId> seen = {page};
  std::vector<std::span<const PageId>> left = {needs};
  while (!left.empty()) {
    const std::span<const PageId> list = left.back();
    left.pop_back();
    for (const PageId one : list) {
      if (!seen.insert(one).second) continue;
      const Need need = need_of(one);
      if (need == Need::kPending || need == Need::kOverLimit) {
        ++(need == Need::kPending ? open.pending : open.over_limit);
        waiters_[one].push_back({page, open.turn});
        ++waiter_count_;
      } else if (need == Need::kMissing) {
        open.lacks = true;
      }
      if (const auto part = parts_.find(one); part != parts_.end()) {
        open.lacks = open.lacks || part->second.lacks;
        left.emplace_back(part->second.needs);
      }
    }
  }
}

void CompletePages::changed(PageId requisite, Need before, Need after) {
  const auto waiters = waiters_.find(requisite);
  if (before == after || waiters == waiters_.end()) return;
  for (const Waiter& waiter : waiters->second) {
    const auto found = open_.find(waiter.page);
    if (found == open_.end() || found->second.turn != waiter.turn) continue;
    Open& open = found->second;
    const Verdict verdict = open.verdict();
    if (before == Need::kPending) --open.pending;
    if (before == Need::kOverLimit) --open.over_limit;
    if (after == Need::kPending) ++open.pending;
    if (after == Need::kOverLimit) ++open.over_limit;
    if (after == Need::kMissing) open.lacks = true;
    count_again(waiter.page, verdict);
  }
  if (after == Need::kPending || after == Need::kOverLimit) return;
  waiter_count_ -= waiters->second.size();
  waiters_.erase(waiters);
}

std::uint64_t CompletePages::bytes() const {
  constexpr std::uint64_t kEntry = 64;  // approximate size of an unordered_map entry
  return kEntry * (parts_.size() + waiters_.size() + open_.size()) + 4 * need_count_ +
         2 * sizeof(Waiter) * waiter_count_ + lacking_.size() / 8;
}

// ---- Snapshot

void CompletePages::save(ByteWriter& out) const {
  out.put<std::uint64_t>(parts_.size());
  for (const PageId part : sorted_keys(parts_)) {
    const Part& one = parts_.at(part);
    out.put(part);
    out.put<std::uint8_t>(one.lacks);
    out.put_array(one.needs);
  }
  out.put<std::uint64_t>(open_.size());
  for (const PageId page : sorted_keys(open_)) {
    const Open& one = open_.at(page);
    out.put(page);
    out.put(one.turn);
    out.put<std::uint8_t>(one.lacks);
  }
  out.put<std::uint64_t>(waiters_.size());
  for (const PageId requisite : sorted_keys(waiters_)) {
    out.put(requisite);
    out.put_array(waiters_.at(requisite));
  }
  std::vector<PageId> lacking;
  for (std::size_t page = 0; page < lacking_.size(); ++page) {
    if (lacking_[page]) lacking.push_back(static_cast<PageId>(page));
  }
  out.put_array(lacking);
  out.put(turn_);
}

// Counters are not stored: they are recomputed from the lists.
void CompletePages::load(ByteReader& in, std::uint64_t pages, const NeedOf& need_of) {
  const auto get_page = [&] {
    const auto page = in.get<PageId>();
    if (page >= pages) in.reject();
    return page;
  };
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    Part& part = parts_[get_page()];
    part.lacks = in.get<std::uint8_t>() != 0;
    in.get_array(part.needs);
    need_count_ += part.needs.size();
    if (std::ranges::any_of(part.needs, [&](PageId page) { return page >= pages; })) in.reject();
  }
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    Open& one = open_[get_page()];
    in.get(one.turn);
    one.lacks = in.get<std::uint8_t>() != 0;
  }
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const PageId requisite = get_page();
    const Need need = in.ok() ? need_of(requisite) : Need::kThere;
    std::vector<Waiter>& waiters = waiters_[requisite];
    in.get_array(waiters);
    waiter_count_ += waiters.size();
    if (need != Need::kPending && need != Need::kOverLimit) in.reject();
    for (const Waiter& waiter : waiters) {
      const auto found = open_.find(waiter.page);
      if (found == open_.end() || found->second.turn != waiter.turn) continue;
      ++(need == Need::kPending ? found->second.pending : found->second.over_limit);
    }
  }
  for (const auto& [page, one] : open_) {
    count(one.verdict(), 1);
    if (one.pending == 0 && one.over_limit == 0) in.reject();
  }
  in.each<PageId>([&](PageId page) {
    if (page >= pages || open_.contains(page)) return in.reject();
    if (lacking_.size() <= page) lacking_.resize(std::size_t{page} + 1);
    if (!lacking_[page]) count(Verdict::kIncomplete, 1);
    lacking_[page] = true;
  });
  in.get(turn_);
}

}  // namespace bowerbird
