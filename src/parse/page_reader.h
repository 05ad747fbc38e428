// Reads a page from its bytes: detects the encoding, converts and scans.
//
// XHTML is read as XML; if it is not well-formed, it is read as HTML from its first byte. Converted text is
// kept in the reader until the next read. Reuse a reader for many pages: its buffers keep their memory.
// Threads: one user at a time.
#pragma once

#include <string>
#include <string_view>

#include "parse/charset.h"
#include "parse/html_page.h"
#include "parse/html_scanner.h"
#include "parse/xhtml_reader.h"

namespace bowerbird {

// What is known about a page from outside; labels of encodings are empty if unknown.
struct ReadingHints {
  std::string_view header_charset;  // the charset parameter of Content-Type
  std::string_view user_charset;    // the user's choice
  bool xhtml = false;               // sent as application/xhtml+xml
};

class PageReader {
 public:
  explicit PageReader(const HtmlOptions& options = {}) : scanner_(options), xhtml_(options) {}

  // Reads `bytes` into `page`; returns the encoding.
  CharsetChoice read(std::string_view bytes, const ReadingHints& hints, HtmlPage& page);

  // Only detects the encoding and converts, for utf8() and scan(). False if the encoding is known only after
  // a read().
  bool decode(std::string_view bytes, const ReadingHints& hints);
  // Reads what was decoded into `page`, as read() does.
  void scan(HtmlPage& page);

  // The page of the last read as it was scanned: in UTF-8, but with invalid bytes if it was UTF-8 already. A
  // view of `bytes` or of the reader.
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
  Encoding decoded_ = Encoding::kUtf8;  // by decode()
};

}  // namespace bowerbird
