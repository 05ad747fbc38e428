#include "crawl/state/page_facts.h"

#include <utility>
#include <vector>

namespace bowerbird {

void PageFacts::exclude(PageId page) {
  depth_[page] = kExcludedDepth;
  redirects_.erase(page);
  tries_.erase(page);
}

std::string PageFacts::hops(PageId page) const {
  constexpr std::size_t kLongest = 1024;
  std::string path;
  while (path.size() < kLongest && via(page) != kNoPage) {
    const PageId from = via(page);
    path.push_back(redirects(page) > 0 ? 'R' : is_sitemap(from) ? 'M' : 'L');
    page = from;
  }
  if (belongs(page) && via(page) == kNoPage) path.append(depth(page), 'L');
  std::reverse(path.begin(), path.end());
  return path;
}

std::uint64_t PageFacts::bytes() const {
  constexpr std::uint64_t kEntry = 64;  // approximate size of an unordered_map entry
  return depth_.size() * (1 + sizeof(PageId)) + kEntry * (redirects_.size() + tries_.size() + marks_.size());
}

void PageFacts::save(ByteWriter& out) const {
  out.put_array(depth_.view());
  out.put_array(via_.view());
  for (const Map* map : {&redirects_, &tries_, &marks_}) {
    std::vector<std::pair<PageId, std::uint8_t>> entries(map->begin(), map->end());
    std::sort(entries.begin(), entries.end());
    out.put<std::uint64_t>(entries.size());
    for (const auto& [page, value] : entries) {
      out.put(page);
      out.put(value);
    }
  }
}

Status PageFacts::load(ByteReader& in) {
  std::uint64_t page = 0;
  in.each<std::uint8_t>([&](std::uint8_t depth) {
    if (page < depth_.size()) depth_[page] = depth;
    ++page;
  });
  if (page > depth_.size()) return error("the snapshot refers to more URLs than the folder contains");
  page = 0;
  in.each<PageId>([&](PageId from) {
    if (page < via_.size() && (from == kNoPage || from < via_.size())) via_[page] = from;
    ++page;
  });
  if (page > via_.size()) return error("the snapshot refers to more URLs than the folder contains");
  for (Map* map : {&redirects_, &tries_, &marks_}) {
    for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
      const auto key = in.get<PageId>();
      (*map)[key] = in.get<std::uint8_t>();
    }
  }
  return {};
}

}  // namespace bowerbird
