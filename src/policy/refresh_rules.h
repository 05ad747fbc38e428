// The refresh policies: the value of fetching a page again, and when it reaches a given value.
//
// A page has importance w, changes `rate` times per day on average (a Poisson process), and was fetched
// `days` ago. The value V(days) never falls; the crawler fetches the page with the largest value. The command
// line, help, lab, tests and docs/refresh.md all use this table. Rates are estimated in policy/change_rate.h;
// frontier/refresh_queue.h is the queue of pages by value.
//
//   index      Cho and Garcia-Molina, Effective page refresh policies for Web crawlers, 2003 (the optimum);
//              Olston and Pandey, Recrawl scheduling based on information longevity, 2008 (the utility)
//   index-age  the same with age in place of freshness
//
// Pure functions. w and rate are not negative; V is 0 where the rate is 0 and V depends on it.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

struct RefreshRule {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view formula;
  bool uses_rates = false;

  double (*value)(double importance, double rate, double days) = nullptr;
  // The smallest number of days after which V is at least `value` (> 0); infinity if it never is.
  double (*days_to)(double importance, double rate, double value) = nullptr;
  // The limit of V; may be infinity.
  double (*limit)(double importance, double rate) = nullptr;
  // The value of a page that was never fetched; null: V of the days since it was discovered.
  double (*new_page)(double importance, double rate) = nullptr;
};

std::span<const RefreshRule> refresh_rules();
// The row of a name, or an error that lists the names.
Result<const RefreshRule*> find_refresh_rule(std::string_view name);

inline constexpr std::string_view kDefaultRefresh = "index-age";
// The share of fetches that new pages get while there are any, unless the user says otherwise.
inline constexpr double kDefaultLeastNew = 0.5;

}  // namespace bowerbird
