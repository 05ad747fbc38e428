// The true changes of a test Web (`bowerbird web serve --truth`), for simulations of exactly these changes,
// and to judge a crawler by them.
//
// The first line of the file is about its time: {"web":true,"scale":86400,"monotonic_us":123456}, the clock
// of the machine when the Web began and how much faster its time runs. Each further line is a page:
// {"page":7,"url":...,"rate":0.14,"born":0,"changes":[1.25,9.5]}, in days after the start of the Web. Plain
// data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "lab/refresh/simulation.h"

namespace bowerbird {

struct PageTruth {
  double rate = 0;              // changes per day
  double born = 0;              // when it appeared
  std::vector<double> changes;  // ascending
};

struct WebTruth {
  double scale = 1;
  std::int64_t monotonic_us = 0;
  std::vector<PageTruth> pages;

  // Days after the start of the Web at a time of the machine's clock.
  double day_of(std::int64_t us) const {
    return static_cast<double>(us - monotonic_us) * scale / (86'400.0 * 1e6);
  }
};

// The file must have a line for each of this many pages.
Result<WebTruth> read_truth(const std::string& path, PageId pages);

// A page of the graph was fetched, or confirmed to be unchanged.
struct TruthFetch {
  PageId page = 0;
  double day = 0;  // after the start of the Web
};

// The world has these changes; its day 0 is day `start` of the Web.
void set_truth(const WebTruth& truth, double start, RefreshWorld& world);

// When a crawler had fetched all pages that it ever fetched and that were there from the beginning: a day of
// the Web.
double all_held(const WebTruth& truth, std::span<const TruthFetch> fetches, const RefreshWorld& world);

// What the fetches of a crawler, ascending in time, achieved in a world that set_truth() made with this
// start; pages fetched before it are held then. run: days, warm-up and slices.
RefreshResult judge_fetches(const RefreshWorld& world, std::span<const TruthFetch> fetches, double start,
                            const RefreshRun& run);

}  // namespace bowerbird
