// The true importance of the pages, and the rank of each among the judged pages: every crawl of a web is
// measured by it.
//
// Ranked once, best first, ties by lower id, so that "is it among the K best" is one comparison for any K.
// Memory: 16 bytes per page. Threads: read by many.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/metrics/points.h"
#include "lab/reach.h"

namespace bowerbird {

class Yardstick {
 public:
  // judged: the pages that count, of which every crawl takes some. graded: whether the values differ enough
  // to speak of the K best (home pages are just 0 or 1).
  Yardstick(std::string name, std::vector<double> value, const PageSet& judged, bool graded = true);

  const std::string& name() const { return name_; }
  bool graded() const { return graded_; }
  std::span<const double> values() const { return value_; }
  // Of all pages, judged or not; the object has no values afterwards.
  std::vector<double> take_values() && { return std::move(value_); }
  double value(PageId page) const { return value_[page]; }
  double total() const { return total_; }                 // over the judged pages
  PageId rank(PageId page) const { return rank_[page]; }  // 0 is the best; kNoPage if not judged
  const std::vector<PageId>& best_first() const { return best_first_; }
  std::uint64_t pages() const { return best_first_.size(); }  // judged

  // sum / total, or 0 if the total is 0.
  double share(double sum) const { return total_ > 0 ? std::min(1.0, sum / total_) : 0; }

 private:
  std::string name_;
  bool graded_;
  std::vector<double> value_;
  std::vector<PageId> best_first_;
  std::vector<PageId> rank_;
  double total_ = 0;
};

}  // namespace bowerbird
