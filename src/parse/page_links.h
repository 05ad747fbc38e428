// The links of a page as the crawler queues them: absolute, in canonical form.
//
// Problem: a page has a hundred links, and most of a crawl's URLs are seen this way; so the base is found
// once a page, links that are written alike are resolved once, and one Url serves all links: once its memory
// has grown, nothing is allocated.
// The base is the page's <base>, itself relative to the page's own URL (HTML standard 2.4.2, "document base
// URL"). Queries are written in the encoding of the page. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parse/href_table.h"
#include "parse/html_page.h"
#include "url/canonical.h"

namespace bowerbird {

// What the links of `page` are relative to: `own` (the URL it came from; empty: not known), or `storage`,
// filled from its <base>. A <base> that is no http or https URL counts for nothing.
const Url& document_base(const HtmlPage& page, const Url& own, Url& storage);

class LinkResolver {
 public:
  explicit LinkResolver(const CanonicalOptions& options = {}) : options_(options) {}

  // For the links of `page` in its order, as far as wanted(const HtmlLink&) says so: the first that leads
  // somewhere goes to first(const HtmlLink&, const Url&), which names it by a number below kNowhere; further
  // ones that are written alike to again(const HtmlLink&, std::uint32_t) with that number. The Url is good
  // until the call returns. Links that are turned down (mailto:, javascript:, too long ...) are left out;
  // returns their number.
  template <typename Wanted, typename First, typename Again>
  std::size_t resolve(const HtmlPage& page, const Url& own, Wanted wanted, First first, Again again) {
    const Url& base = document_base(page, own, base_);
    const Url* const outer = base.empty() ? nullptr : &base;
    std::size_t rejected = 0;
    seen_.begin();
    for (const HtmlLink& link : page.links) {
      if (!wanted(link)) continue;
      bool fresh = link.in_frame;  // whose queries may be written otherwise
      std::uint32_t frame_place = kNowhere;
      const std::string_view href = page.href(link);
      std::uint32_t& place = link.in_frame ? frame_place : seen_.find(HrefTable::target(href), fresh);
      if (!fresh) {
        if (place == kNowhere) {
          ++rejected;
        } else {
          again(link, place);
        }
      } else if (canonical_url(href, outer, url_, options_, page.query_encoding(link)) == UrlFault::kNone) {
        place = first(link, url_);
      } else {
        place = kNowhere;
        ++rejected;
      }
    }
    return rejected;
  }

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

 private:
  CanonicalOptions options_;
  HrefTable seen_;
  Url base_;
  Url url_;
};

}  // namespace bowerbird
