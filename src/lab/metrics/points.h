// The moments of a crawl at which its curves are sampled: after K pages, for each K of an ascending list.
//
// The checkpoints of the evaluation, 1 ... 100 % of the judged pages with K = floor(share * pages), and
// enough even steps between 0 and the end for a smooth curve. A crawl that ends early stays flat from there
// on.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bowerbird {

struct Checkpoint {
  unsigned percent;
  std::string_view key;  // as in the JSON output
};

inline constexpr std::array<Checkpoint, 11> kCheckpoints = {{{1, "0.01"},
                                                             {2, "0.02"},
                                                             {5, "0.05"},
                                                             {10, "0.1"},
                                                             {15, "0.15"},
                                                             {20, "0.2"},
                                                             {30, "0.3"},
                                                             {45, "0.45"},
                                                             {60, "0.6"},
                                                             {80, "0.8"},
                                                             {100, "1"}}};

class Points {
 public:
  explicit Points(std::uint64_t pages = 0, unsigned steps = 200);

  std::uint64_t pages() const { return pages_; }  // the shares refer to these
  const std::vector<std::uint64_t>& at() const { return at_; }
  std::size_t size() const { return at_.size(); }
  std::uint64_t operator[](std::size_t i) const { return at_[i]; }
  // The index of the checkpoint's K in at().
  std::size_t of(std::size_t checkpoint) const { return checkpoint_[checkpoint]; }
  // The index of the first K >= count; size() if there is none.
  std::size_t first_at_least(std::uint64_t count) const;

 private:
  std::uint64_t pages_;
  std::vector<std::uint64_t> at_;  // ascending, distinct, from 0 to pages
  std::array<std::size_t, kCheckpoints.size()> checkpoint_{};
};

}  // namespace bowerbird
