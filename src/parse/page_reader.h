// From the bytes of a page, as they came, to what it says: encoding, conversion, scan.
//
// XHTML is read by XML rules; where it is not well-formed, it is read as HTML from its first byte.
// Converted text lives in the reader until the next read. To be used for many pages, one after the other: its
// buffers keep their memory. Threads: one user at a time.
#pragma once

#include <string>
#include <string_view>

#include "parse/charset.h"
#include "parse/html_page.h"
#include "parse/html_scanner.h"
#include "parse/xhtml_reader.h"

namespace bowerbird {

// What is known of a page from outside; labels of encodings are empty where nothing is.
struct ReadingHints {
  std::string_view header_charset;  // the charset parameter of Content-Type
  std::string_view user_charset;    // what the user insists on
  bool xhtml = false;               // sent as application/xhtml+xml
};

class PageReader {
 public:
  explicit PageReader(const HtmlOptions& options = {}) : scanner_(options), xhtml_(options) {}

  // Reads `bytes` into `page`; says in which encoding.
  CharsetChoice read(std::string_view bytes, const ReadingHints& hints, HtmlPage& page);

  // The page as it was scanned, of the last read: in UTF-8, but not freed of invalid bytes where it was so
  // already. A view of `bytes` or of the reader.
  std::string_view utf8() const { return utf8_; }

 private:
  void convert(const CharsetChoice& choice, std::string_view bytes);
  bool read_xhtml(std::string_view bytes, const CharsetChoice& choice, HtmlPage& page);
  CharsetChoice read_html(std::string_view bytes, const ReadingHints& hints, HtmlPage& page);
  void scan_as(const CharsetChoice& choice, std::string_view bytes, HtmlPage& page);

  HtmlScanner scanner_;
  XhtmlReader xhtml_;
  std::string converted_;
  std::string_view utf8_;
};

}  // namespace bowerbird
