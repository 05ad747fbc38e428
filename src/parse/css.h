// The URLs that a style sheet names: what must be fetched with it.
//
// Problem: a page is displayed with what its style sheets name, so url(), image-set(), @import and the
// sources of @font-face must be found as a browser finds them, in hostile input too. The text is read by the
// tokens of CSS Syntax Level 3 (section 4), without building a tree: escapes, comments, strings and unquoted
// URLs mean what they mean there, and a URL in a comment or in a string is none. Blocks are matched as in
// section 5; a closing bracket that does not fit the last open one is ignored. A URL in the prelude of an
// at-rule other than @import (@namespace, @document) names nothing to fetch. @import counts at the top level
// of a sheet, even behind other rules, where browsers ignore it.
// Linear in the size of the text; memory: a byte per open bracket, and the longest URL. Pure; threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace bowerbird {

enum class CssUse : std::uint8_t {
  kImport,  // another style sheet
  kFont,    // a source of @font-face
  kImage,   // everything else: backgrounds, borders, cursors, filters, masks
};

struct CssReference {
  CssUse use = CssUse::kImage;
  std::string_view url;  // escapes resolved; valid during the call
  std::size_t at = 0;    // where it stands in the text, without quotes and "url(", escapes as written
  std::size_t size = 0;
};

enum class CssPart : std::uint8_t {
  kSheet,         // a style sheet, or a <style> element
  kDeclarations,  // a style attribute: no rules
};

// The text of a style sheet in UTF-8: a view of `bytes` or of `storage`. Its encoding is that of its byte
// order mark, of the charset parameter of Content-Type (empty: none), of its @charset rule, or UTF-8
// (section 3.2).
std::string_view css_text(std::string_view bytes, std::string_view header_charset, std::string& storage);

// Calls take(reference) for each URL in the order of the text, which is UTF-8 (invalid bytes do no harm).
// URLs that are empty, begin with '#' or are data: URLs are left out: there is nothing to fetch.
void read_css(std::string_view css, CssPart part, const std::function<void(const CssReference&)>& take);

}  // namespace bowerbird
