// Rewrites an archived response so that a browser can show it from another address: replaces URLs in
// pages, style sheets and SVG, and converts pages to UTF-8. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

#include "archive/capture_library.h"
#include "parse/html_rewrite.h"
#include "url/url.h"

namespace bowerbird {

struct RewrittenBody {
  std::string type;          // media type without parameters; empty: unknown
  std::string content_type;  // the field's value; empty: none
  std::string body;
  bool changed = false;  // false: `body` is the original body
};

// Whether it is of one of these types. first: the beginning of the body.
bool is_rewritten(std::string_view head, std::string_view first);

// url: of the response. Moves its body.
RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map);

}  // namespace bowerbird
