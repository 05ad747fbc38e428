// Depth first: the page discovered last. The seeds are on the stack in reverse, so that the first is taken
// first. A page keeps its position when it is found again, so the last new link of a page is taken first.
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Dfs final : public Policy {
 public:
  bool judges() const override { return false; }
  Score seed(const Seed& seed) override { return -static_cast<double>(seed.discovered); }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = 1 + static_cast<double>(link.discovered);
    }
  }
  // Seeds are the bottom of the stack.
  double merit(Score score) const override { return score > 0 ? score : 0; }
};

}  // namespace

MadePolicy make_dfs(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<Dfs>();
}

}  // namespace bowerbird
