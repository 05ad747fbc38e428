// Reads a page of XHTML by the rules of XML (XML 1.0, Namespaces in XML 1.0) and gathers what it says to a
// crawler: <script src="x.js"/> is an element without content there, and "<A>" no link.
//
// Expat does the parsing. Elements in no namespace count as XHTML's (our choice). The named character
// references of HTML are known, as in browsers, whether the page has a DOCTYPE or not; entities that the page
// declares are expanded within bounds; nothing outside the page is ever read. A page that is not well-formed,
// or exceeds a bound, is not read at all: the caller reads it as HTML instead.
// Ownership: as HtmlScanner. Threads: one user at a time.
#pragma once

#include <string_view>

#include "parse/html_builder.h"
#include "parse/html_page.h"

namespace bowerbird {

class XhtmlReader {
 public:
  explicit XhtmlReader(HtmlOptions options = {}) : options_(std::move(options)) {}

  // Reads a page in UTF-8, without a byte order mark. False where it cannot be read as XML; then `page` has
  // some beginning of it.
  bool read(std::string_view utf8, HtmlPage& page);

 private:
  class Parse;

  HtmlOptions options_;
  PageBuilder builder_;
};

// Whether the root element names the namespace of XHTML; the bytes must be in an encoding that extends ASCII.
bool has_xhtml_root(std::string_view bytes);

}  // namespace bowerbird
