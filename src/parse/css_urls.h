// The URLs that a style sheet or a style attribute names: url(), @import and image-set().
//
// Problem: what a sheet needs has to be fetched, and in a replay its URLs have to be replaced, so both the
// text of each URL and the bytes that it takes are wanted. Input is split as CSS Syntax Level 3, section 4
// says (comments, strings, escapes, unquoted and bad URLs); no rule is judged, so a URL counts wherever it
// stands. Input is bytes taken for UTF-8. Linear in the input; memory is one byte per open bracket. Pure;
// threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace bowerbird {

enum class CssUrlKind : std::uint8_t {
  kImport,     // @import: another style sheet
  kFont,       // in @font-face
  kValue,      // in any other value: images, cursors, masks, filters
  kNamespace,  // @namespace: a name, nothing is fetched
};

struct CssUrl {
  CssUrlKind kind = CssUrlKind::kValue;
  // What it takes in the sheet: from "url(" to ")", or a string with its quotes. Either may be replaced by
  // css_url() or, where `is_string`, by css_string().
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_string = false;
  std::string_view url;  // escapes resolved, white space around it removed; valid during the call
};

// Calls `visit` for each, in order. Empty ones are left out.
void for_each_css_url(std::string_view css, const std::function<void(const CssUrl&)>& visit);

// "x" with what CSS needs escaped; never holds '<', '>', '&' or a line end, so that it can stand in HTML.
std::string css_string(std::string_view text);
// url("x")
std::string css_url(std::string_view text);

// The sheet with URLs replaced: `replace` puts the new URL into its second argument and returns true, or
// returns false to leave the URL as it is.
std::string replace_css_urls(std::string_view css,
                             const std::function<bool(const CssUrl& url, std::string& text)>& replace);

}  // namespace bowerbird
