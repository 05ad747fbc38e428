#include "crawl/state/page_priorities.h"

namespace bowerbird {

PagePriorities::PagePriorities(std::shared_ptr<const SiteRules> sites) {
  if (sites == nullptr || !sites->any(&SiteSettings::priority)) return;
  sites_ = std::move(sites);
  factors_ = {1};
  for (std::size_t i = 0; i < sites_->size(); ++i) factors_.push_back((*sites_)[i].priority.value_or(1));
}

void PagePriorities::add(std::string_view url) {
  if (!any()) return;
  std::uint16_t place = 0;
  if (parse_url(url, nullptr, url_) == UrlFault::kNone) {
    for (const std::uint16_t table : sites_->tables_of(url_, cache_)) {
      if ((*sites_)[table].priority) place = static_cast<std::uint16_t>(table + 1);
    }
  }
  by_page_.push_back(place);
}

}  // namespace bowerbird
