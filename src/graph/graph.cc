#include "graph/graph.h"

namespace bowerbird {

void Graph::scan(PageId first, PageId last, const Visitor& visit) const {
  LinkBuffer buffer;
  for (PageId page = first; page < last; ++page) {
    if (!visit(page, out(page, buffer))) return;
  }
}

std::uint64_t estimated_links(const Graph& graph) {
  if (graph.links()) return *graph.links();
  constexpr PageId kSamples = 20'000;
  const PageId step = graph.pages() / kSamples + 1;
  std::uint64_t links = 0;
  std::uint64_t sampled = 0;
  LinkBuffer buffer;
  for (std::uint64_t page = 0; page < graph.pages(); page += step, ++sampled) {
    links += graph.out(static_cast<PageId>(page), buffer).size();
  }
  return sampled == 0 ? 0 : links * graph.pages() / sampled;
}

}  // namespace bowerbird
