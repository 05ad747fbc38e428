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

// With phi(z) = z / (1 - e^-z) it is the root of g(rate) = rate·all - (1 + K) - X·phi(rate·m). phi is convex
// and its slope is at most 1, so g is concave and grows: Newton's method goes to the left of the root at the
// first step, and never passes it again. It begins where phi is replaced by 1 + z/2 + z²/12, which is just
// above it for small z, or else by the two lines below it, 1 + z/2 and z.
double change_rate(const ChangeHistory& history, double prior) {
  const double all = 1 / prior + std::max(history.days, history.change_days);
  const double counted = 1 + history.dated;
  if (!(history.changes > 0 && history.change_days > 0)) return (counted + history.changes) / all;
  const double mean = history.change_days / history.changes;
  const double slope_at_0 = all - history.change_days / 2;
  const double root = slope_at_0 * slope_at_0 - history.change_days * mean * (counted + history.changes) / 3;
  double rate = root > 0 ? 2 * (counted + history.changes) / (slope_at_0 + std::sqrt(root)) : 0;
  if (root <= 0 || rate * mean > 2) {
    rate = std::max((counted + history.changes) / slope_at_0, counted / (all - history.change_days));
  }
  for (int i = 0; i < 100; ++i) {
    const double z = rate * mean;
    const double rest = -std::expm1(-z);  // 1 - e^-z
    const double phi = z / rest;
    const double slope = (1 - phi * (1 - rest)) / rest;
    const double step = (counted + history.changes * phi - rate * all) / (all - history.change_days * slope);
    rate += step;
    if (std::abs(step) <= 1e-5 * rate) break;  // the next one would be 1e-10 of it
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
