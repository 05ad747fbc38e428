// The true changes of a test Web, written to a file beforehand, to judge a crawler by.
//
// The first line has the clock of the machine when the Web began, and how much faster its time runs:
// {"web":true,"scale":86400,"monotonic_us":123456}; it relates the access log to the other lines. Then
// one line per page: {"page":7,"url":"http://...","rate":0.14,"born":0,"changes":[1.25,9.5]}. `rate` is
// changes of the text per day; `born` and `changes` are days after the start of the Web. New links on a
// page are not a change of its text. Threads: one.
#pragma once

#include <string>

#include "base/result.h"
#include "web/site/site.h"

namespace bowerbird {

// The time of the Web, as the access log needs it.
struct TruthClock {
  double scale = 1;
  std::int64_t monotonic_us = 0;  // of the machine's clock, at the site's start
};

// Covers the first `days` after the site's start. The file is written completely or not at all.
Status write_truth(const Site& site, double days, const TruthClock& clock, const std::string& path);

}  // namespace bowerbird
