// A random discovered page, each as likely as any other. The draw depends on the seed and the page's
// discovery number alone, so that lab and live agree and a restored crawl goes on as it would have.
#include "base/rng.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Random final : public Policy {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  bool judges() const override { return false; }
  Score seed(const Seed& seed) override { return score_of(seed.discovered); }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.fresh) link.score = score_of(link.discovered);
    }
  }

 private:
  Score score_of(std::uint32_t discovered) const { return to_unit(draw(seed_, discovered)); }

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
