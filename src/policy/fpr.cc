// Fractional PageRank, and its extension by hosts: the seeds share the importance 1-d; a crawled page passes
// d times its importance on to its links, M times as much to a link to another host as to one on its own
// host. What would go to crawled pages is lost. [000], sections 3.1 (M = 1) and 3.2.
#include "policy/mass.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Fpr final : public Policy {
 public:
  explicit Fpr(double weight) : weight_(weight) {}

  Score seed(const Seed& seed) override { return mass::from_value((1 - kDamping) * seed.share); }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    if (links.empty()) return;
    const double total = (visit.links - visit.other_host) + weight_ * visit.other_host;
    const double own = mass::times(visit.score, kDamping / total);
    const double other = mass::times(visit.score, kDamping * weight_ / total);
    for (OpenLink& link : links) {
      const double share = link.other_host ? other : own;
      link.score = link.is_new ? share : mass::plus(link.score, share);
    }
  }
  double merit(Score score) const override { return mass::to_value(score); }
  Score scaled(Score score, double factor) const override { return mass::times(score, factor); }

 private:
  double weight_;  // M
};

}  // namespace

MadePolicy make_fpr(const Spec& spec, const PolicyContext&) {
  SpecReader reader(spec);
  const double weight = reader.at(1e-6, 1e9).value_or(1);
  BB_TRY_VOID(reader.finish());
  return made<Fpr>(weight);
}

}  // namespace bowerbird
