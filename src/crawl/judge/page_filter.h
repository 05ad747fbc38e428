// Which pages are read for links (--links-from), and which are stored (--keep): by URL, or by type.
//
// An entry is a regular expression that is searched in the URL, or "type:" with an entry of body_types.h.
// A page is chosen if any entry matches, or if there are no entries. Immutable; threads: any.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/url_pattern.h"

namespace bowerbird {

class PageFilter {
 public:
  static Result<PageFilter> make(std::span<const std::string> entries);

  bool all() const { return all_; }
  // type: as returned by content_type_of() and sniff_type(); empty: unknown.
  bool chooses(std::string_view url, std::string_view type) const;

 private:
  std::vector<UrlPattern> urls_;
  BodyTypes types_;
  bool all_ = true;
};

}  // namespace bowerbird
