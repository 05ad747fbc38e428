// Reads an XHTML page as XML (XML 1.0, Namespaces in XML 1.0) and extracts its content for a crawler: there
// <script src="x.js"/> is an element without content, and "<A>" is not a link.
//
// Expat does the parsing. Elements in no namespace count as XHTML's (our choice). The named character
// references of HTML are known, as in browsers, whether the page has a DOCTYPE or not. Entities that the page
// declares are expanded within limits. Nothing outside the page is ever read. A page that is not well-formed,
// or exceeds a limit, is not read at all: the caller reads it as HTML instead. Ownership: as HtmlScanner.
// Threads: one user at a time.
#pragma once

#include <string_view>

#include "parse/html_builder.h"
#include "parse/html_page.h"

namespace bowerbird {

class XhtmlReader {
 public:
  explicit XhtmlReader(HtmlOptions options = {}) : options_(std::move(options)) {}

  // Reads a page in UTF-8, without a byte order mark. False if it cannot be read as XML; then `page` contains
  // some beginning of it.
  bool read(std::string_view utf8, HtmlPage& page);

 private:
  class Parse;

  HtmlOptions options_;
  PageBuilder builder_;
};

// Whether the root element has the namespace of XHTML; the bytes must be in an encoding that extends ASCII.
bool has_xhtml_root(std::string_view bytes);

}  // namespace bowerbird
