// FICA: the distance of a page is the sum of the logarithms of the out-degrees on the path to it; the nearest
// page is taken first. A. M. Zareh Bidoki, N. Yazdani and P. Ghodsnia, FICA: A novel intelligent crawling
// algorithm based on reinforcement learning, 2009 (reference 7 of [003]).
//
// First sight: d_j = log O(i) + gamma * d_i. A later parent moves it by the learning rate:
// d_j = (1 - alpha) * d_j + alpha * (log O(i) + gamma * d_i), alpha = e^(-0.1 * (crawled div k)).
// With gamma = alpha = 1 this is the logarithmic distance.
#include <cmath>

#include "policy/orderings.h"
#include "policy/pace.h"

namespace bowerbird {

namespace {

class Fica final : public Policy {
 public:
  Fica(Pace pace, double gamma, std::optional<double> alpha) : pace_(pace), gamma_(gamma), alpha_(alpha) {}

  Score seed(const Seed& seed) override { return seed.light ? std::log10(seed.share) : 0; }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    if (links.empty()) return;
    const double distance = std::log10(visit.links) - gamma_ * visit.score;
    const double alpha = alpha_ ? *alpha_ : learning_rate(visit);
    for (OpenLink& link : links) {
      link.score = link.is_new ? -distance : (1 - alpha) * link.score - alpha * distance;
    }
  }
  double merit(Score score) const override { return 1 / (1 - std::min(score, 0.0)); }

 private:
  double learning_rate(const Visit& visit) const {
    return std::exp(-0.1 * static_cast<double>(visit.crawled / pace_.k(visit)));
  }

  Pace pace_;
  double gamma_;
  std::optional<double> alpha_;  // fixed, instead of decreasing
};

}  // namespace

MadePolicy make_fica(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const Pace pace = Pace::read(reader, context);
  const double gamma = reader.number("gamma", 0, 1).value_or(0.5);
  const auto alpha = reader.number("alpha", 0, 1);
  BB_TRY_VOID(reader.finish());
  return made<Fica>(pace, gamma, alpha);
}

}  // namespace bowerbird
