// Breadth first: the page discovered first. The order of Najork and Wiener, Breadth-first crawling yields
// high-quality pages, 2001, and what every paper here compares with.
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Bfs final : public Policy {
 public:
  bool judges() const override { return false; }
  Score seed(const Seed& seed) override { return score_of(seed.discovered); }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = score_of(link.discovered);
    }
  }
  double merit(Score score) const override { return 1 / (1 - score); }

 private:
  static Score score_of(std::uint32_t discovered) { return -static_cast<double>(discovered); }
};

}  // namespace

MadePolicy make_bfs(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<Bfs>();
}

}  // namespace bowerbird
