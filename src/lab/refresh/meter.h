// Exact freshness and age of a simulated collection, summed over the intervals between fetches.
//
// F(t) is the importance of the pages that are held and fresh, A(t) that of each page times the days since
// the first change that its copy lacks. Means are over the time after the warm-up; curves are means over
// equal slices of all time. Both are also computed with equal weights. Pages that do not exist yet do not
// count. Threads: one owner.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/ids.h"

namespace bowerbird {

// Means over a period.
struct RefreshMeans {
  double freshness = 0;        // by importance
  double age = 0;              // by importance, in days
  double held = 0;             // importance of the pages held
  double freshness_equal = 0;  // all pages weighted equally
  double age_equal = 0;
  double held_equal = 0;

  void add(const RefreshMeans& other, double times);
};

class RefreshMeter {
 public:
  // importance sums to 1 and outlives the meter, as does `born`: the day on which each page appears; empty:
  // all exist. slices: points of the curve, may be 0.
  RefreshMeter(std::span<const double> importance, double days, double warm_up, std::size_t slices,
               std::span<const double> born = {});

  // The copy of a page that was fetched at `from` was replaced at `to`; the page changed first at `change`.
  void copy(PageId page, double from, double to, double change);

  RefreshMeans means() const;
  std::vector<RefreshMeans> curve() const;

 private:
  void add(PageId page, double from, double to, double change, RefreshMeans& sum) const;
  RefreshMeans means_over(const RefreshMeans& sum, double from, double to) const;

  std::span<const double> importance_;
  std::span<const double> born_;
  double days_;
  double warm_up_;
  double share_;  // of a page, if all are equal
  RefreshMeans sum_;
  std::vector<RefreshMeans> slices_;
};

}  // namespace bowerbird
