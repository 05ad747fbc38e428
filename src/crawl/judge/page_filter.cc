#include "crawl/judge/page_filter.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr std::string_view kByType = "type:";

}  // namespace

Result<PageFilter> PageFilter::make(std::span<const std::string> entries) {
  PageFilter filter;
  filter.all_ = entries.empty();
  std::vector<std::string> types;
  for (const std::string& entry : entries) {
    if (entry.starts_with(kByType)) {
      types.push_back(entry.substr(kByType.size()));
      continue;
    }
    BB_TRY(UrlPattern pattern, UrlPattern::make(entry));
    filter.urls_.push_back(std::move(pattern));
  }
  BB_TRY(filter.types_, BodyTypes::make(types));
  return filter;
}

bool PageFilter::chooses(std::string_view url, std::string_view type) const {
  return all_ || types_.wants(type) ||
         std::ranges::any_of(urls_, [&](const UrlPattern& pattern) { return pattern.found_in(url); });
}

}  // namespace bowerbird
