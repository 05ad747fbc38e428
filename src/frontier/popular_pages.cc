#include "frontier/popular_pages.h"

#include <algorithm>

namespace bowerbird {

void keep_most_linked(std::vector<LinkedPage>& pages, std::uint64_t count) {
  if (count >= pages.size()) return;
  const auto cut = pages.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(pages.begin(), cut, pages.end(), [](const LinkedPage& a, const LinkedPage& b) {
    return a.links != b.links ? a.links > b.links : a.page < b.page;
  });
  pages.erase(cut, pages.end());
}

void PopularPages::sent(std::uint64_t crawled) {
  if (count_ == 0 || crawled < next_) return;
  next_ = 2 * crawled;
  std::vector<LinkedPage> pages;
  for (const auto& [page, links] : links_) pages.push_back({page, links});
  keep_most_linked(pages, count_);
  known_.clear();
  for (const LinkedPage& linked : pages) known_.insert(linked.page);
}

void PopularPages::save(ByteWriter& out) const {
  std::vector<LinkedPage> pages;
  for (const auto& [page, links] : links_) pages.push_back({page, links});
  std::sort(pages.begin(), pages.end(), [](const auto& a, const auto& b) { return a.page < b.page; });
  std::vector<PageId> known(known_.begin(), known_.end());
  std::sort(known.begin(), known.end());
  out.put(next_);
  out.put_array(std::span<const LinkedPage>(pages));
  out.put_array(std::span<const PageId>(known));
}

void PopularPages::load(ByteReader& in) {
  std::vector<LinkedPage> pages;
  std::vector<PageId> known;
  in.get(next_);
  in.get_array(pages);
  in.get_array(known);
  for (const LinkedPage& linked : pages) links_[linked.page] = linked.links;
  known_.insert(known.begin(), known.end());
}

}  // namespace bowerbird
