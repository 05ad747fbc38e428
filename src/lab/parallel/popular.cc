#include "lab/parallel/popular.h"

#include <algorithm>

#include "frontier/popular_pages.h"

namespace bowerbird {

std::vector<PageId> most_linked(const Graph& graph, std::uint64_t count) {
  std::vector<LinkedPage> pages(graph.pages());
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    pages[page].page = page;
    for (const PageId target : links) ++pages[target].links;
    return true;
  });
  keep_most_linked(pages, count);
  std::vector<PageId> best;
  for (const LinkedPage& linked : pages) best.push_back(linked.page);
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace bowerbird
