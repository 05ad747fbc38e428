// The links of a page for the crawler's queue: absolute, in canonical form.
//
// Problem: a page has a hundred links, and most of a crawl's URLs are seen this way. So the base is
// determined once per page, links with the same text are resolved once, and one Url object is used for all
// links: once its memory has grown, nothing is allocated. The base is the page's <base>, itself relative to
// the page's own URL (HTML standard 2.4.2, "document base URL"). Queries are written in the encoding of the
// page. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parse/href_table.h"
#include "parse/html_page.h"
#include "url/canonical.h"

namespace bowerbird {

// The base of the links of `page`: `own` (the URL it came from; empty: unknown), or `storage`, filled from
// its <base>. A <base> that is not an http or https URL is ignored.
const Url& document_base(const HtmlPage& page, const Url& own, Url& storage);

class LinkResolver {
 public:
  explicit LinkResolver(const CanonicalOptions& options = {}) : options_(options) {}

  // Visits the links of `page` in its order for which wanted(const HtmlLink&) is true. The first link to a
  // target is passed to first(const HtmlLink&, const Url&), which returns a number for it below kNowhere;
  // further links with the same text are passed to again(const HtmlLink&, std::uint32_t) with that number.
  // The Url is valid until the call returns. Invalid links (mailto:, javascript:, too long ...) are skipped;
  // returns their number.
  template <typename Wanted, typename First, typename Again>
  std::size_t resolve(const HtmlPage& page, const Url& own, Wanted wanted, First first, Again again) {
    const Url& base = document_base(page, own, base_);
    const Url* const outer = base.empty() ? nullptr : &base;
    std::size_t rejected = 0;
    seen_.begin();
    for (const HtmlLink& link : page.links) {
      if (!wanted(link)) continue;
      bool fresh = link.in_frame;  // whose queries may have another encoding
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
