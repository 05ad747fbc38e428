// Reads an HTML page and extracts its content for a crawler: links, directives, title, text.
//
// No tree is built: a tag counts wherever it is. Links inside <template> and <iframe srcdoc> count as links
// of the page, whose base they share. html_tokenizer.h describes how bytes become tags and text. Input is
// decoded as UTF-8 (PageReader in page_reader.h finds the encoding and converts). Between begin() and
// finish() the scanner owns the page. When scanner and page are reused, they allocate nothing once their
// buffers have grown. Threads: one user at a time.
#pragma once

#include <string_view>

#include "parse/html_builder.h"
#include "parse/html_page.h"
#include "parse/html_tokenizer.h"

namespace bowerbird {

class HtmlScanner {
 public:
  explicit HtmlScanner(HtmlOptions options = {});

  // A whole page at once.
  void scan(std::string_view html, HtmlPage& page);

  // A page in pieces.
  void begin(HtmlPage& page);
  void feed(std::string_view piece);
  void finish();

 private:
  void complete();

  HtmlOptions options_;
  HtmlTokenizer<PageBuilder> tokenizer_;
  HtmlPage* page_ = nullptr;
};

// Adds the links of the page's frames, each at the position of its frame. `options` are those of the page.
void read_frames(HtmlPage& page, const HtmlOptions& options);

}  // namespace bowerbird
