// A response of an archive, changed so that a browser can show it from elsewhere: pages, style sheets and SVG
// get their URLs replaced, pages are converted to UTF-8. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

#include "archive/capture_library.h"
#include "parse/html_rewrite.h"
#include "url/url.h"

namespace bowerbird {

struct RewrittenBody {
  std::string type;          // media type without parameters; empty: not known
  std::string content_type;  // the field's value; empty: none
  std::string body;
  bool changed = false;  // else it is the body of the response
};

// Whether it is one of those. first: the beginning of the body.
bool is_rewritten(std::string_view head, std::string_view first);

// url: of the response. The body of the response is moved out.
RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map);

}  // namespace bowerbird
