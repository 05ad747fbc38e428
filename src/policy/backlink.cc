// Backlink count: the page with most links from crawled pages so far (IB').
// J. Cho, H. Garcia-Molina and L. Page, Efficient crawling through URL ordering, 1998 [004].
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Backlink final : public Policy {
 public:
  Score seed(const Seed&) override { return 0; }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) link.score += 1;
  }
};

}  // namespace

MadePolicy make_backlink(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<Backlink>();
}

}  // namespace bowerbird
