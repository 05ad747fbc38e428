// Reads a page of HTML and gathers what it says to a crawler: links, directives, title, text.
//
// No tree is built: a tag counts where it stands. Links inside <template> count, and those of <iframe
// srcdoc>, as if they stood in the page, whose base they share. html_tokenizer.h says how bytes become tags
// and text. Input is bytes taken for UTF-8 (PageReader in page_reader.h finds the encoding and converts).
// After begin() the page is the scanner's until finish(). A scanner and a page that are used again allocate
// nothing once their buffers have grown. Threads: one user at a time.
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

// Adds the links of the page's frames to it, each where its frame stands. `options` are those of the page.
void read_frames(HtmlPage& page, const HtmlOptions& options);

}  // namespace bowerbird
