// From the bytes of a page, as they came, to what it says: encoding, conversion, scan.
//
// Converted text lives in the reader until the next read. To be used for many pages, one after the other: its
// buffers keep their memory. Threads: one user at a time.
#pragma once

#include <string>
#include <string_view>

#include "parse/charset.h"
#include "parse/html_page.h"
#include "parse/html_scanner.h"

namespace bowerbird {

// What is known of the encoding from outside the page; labels, empty where nothing is.
struct CharsetHints {
  std::string_view header;  // the charset parameter of Content-Type
  std::string_view user;    // what the user insists on
};

class PageReader {
 public:
  explicit PageReader(HtmlOptions options = {}) : scanner_(std::move(options)) {}

  // Reads `bytes` into `page`; says in which encoding.
  CharsetChoice read(std::string_view bytes, const CharsetHints& hints, HtmlPage& page);

  // The page as it was scanned, of the last read: in UTF-8, but not freed of invalid bytes where it was so
  // already. A view of `bytes` or of the reader.
  std::string_view utf8() const { return utf8_; }

 private:
  void scan_as(const CharsetChoice& choice, std::string_view bytes, HtmlPage& page);

  HtmlScanner scanner_;
  std::string converted_;
  std::string_view utf8_;
};

}  // namespace bowerbird
