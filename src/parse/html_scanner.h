// Reads a page of HTML as the tokenizer of the HTML standard does (13.2.5) and gathers what it says to a
// crawler.
//
// No tree is built: a tag counts where it stands. Our choices: scripts do not run, so <noscript> holds markup
// (13.2.6.4.7, scripting disabled); links inside <template> count, and those of <iframe srcdoc>, as if they
// stood in the page, whose base they share.
//
// Input is bytes taken for UTF-8 (read_page in page_reader.h finds the encoding and converts), whole or in
// pieces; the result does not depend on how they are cut. Between pieces only an unfinished tag, reference or
// character is kept, and no byte is looked at more than a constant number of times. After begin() the page is
// the scanner's until finish(). A scanner and a page that are used again allocate nothing once their buffers
// have grown. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parse/html_builder.h"
#include "parse/html_foreign.h"
#include "parse/html_page.h"
#include "parse/html_tag.h"

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
  // Where the next byte stands.
  enum class State : unsigned char {
    kData,
    kRawText,    // up to the end tag of raw_: no references
    kRcdata,     // up to the end tag of raw_: references
    kScript,     // up to </script>
    kPlaintext,  // to the end
    kComment,    // up to "-->" or "--!>"
    kBogus,      // bogus comment, DOCTYPE: up to '>'
    kCdata,      // up to "]]>"
  };

  // Each reads from p as far as [p, end_) allows and returns how far it came: what follows, or by wait() the
  // beginning of what cannot be read without more bytes (never when last_ is set).
  const char* run(const char* p);
  const char* data(const char* p);
  const char* tag(const char* p);
  const char* end_tag_open(const char* p);
  const char* markup_declaration(const char* p);
  const char* raw_text(const char* p);
  const char* raw_end_tag(const char* lt);
  const char* raw_piece(const char* p, const char* stop);
  const char* script(const char* p);
  const char* comment(const char* p);
  const char* bogus(const char* p);
  const char* cdata(const char* p);
  const char* visible(const char* p, const char* stop, bool references);
  const char* wait(const char* p) {
    waiting_ = true;
    return p;
  }

  void start_tag(std::string_view name);
  void end_tag(std::string_view name);
  void enter_raw();
  void complete();

  HtmlOptions options_;
  std::uint16_t kept_flags_;  // tags with any of these have their attributes read
  std::uint16_t told_flags_;  // tags with any of these mean something to the builder
  PageBuilder builder_;
  ForeignContent foreign_;
  TagNames used_;  // outside SVG and MathML
  HtmlTag tag_;
  HtmlPage* page_ = nullptr;
  State state_ = State::kData;
  const TagInfo* raw_ = nullptr;  // the element whose raw text is being read
  int script_level_ = 0;          // 0 script data, 1 escaped, 2 double escaped
  const char* end_ = nullptr;
  bool last_ = false;
  bool waiting_ = false;      // run() stopped for want of more bytes
  std::size_t taken_ = 0;     // bytes of the page so far
  std::string pending_;       // fed, not yet read
  std::size_t retry_at_ = 0;  // size of pending_ at which reading on is worth while
};

// Adds the links of the page's frames to it, each where its frame stands. `options` are those of the page.
void read_frames(HtmlPage& page, const HtmlOptions& options);

}  // namespace bowerbird
