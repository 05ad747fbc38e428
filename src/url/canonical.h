// The canonical form of a URL: one text for the many spellings under which the same page is linked.
//
// Problem: a crawler that knows a page under five URLs fetches it five times and splits its importance.
// docs/urls.md defines the form: the WHATWG parse, then no fragment, no user and password, no dot at the end
// of the host, RFC 3986's normal form of escapes, no session identifiers and tracking parameters
// (parameter_rules.h), no empty parameters, no empty query. URLs that are too long and hosts that cannot be
// in the DNS are rejected. Everything else (the order of parameters, "index.html", "www.", a slash at the
// end) may make a difference to the server and stays. Invariant: canonical text is a valid RFC 3986 URI, and
// its own canonical form. Pure; threads: any.
#pragma once

#include <cstddef>
#include <string_view>

#include "url/url.h"

namespace bowerbird {

struct CanonicalOptions {
  bool drop_tracking = true;
  bool drop_sessions = true;
  std::size_t max_length = 2048;  // bytes of the canonical text; sitemaps.org sets the same limit
};

// The canonical form of `link` as found on the page `base` (null: none) in `encoding`. As parse_url: after a
// fault `url` is empty; `base` and `url` must not be the same object.
UrlFault canonical_url(std::string_view link, const Url* base, Url& url, const CanonicalOptions& options = {},
                       Encoding encoding = Encoding::kUtf8);

// The same for a parsed URL.
UrlFault make_canonical(Url& url, const CanonicalOptions& options = {});

}  // namespace bowerbird
