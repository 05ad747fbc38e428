#include "crawl/state/page_facts.h"

#include <utility>
#include <vector>

namespace bowerbird {

void PageFacts::exclude(PageId page) {
  depth_[page] = kExcludedDepth;
  redirects_.erase(page);
  tries_.erase(page);
}

std::uint64_t PageFacts::bytes() const {
  constexpr std::uint64_t kEntry = 64;  // of an unordered_map, about
  return depth_.size() + kEntry * (redirects_.size() + tries_.size() + sitemaps_.size());
}

void PageFacts::save(ByteWriter& out) const {
  out.put_array(depth_.view());
  for (const Map* map : {&redirects_, &tries_, &sitemaps_}) {
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
  if (page > depth_.size()) return error("the snapshot knows more URLs than the folder holds");
  for (Map* map : {&redirects_, &tries_, &sitemaps_}) {
    for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
      const auto key = in.get<PageId>();
      (*map)[key] = in.get<std::uint8_t>();
    }
  }
  return {};
}

}  // namespace bowerbird
