// A response of an archive, changed so that a browser can show it from elsewhere: pages, style sheets and SVG
// get their URLs replaced, pages are converted to UTF-8. Pure; threads: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "archive/capture_library.h"
#include "archive/captured_body.h"
#include "parse/html_rewrite.h"
#include "url/url.h"

namespace bowerbird {

struct RewrittenBody {
  std::string type;          // media type without parameters; empty: not known
  std::string content_type;  // the field's value; empty: none
  std::string body;
  bool changed = false;  // else it is the body of the response
};

// Larger pages and style sheets are not shown: a body of a few kilobytes may be a gigabyte when its coding is
// undone, and rewriting needs several times its size.
constexpr std::size_t kLargestRewritten = std::size_t{32} << 20;

// Reads the body whole if it is rewritten, else the first `most` bytes or 64 KiB. An error: it is rewritten
// and larger than kLargestRewritten.
Status read_to_rewrite(CapturedBody& from, std::size_t most, ArchivedResponse& to);

// url: of the response. The body of the response is moved out.
RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map);

}  // namespace bowerbird
