// All measurements of one crawl's order, taken while it runs.
//
// Fed with the pages in the order they are crawled; read once at the end. A run that was stopped early has no
// values (NaN) from there on; one that ended stays flat. Threads: one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/metrics/buffer.h"
#include "lab/metrics/cumulative.h"
#include "lab/metrics/guarantee.h"
#include "lab/metrics/hot.h"
#include "lab/metrics/threshold.h"
#include "lab/setting.h"

namespace bowerbird {

// Measured by one yardstick; the curves are parallel to the setting's points.
struct Measured {
  std::string yardstick;
  std::vector<double> cumulative;
  std::vector<double> hot;  // empty if the yardstick is not graded
  double auc = 0;
};

struct Scores {
  std::vector<Measured> measured;  // parallel to the setting's yardsticks
  std::vector<double> threshold;   // parallel to the points; empty if nothing is judged
  std::vector<double> guaranteed;  // parallel to the points; empty if not judged, or too large
  std::vector<double> buffer;      // parallel to the setting's buffers
  // When each of the setting's followed pages was crawled: as number 1, 2 ...; 0 if never.
  std::vector<std::uint64_t> found;
};

class Evaluation {
 public:
  explicit Evaluation(const Setting& setting);  // outlives the object

  // False if nothing is judged: page() need not be called.
  bool judges() const { return !meters_.empty(); }
  void page(PageId page, std::span<const PageId> links);
  Scores finish(bool stopped) const;

 private:
  struct Meter {
    CumulativeImportance cumulative;
    std::optional<CrawlAndStop> hot;
  };

  const Setting& setting_;
  std::uint64_t crawled_ = 0;
  std::vector<Meter> meters_;
  std::optional<CrawlWithThreshold> threshold_;
  std::optional<GuaranteedImportance> guaranteed_;
  std::optional<LimitedBuffer> buffer_;
  std::vector<std::uint64_t> found_;
  PageId last_followed_ = 0;  // no followed page has a larger rank
};

// The scores of a crawl in the order of true importance, if every page were known from the start.
Scores ideal_scores(const Setting& setting);

}  // namespace bowerbird
