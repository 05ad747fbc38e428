// IECA: distances as in FICA, but the discount decreases during the crawl, and a page found again moves
// nearer depending on how its distance compares with its parent's. [003]
//
// With x the distance of the crawled page v, alpha = e^(-0.1 * (crawled div k)) and
// delta = 0.35 - 0.28 * crawled / expected, recomputed every k pages (0.35 before the first time):
//   first sight   d = (1 - delta) * x + log O(v)
//   found again   d = (1 - delta) * ((1 - alpha) * d + alpha * (log O(v) + (1 - delta) * x)) - delta * log f
// where f = d/x if both have the same sign, else (d - x)/|x|, and the last term is 0 where f is not positive.
// Everything follows from the Visit, so nothing is kept.
#include <cmath>

#include "policy/orderings.h"
#include "policy/pace.h"

namespace bowerbird {

namespace {

constexpr double kSeedDistance = 0.3;
constexpr double kFirstDelta = 0.35;
constexpr double kDeltaFall = 0.28;

double log_ratio(double d, double x) {
  if (x == 0) return 0;
  const double f = (d > 0) == (x > 0) ? d / x : (d - x) / std::fabs(x);
  return f > 0 ? std::log10(f) : 0;
}

class Ieca final : public Policy {
 public:
  explicit Ieca(Pace pace) : pace_(pace) {}

  Score seed(const Seed& seed) override {
    return seed.light ? std::log10(seed.share) - kSeedDistance : -kSeedDistance;
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    if (links.empty()) return;
    const std::uint64_t k = pace_.k(visit);
    const double alpha = std::exp(-0.1 * static_cast<double>(visit.crawled / k));
    const auto taken_at = static_cast<double>(visit.crawled - visit.crawled % k);
    const double delta = kFirstDelta - kDeltaFall * taken_at / static_cast<double>(pace_.expected_at(visit));
    const double x = -visit.score;
    const double through_v = (1 - delta) * x + std::log10(visit.links);
    for (OpenLink& link : links) {
      if (link.is_new) {
        link.score = -through_v;
      } else {
        const double d = -link.score;
        link.score = -((1 - delta) * ((1 - alpha) * d + alpha * through_v) - delta * log_ratio(d, x));
      }
    }
  }
  double merit(Score score) const override { return 1 / (1 - std::min(score, 0.0)); }

 private:
  Pace pace_;
};

}  // namespace

MadePolicy make_ieca(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const Pace pace = Pace::read(reader, context);
  BB_TRY_VOID(reader.finish());
  return made<Ieca>(pace);
}

}  // namespace bowerbird
