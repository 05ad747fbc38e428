// A random discovered page. All are equally likely, however long they have waited.
//
// A fixed random priority would prefer new pages, because the pages left in the queue have drawn low numbers.
// Instead each page has a due time: that of its parent plus an exponentially distributed random time. The
// page with the earliest due time is taken. The exponential distribution is memoryless: at any moment all
// discovered pages are equally likely to be next. The draw depends only on the seed and the page's
// discovery number, so that lab and live crawl agree and a restored crawl continues as it would have.
#include <cmath>

#include "base/rng.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Random final : public Policy {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  bool judges() const override { return false; }
  Score seed(const Seed& seed) override { return -waiting_time(seed.discovered); }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = visit.score - waiting_time(link.discovered);
    }
  }
  double merit(Score score) const override { return 1 / (1 - score); }

 private:
  double waiting_time(std::uint32_t discovered) const {
    return -std::log1p(-to_unit(draw(seed_, discovered)));
  }

  std::uint64_t seed_;
};

}  // namespace

MadePolicy make_random(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const std::uint64_t seed = reader.count("seed", 0).value_or(context.seed);
  BB_TRY_VOID(reader.finish());
  return made<Random>(seed);
}

}  // namespace bowerbird
