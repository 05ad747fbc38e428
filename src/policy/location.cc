// Location: what the URL alone shows (IL), such as few slashes. [004], section 2, metric 5.
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Location final : public Policy {
 public:
  bool wants_hints() const override { return true; }
  Score seed(const Seed& seed) override { return seed.hints.location; }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = link.hints.location;
    }
  }
};

}  // namespace

MadePolicy make_location(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<Location>();
}

}  // namespace bowerbird
