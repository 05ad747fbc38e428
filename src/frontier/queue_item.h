// An entry of the queue.
#pragma once

#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "policy/policy.h"

namespace bowerbird {

// A page with its score and discovery number, in a form that is fast to compare.
class QueueItem {
 public:
  QueueItem() = default;
  QueueItem(PageId page, std::uint32_t discovered, Score score)
      : low_(std::uint64_t{~discovered} << 32 | page), high_(ordered(score)) {}

  PageId page() const { return static_cast<PageId>(low_); }
  std::uint32_t discovered() const { return ~static_cast<std::uint32_t>(low_ >> 32); }
  Score score() const { return unordered(high_); }
  QueueItem with(Score score) const {
    QueueItem item = *this;
    item.high_ = ordered(score);
    return item;
  }
  // Better than every page.
  static QueueItem best_of_all() {
    QueueItem item;
    item.low_ = item.high_ = ~std::uint64_t{0};
    return item;
  }
  // The score as an integer with the same order, and back.
  std::uint64_t key() const { return high_; }
  static QueueItem with_key(PageId page, std::uint32_t discovered, std::uint64_t key) {
    QueueItem item(page, discovered, 0);
    item.high_ = key;
    return item;
  }
  bool better_than(const QueueItem& other) const { return number() > other.number(); }

 private:
  __extension__ using Number = unsigned __int128;

  // Doubles compare as sign and magnitude; these integers have the same order. -0 becomes 0.
  static std::uint64_t ordered(Score score) {
    const auto bits = std::bit_cast<std::int64_t>(score + 0.0);
    return static_cast<std::uint64_t>(bits ^ ((bits >> 63) | INT64_MIN));
  }
  static Score unordered(std::uint64_t key) {
    const auto bits = static_cast<std::int64_t>(key);
    return std::bit_cast<Score>(bits ^ (~(bits >> 63) | INT64_MIN));
  }
  Number number() const { return Number{high_} << 64 | low_; }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};
static_assert(sizeof(QueueItem) == 16);

// The order of heaps and sorts: best first.
inline constexpr auto kBetter = [](const QueueItem& a, const QueueItem& b) { return a.better_than(b); };

}  // namespace bowerbird
