// The links of a page as the crawler queues them: absolute, in canonical form.
//
// Problem: a page has a hundred links, and most of a crawl's URLs are seen this way; so the base is found
// once a page, and one Url serves all links: once its memory has grown, nothing is allocated.
// The base is the page's <base>, itself relative to the page's own URL (HTML standard 2.4.2, "document base
// URL"). Threads: one user at a time.
#pragma once

#include <cstddef>

#include "parse/html_page.h"
#include "url/canonical.h"

namespace bowerbird {

// What the links of `page` are relative to: `own` (the URL it came from; empty: not known), or `storage`,
// filled from its <base>. A <base> that is no http or https URL counts for nothing.
const Url& document_base(const HtmlPage& page, const Url& own, Url& storage);

class LinkResolver {
 public:
  explicit LinkResolver(const CanonicalOptions& options = {}) : options_(options) {}

  // Calls each(const HtmlLink&, const Url&) for the links of `page` in its order; the Url is good until the
  // call returns. Links that are turned down (mailto:, javascript:, too long ...) are left out; returns their
  // number.
  template <typename Each>
  std::size_t resolve(const HtmlPage& page, const Url& own, Each each) {
    const Url& base = document_base(page, own, base_);
    std::size_t rejected = 0;
    for (const HtmlLink& link : page.links) {
      if (canonical_url(page.href(link), base.empty() ? nullptr : &base, url_, options_) == UrlFault::kNone) {
        each(link, url_);
      } else {
        ++rejected;
      }
    }
    return rejected;
  }

 private:
  CanonicalOptions options_;
  Url base_;
  Url url_;
};

}  // namespace bowerbird
