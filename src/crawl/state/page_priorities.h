// The priority of each page: the factor of the [[site]] table that applies to its URL.
//
// Two bytes per known page, and none if no table has a priority. Pages are added in the order of their
// ids, when they get their id. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "crawl/judge/site_rules.h"

namespace bowerbird {

class PagePriorities {
 public:
  PagePriorities() = default;
  explicit PagePriorities(std::shared_ptr<const SiteRules> sites);

  bool any() const { return sites_ != nullptr; }
  // Adds the next page.
  void add(std::string_view url);
  double of(PageId page) const { return factors_[by_page_[page]]; }
  std::uint64_t bytes() const { return by_page_.capacity() * sizeof(std::uint16_t); }

 private:
  std::shared_ptr<const SiteRules> sites_;  // null: no table has a priority
  SiteCache cache_;
  Url url_;
  std::vector<double> factors_;         // 1, then that of each table
  std::vector<std::uint16_t> by_page_;  // indexes in factors_
};

}  // namespace bowerbird
