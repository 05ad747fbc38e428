#include "lab/parallel/popular.h"

#include <algorithm>

namespace bowerbird {
namespace {

struct Linked {
  std::uint32_t links = 0;
  PageId page = 0;
};

// Leaves the best `count`.
void keep_most_linked(std::vector<Linked>& pages, std::uint64_t count) {
  if (count >= pages.size()) return;
  const auto cut = pages.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(pages.begin(), cut, pages.end(), [](const Linked& a, const Linked& b) {
    return a.links != b.links ? a.links > b.links : a.page < b.page;
  });
  pages.erase(cut, pages.end());
}

}  // namespace

std::vector<PageId> most_linked(const Graph& graph, std::uint64_t count) {
  std::vector<Linked> pages(graph.pages());
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    pages[page].page = page;
    for (const PageId target : links) ++pages[target].links;
    return true;
  });
  keep_most_linked(pages, count);
  std::vector<PageId> best;
  for (const Linked& linked : pages) best.push_back(linked.page);
  std::sort(best.begin(), best.end());
  return best;
}

void PopularPages::sent(std::uint64_t crawled) {
  if (count_ == 0 || crawled < next_) return;
  next_ = 2 * crawled;
  std::vector<Linked> pages;
  for (const auto& [page, links] : links_) pages.push_back({links, page});
  keep_most_linked(pages, count_);
  known_.clear();
  for (const Linked& linked : pages) known_.insert(linked.page);
}

}  // namespace bowerbird
