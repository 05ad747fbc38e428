// Knows the true importance of every page, but can only take discovered pages. Greedy, so not an upper bound;
// shown for comparison, as the best that knowledge of a page could give. Lab only.
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Omniscient final : public Policy {
 public:
  explicit Omniscient(std::span<const double> importance) : importance_(importance) {}

  Score seed(const Seed& seed) override { return score_of(seed.page); }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = score_of(link.page);
    }
  }

 private:
  Score score_of(PageId page) const { return page < importance_.size() ? importance_[page] : 0; }

  std::span<const double> importance_;
};

}  // namespace

MadePolicy make_omniscient(const Spec& spec, const PolicyContext& context) {
  BB_TRY_VOID(SpecReader(spec).finish());
  if (context.importance.empty()) {
    return error("omniscient needs the true importance of every page, which only the lab knows");
  }
  return made<Omniscient>(context.importance);
}

}  // namespace bowerbird
