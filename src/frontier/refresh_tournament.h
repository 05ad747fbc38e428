// The best of many entries that change one at a time, by three criteria.
//
// Entries are in groups of eight. Each group has one summary entry of the same kind, and so on up to the
// root. A change updates one group per level. The way down finds an entry without knowing its position, so
// nothing needs to track positions. 16 bytes per entry and a seventh of that above them. Threads: one owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowerbird {

// A candidate: a page, a block of pages or a host. Times are ticks of the owner's clock.
struct RefreshOffer {
  static constexpr std::uint32_t kNever = 0xffffffffu;

  std::uint32_t wake = kNever;    // the next time at which something must be checked
  std::uint32_t rises = kNever;   // the first time at which an entry of this level leaves it
  std::uint32_t oldest = kNever;  // the earliest last fetch
  std::uint16_t level = 0;        // the largest; 0: no candidate

  void join(const RefreshOffer& other) {
    wake = std::min(wake, other.wake);
    oldest = std::min(oldest, other.oldest);
    if (other.level == level) {
      rises = std::min(rises, other.rises);
    } else if (other.level > level) {
      level = other.level;
      rises = other.rises;
    }
  }
  friend bool operator==(const RefreshOffer&, const RefreshOffer&) = default;
};
static_assert(sizeof(RefreshOffer) == 16);

// Adds an entry without doubling the capacity, whose slack would be needed for each host.
template <typename T>
void push_tightly(std::vector<T>& list, const T& value) {
  if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 16 + 1);
  list.push_back(value);
}

class RefreshTournament {
 public:
  std::size_t size() const { return levels_.empty() ? 0 : levels_.front().size(); }
  const RefreshOffer& operator[](std::size_t at) const { return levels_.front()[at]; }
  // The summary of all entries.
  const RefreshOffer& root() const { return levels_.empty() ? kEmpty : levels_.back().front(); }

  void set(std::size_t at, const RefreshOffer& offer) {
    if (levels_.front()[at] == offer) return;
    levels_.front()[at] = offer;
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
      at /= kGroup;
      const RefreshOffer sum = sum_of(level, at);
      if (levels_[level + 1][at] == sum) return;
      levels_[level + 1][at] = sum;
    }
  }

  // Sets every entry to offer_of(its number).
  template <typename OfferOf>
  void set_all(const OfferOf& offer_of) {
    for (std::size_t i = 0; i < size(); ++i) levels_.front()[i] = offer_of(i);
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
      for (std::size_t i = 0; i < levels_[level + 1].size(); ++i) levels_[level + 1][i] = sum_of(level, i);
    }
  }

  void push(const RefreshOffer& offer) {
    if (levels_.empty()) levels_.emplace_back();
    push_tightly(levels_.front(), RefreshOffer());
    for (std::size_t level = 0; levels_[level].size() > 1; ++level) {
      const std::size_t groups = (levels_[level].size() + kGroup - 1) / kGroup;
      if (level + 1 == levels_.size()) levels_.emplace_back();
      while (levels_[level + 1].size() < groups) {
        const RefreshOffer sum = sum_of(level, levels_[level + 1].size());
        push_tightly(levels_[level + 1], sum);
      }
    }
    set(size() - 1, offer);
  }

  void pop() {
    set(size() - 1, RefreshOffer());
    levels_.front().pop_back();
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
      levels_[level + 1].resize((levels_[level].size() + kGroup - 1) / kGroup);
    }
    while (!levels_.empty() &&
           (levels_.back().empty() || (levels_.size() > 1 && levels_[levels_.size() - 2].size() == 1))) {
      levels_.pop_back();
    }
  }

  // The entry with the largest level (among equals the first to leave it), and the one with the earliest
  // fetch.
  std::size_t best() const {
    return find([want = root()](const RefreshOffer& offer) {
      return offer.level == want.level && offer.rises == want.rises;
    });
  }
  std::size_t oldest() const {
    return find([want = root().oldest](const RefreshOffer& offer) { return offer.oldest == want; });
  }

  // Replaces each entry that must be checked by `limit` with offer_of(its number), in one pass.
  template <typename OfferOf>
  void check_until(std::uint32_t limit, const OfferOf& offer_of) {
    if (root().wake <= limit) check_until(limit, levels_.size() - 1, 0, offer_of);
  }

  // All entries with the largest level.
  template <typename Visit>
  void each_best(const Visit& visit) const {
    if (root().level > 0) each_best(levels_.size() - 1, 0, visit);
  }

  std::uint64_t bytes() const {
    std::uint64_t sum = levels_.capacity() * sizeof(levels_[0]);
    for (const auto& level : levels_) sum += level.capacity() * sizeof(RefreshOffer);
    return sum;
  }

 private:
  static constexpr std::size_t kGroup = 8;
  static constexpr RefreshOffer kEmpty{};

  RefreshOffer sum_of(std::size_t level, std::size_t group) const {
    const auto& entries = levels_[level];
    RefreshOffer sum;
    const std::size_t last = std::min(entries.size(), (group + 1) * kGroup);
    for (std::size_t i = group * kGroup; i < last; ++i) sum.join(entries[i]);
    return sum;
  }

  template <typename OfferOf>
  void check_until(std::uint32_t limit, std::size_t level, std::size_t at, const OfferOf& offer_of) {
    if (levels_[level][at].wake > limit) return;
    if (level == 0) {
      levels_[0][at] = offer_of(at);
      return;
    }
    const std::size_t last = std::min(levels_[level - 1].size(), (at + 1) * kGroup);
    for (std::size_t i = at * kGroup; i < last; ++i) check_until(limit, level - 1, i, offer_of);
    levels_[level][at] = sum_of(level - 1, at);
  }

  template <typename Visit>
  void each_best(std::size_t level, std::size_t at, const Visit& visit) const {
    if (levels_[level][at].level < root().level) return;
    if (level == 0) {
      visit(at);
      return;
    }
    const std::size_t last = std::min(levels_[level - 1].size(), (at + 1) * kGroup);
    for (std::size_t i = at * kGroup; i < last; ++i) each_best(level - 1, i, visit);
  }

  // The first entry that fits; the root must fit.
  template <typename Fits>
  std::size_t find(const Fits& fits) const {
    std::size_t at = 0;
    for (std::size_t level = levels_.size() - 1; level-- > 0;) {
      at *= kGroup;
      while (!fits(levels_[level][at])) ++at;
    }
    return at;
  }

  // the entries, then the summaries of each level, the root last
  std::vector<std::vector<RefreshOffer>> levels_;
};

}  // namespace bowerbird
