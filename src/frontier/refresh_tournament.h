// The best of many entries that change one at a time, by three criteria.
//
// Entries are in groups of eight. Each group has one summary entry of the same kind, and so on up to the
// root. A change updates one group per level. A search from the root finds the best entry, so no positions
// have to be tracked. All levels are in one array, the entries first, so that a group is two
// cache lines whose address is known in advance. 16 bytes per entry and a seventh of that above them.
// Threads: one owner.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowerbird {

// A candidate: a page, a block of pages or a host. Times are ticks of the owner's clock.
struct RefreshOffer {
  static constexpr std::uint32_t kNever = 0xffffffffu;

  // The largest level, and the first time at which an entry of this level leaves it, as one number: the
  // smallest is the best. Level 0, which is never left: no candidate.
  std::uint64_t rank = rank_of(0, kNever);
  std::uint32_t wake = kNever;    // the next time at which something must be checked
  std::uint32_t oldest = kNever;  // the earliest last fetch

  static constexpr std::uint64_t rank_of(std::uint16_t level, std::uint32_t rises) {
    return std::uint64_t{0xffffu - level} << 32 | rises;
  }
  std::uint16_t level() const { return static_cast<std::uint16_t>(0xffffu - (rank >> 32)); }
  std::uint32_t rises() const { return static_cast<std::uint32_t>(rank); }

  void join(const RefreshOffer& other) {
    rank = std::min(rank, other.rank);
    wake = std::min(wake, other.wake);
    oldest = std::min(oldest, other.oldest);
  }
  friend bool operator==(const RefreshOffer&, const RefreshOffer&) = default;
};
static_assert(sizeof(RefreshOffer) == 16);

// Adds an entry without doubling the capacity, whose slack would be needed for each host.
template <typename T>
void push_tightly(std::vector<T>& list, const T& value) {
  if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 32 + 1);
  list.push_back(value);
}

class RefreshTournament {
 public:
  std::size_t size() const { return size_; }
  const RefreshOffer& operator[](std::size_t at) const { return groups_[at / kGroup].entries[at % kGroup]; }
  // The summary of all entries.
  const RefreshOffer& root() const { return root_; }

  void set(std::size_t at, const RefreshOffer& offer) {
    RefreshOffer changed = offer;
    std::size_t base = 0;
    for (std::size_t groups = leaf_groups_;; groups = summaries(groups)) {
      Group& group = groups_[base + at / kGroup];
      RefreshOffer& entry = group.entries[at % kGroup];
      if (entry == changed) return;
      entry = changed;
      changed = group.sum();
      if (groups == 1) break;
      base += groups;
      at /= kGroup;
    }
    root_ = changed;
  }

  // Sets every entry to offer_of(its number).
  template <typename OfferOf>
  void set_all(const OfferOf& offer_of) {
    for (std::size_t i = 0; i < size_; ++i) groups_[i / kGroup].entries[i % kGroup] = offer_of(i);
    sum_all();
  }

  void push(const RefreshOffer& offer) {
    if (size_ == leaf_groups_ * kGroup) grow();
    set(size_++, offer);
  }
  void pop() { set(--size_, RefreshOffer()); }

  // The entry with the largest level (among equals the first to leave it), and the one with the earliest
  // fetch. There must be one.
  std::size_t best() const {
    return find([rank = root_.rank](const RefreshOffer& offer) { return offer.rank == rank; });
  }
  std::size_t oldest() const {
    return find([oldest = root_.oldest](const RefreshOffer& offer) { return offer.oldest == oldest; });
  }

  // fits(offer) must be true of a summary if it is of one of its entries. visit(the number of each entry
  // that fits), and the same with a result that replaces the entry.
  template <typename Fits, typename Visit>
  void each(const Fits& fits, const Visit& visit) const {
    if (fits(root_)) each(Node{height(), 0}, fits, visit);
  }
  template <typename Fits, typename OfferOf>
  void update(const Fits& fits, const OfferOf& offer_of) {
    if (fits(root_)) root_ = update(Node{height(), 0}, fits, offer_of);
  }

  // The same as each() in steps, to prefetch what the next step needs: a group of the topmost level, and,
  // for each entry of a group that fits, a group one level below it or, on level 0, the number of an entry.
  struct Node {
    std::uint32_t level;
    std::uint32_t group;
  };
  Node top() const { return {height(), 0}; }
  void prefetch(Node node) const {
    const Group* const group = &groups_[base(node.level) + node.group];
    __builtin_prefetch(group);
    __builtin_prefetch(reinterpret_cast<const char*>(group) + sizeof(Group) / 2);
  }
  template <typename Fits, typename Visit>
  void step(Node node, const Fits& fits, const Visit& visit) const {
    const Group& group = groups_[base(node.level) + node.group];
    for (std::uint32_t i = 0; i < kGroup; ++i) {
      if (fits(group.entries[i])) visit(node.group * static_cast<std::uint32_t>(kGroup) + i);
    }
  }

  std::uint64_t bytes() const { return groups_.capacity() * sizeof(Group); }

 private:
  static constexpr std::size_t kGroup = 8;

  struct alignas(64) Group {
    std::array<RefreshOffer, kGroup> entries;

    RefreshOffer sum() const {
      RefreshOffer all = entries[0];
      for (std::size_t i = 1; i < kGroup; ++i) all.join(entries[i]);
      return all;
    }
  };

  // The number of groups for the summaries of this many groups.
  static constexpr std::size_t summaries(std::size_t groups) { return (groups + kGroup - 1) / kGroup; }

  std::uint32_t height() const {
    std::uint32_t level = 0;
    for (std::size_t groups = leaf_groups_; groups > 1; groups = summaries(groups)) ++level;
    return level;
  }
  // Where the groups of a level begin.
  std::size_t base(std::uint32_t level) const {
    std::size_t base = 0;
    for (std::size_t groups = leaf_groups_; level > 0; groups = summaries(groups), --level) base += groups;
    return base;
  }

  // The entries keep their places; empty ones at the end are neutral.
  void grow() {
    std::size_t leaf_groups = leaf_groups_ + leaf_groups_ / 16 + 1;
    std::size_t all = 1;
    for (std::size_t groups = leaf_groups; groups > 1; groups = summaries(groups)) all += groups;
    std::vector<Group> groups(all);
    std::copy_n(groups_.begin(), leaf_groups_, groups.begin());
    groups_ = std::move(groups);
    leaf_groups_ = static_cast<std::uint32_t>(leaf_groups);
    sum_all();
  }

  void sum_all() {
    if (leaf_groups_ == 0) return;
    std::size_t base = 0;
    for (std::size_t groups = leaf_groups_; groups > 1; groups = summaries(groups)) {
      const std::size_t next = base + groups;
      for (std::size_t i = 0; i < groups; ++i) {
        groups_[next + i / kGroup].entries[i % kGroup] = groups_[base + i].sum();
      }
      base = next;
    }
    root_ = groups_.back().sum();
  }

  template <typename Fits, typename Visit>
  void each(Node node, const Fits& fits, const Visit& visit) const {
    step(node, fits, [&](std::uint32_t at) {
      if (node.level == 0) {
        visit(at);
      } else {
        each(Node{node.level - 1, at}, fits, visit);
      }
    });
  }

  template <typename Fits, typename OfferOf>
  RefreshOffer update(Node node, const Fits& fits, const OfferOf& offer_of) {
    Group& group = groups_[base(node.level) + node.group];
    for (std::uint32_t i = 0; i < kGroup; ++i) {
      RefreshOffer& entry = group.entries[i];
      if (!fits(entry)) continue;
      const std::uint32_t at = node.group * static_cast<std::uint32_t>(kGroup) + i;
      entry = node.level == 0 ? offer_of(at) : update(Node{node.level - 1, at}, fits, offer_of);
    }
    return group.sum();
  }

  // The first entry that fits; the root must fit.
  template <typename Fits>
  std::size_t find(const Fits& fits) const {
    std::size_t at = 0;
    for (std::uint32_t level = height() + 1; level-- > 0;) {
      const Group& group = groups_[base(level) + at];
      std::size_t i = 0;
      while (!fits(group.entries[i])) ++i;
      at = at * kGroup + i;
    }
    return at;
  }

  std::vector<Group> groups_;  // the entries, then the summaries of each level, the topmost last
  std::uint32_t size_ = 0;
  std::uint32_t leaf_groups_ = 0;
  RefreshOffer root_;
};

}  // namespace bowerbird
