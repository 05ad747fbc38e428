#include "policy/change_rate.h"

#include <algorithm>
#include <cmath>

namespace bowerbird {

void ChangeHistory::add(const ChangeHistory& other) {
  changes += other.changes;
  dated += other.dated;
  change_days += other.change_days;
  days += other.days;
}

void ChangeHistory::remove(const ChangeHistory& other) {
  changes = std::max(0.0, changes - other.changes);
  dated = std::max(0.0, dated - other.dated);
  change_days = std::max(0.0, change_days - other.change_days);
  days = std::max(0.0, days - other.days);
}

// With phi(z) = z / (1 - e^-z) it is the root of g(rate) = rate·all - (1 + K) - X·phi(rate·m). phi is convex,
// so g is concave, begins below 0 and crosses it once: Newton's method from the left never passes the root.
// It begins where phi is replaced by the two lines below it, 1 + z/2 and z.
double change_rate(const ChangeHistory& history, double prior) {
  const double all = 1 / prior + std::max(history.days, history.change_days);
  const double counted = 1 + history.dated;
  if (!(history.changes > 0 && history.change_days > 0)) return (counted + history.changes) / all;
  const double mean = history.change_days / history.changes;
  double rate = std::max((counted + history.changes) / (all - history.change_days / 2),
                         counted / (all - history.change_days));
  for (int i = 0; i < 100; ++i) {
    const double z = rate * mean;
    const double rest = -std::expm1(-z);  // 1 - e^-z
    const double phi = z / rest;
    const double slope = (1 - phi * (1 - rest)) / rest;
    const double step = (counted + history.changes * phi - rate * all) / (all - history.change_days * slope);
    rate += step;
    if (step <= 1e-5 * rate) break;  // the next one would be 1e-10 of it
  }
  return rate;
}

double overall_rate(const ChangeHistory& all) {
  return (all.changes + all.dated + 1) / (all.days + 20);
}

double rate_uncertainty(const ChangeHistory& history) {
  return 1 / std::sqrt(1 + history.changes + history.dated);
}

}  // namespace bowerbird
