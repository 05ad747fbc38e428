// How pages change over time: each page has its own rate, and its changes are a Poisson process of that rate
// whose events are a function of seed and page, so that the state at any time can be computed, in any order.
//
// The rates, in units of the mean: 40 % of pages never change, 30 % at 0.2, 20 % at 1 and 10 % at 7.4. Time
// is divided into cells of one mean interval; the number and times of the events in a cell are drawn from its
// number. Finding the last event takes 1.6 cells on average. Times are microseconds since 1970. Threads:
// const.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace bowerbird {

struct PageVersion {
  std::uint64_t key = 0;      // unique to this version of the page
  std::int64_t since_us = 0;  // when this version began
};

class Changes {
 public:
  // mean_per_day: changes per page and day, averaged over all pages; 0: nothing ever changes.
  Changes(std::uint64_t seed, double mean_per_day);

  double rate_per_day(PageId page) const;
  PageVersion at(PageId page, std::int64_t time_us) const;
  // The times of its changes after `from_us`, up to `to_us`; ascending.
  std::vector<std::int64_t> times(PageId page, std::int64_t from_us, std::int64_t to_us) const;

 private:
  std::uint64_t seed_;
  double mean_per_day_;
};

}  // namespace bowerbird
