#include "lab/reach.h"

namespace bowerbird {

Result<PageSet> reachable_pages(const Graph& graph, std::span<const SeedPage> seeds,
                                const Progress& progress) {
  constexpr std::uint64_t kTick = 1 << 16;
  PageSet reached(graph.pages());
  std::vector<PageId> open;
  for (const SeedPage& seed : seeds) {
    CHECK(seed.page < graph.pages());
    if (reached.add(seed.page)) open.push_back(seed.page);
  }
  LinkBuffer buffer;
  for (std::uint64_t walked = 1; !open.empty(); ++walked) {
    const PageId page = open.back();
    open.pop_back();
    for (const PageId target : graph.out(page, buffer)) {
      if (reached.add(target)) open.push_back(target);
    }
    if (walked % kTick == 0 && !progress.tick("finding the reachable pages", walked, graph.pages())) {
      return error("stopped while finding the reachable pages");
    }
  }
  BB_TRY_VOID(graph.status());
  return reached;
}

}  // namespace bowerbird
