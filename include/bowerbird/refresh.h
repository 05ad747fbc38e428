// Refresh policies: the value of fetching a page again (docs/refresh.md), and estimates of change rates.
//
// Pure functions; threads: any. Throws Error for an unknown policy or numbers out of range.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bowerbird/error.h"

BOWERBIRD_BEGIN

// uniform, importance, proportional, index, index-age.
BOWERBIRD_API std::vector<std::string> refresh_policies();
// The value of fetching a page with this importance that changes `rate` times per day and was last
// fetched `days` ago.
BOWERBIRD_API double refresh_value(std::string_view policy, double importance, double rate, double days);
// The number of days after which the value reaches `value`; infinity if it never does.
BOWERBIRD_API double refresh_days(std::string_view policy, double importance, double rate, double value);

// An observation: an interval in days, and whether the page had changed at its end.
struct VisitInterval {
  double days = 0;
  bool changed = false;
};
// Estimated changes per day. The prior rate counts as one observation.
BOWERBIRD_API double change_rate(const std::vector<VisitInterval>& visits, double prior = 0.05);

BOWERBIRD_END
