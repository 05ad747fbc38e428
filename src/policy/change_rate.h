// Estimates how often a page changes from visits that only show whether it has changed since the previous
// visit.
//
// A visit after an interval of t days that found a change has seen one change or more; one that found none
// has seen none for t days. The rate is the mode of its posterior, approximately: with X intervals that ended
// in a change, C days in them, m = C/X, and U days in the others, the solution of
//
//   rate = (1 + K + E) / (1/prior + U + C + L),   E = X·rate·m / (1 − e^(−rate·m)),
//
// where E is the expected number of changes in the X intervals, and the prior is worth one observation. K and
// L are for changes whose time is known (a credible Last-Modified): their number, and the days from them to
// the visits that found them. Cho and Garcia-Molina, Estimating frequency of change, 2003.
//
// The prior of a page is the rate of its host; that of a host is the rate of all pages. Pure functions.
#pragma once

#include "base/time.h"

namespace bowerbird {

// What visits have shown about a page, or about many pages together.
struct ChangeHistory {
  double changes = 0;      // X
  double dated = 0;        // K
  double change_days = 0;  // C
  double days = 0;         // U + C + L

  void add_unchanged(double interval) { days += interval; }
  void add_change(double interval) {
    changes += 1;
    change_days += interval;
    days += interval;
  }
  // A change that is known to be `since` days old.
  void add_dated_change(double since) {
    dated += 1;
    days += since;
  }
  void add(const ChangeHistory& other);
  void remove(const ChangeHistory& other);
};

// The solution of the equation above, to a relative precision of 1e-9. prior > 0.
double change_rate(const ChangeHistory& history, double prior);

// The prior if nothing else is known: (changes + 1) / (days + 20) of all pages.
double overall_rate(const ChangeHistory& all);

// The approximate standard deviation of the rate, relative to it: that of a gamma distribution with as many
// observations.
double rate_uncertainty(const ChangeHistory& history);

// Whether a Last-Modified is credible as the time of a change that a visit has found: it must be after the
// previous visit and at least a minute before the server's own Date.
inline bool credible_change_time(RefreshTime modified, RefreshTime last_visit, RefreshTime date) {
  return modified > last_visit && modified <= date - 1min;
}

}  // namespace bowerbird
