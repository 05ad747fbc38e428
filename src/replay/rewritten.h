// Rewrites an archived response so that a browser can show it from another address: replaces URLs in
// pages, style sheets and SVG, and converts pages to UTF-8. Pure; threads: any.
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
  std::string type;          // media type without parameters; empty: unknown
  std::string content_type;  // the field's value; empty: none
  std::string body;
  bool changed = false;  // false: `body` is the original body
};

// Larger pages and style sheets are not shown: a compressed body of a few kilobytes may decompress to a
// gigabyte, and rewriting needs several times its size.
constexpr std::size_t kLargestRewritten = std::size_t{32} << 20;

// Reads the whole body if it will be rewritten, otherwise the first `most` bytes or 64 KiB. An error: it would
// be rewritten, but is larger than kLargestRewritten.
Status read_to_rewrite(CapturedBody& from, std::size_t most, ArchivedResponse& to);

// url: of the response. Moves its body.
RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map);

}  // namespace bowerbird
