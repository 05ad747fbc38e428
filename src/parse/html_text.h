// From the bytes of a page to the characters they mean: attribute values, and the text a reader sees.
//
// Whatever the bytes are, what comes out is valid UTF-8 without NUL. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bowerbird {

// Appends the value that the tokenizer would give to an attribute written as `raw`: references resolved
// (13.2.5.36), line ends made LF (13.2.3.5), NUL and invalid UTF-8 made U+FFFD.
void append_attribute_value(std::string& out, std::string_view raw);

// Collects text with its white space collapsed: no blanks at the ends, one space or one line end between
// words. NUL is dropped (13.2.6.4.7), also from a title (choice of the house); choice of the house: control
// characters and no-break spaces are white space.
class TextCollector {
 public:
  // Starts anew; the text goes to `out`, which must outlive the use and is emptied.
  void begin(std::string& out) {
    out_ = &out;
    out.clear();
    gap_ = Gap::kNone;
  }
  // Appends a piece of the page; a word may go on in the next piece. With `references`, "&lt;" and such are
  // resolved.
  void append(std::string_view raw, bool references);
  // Appends a piece of preformatted text: its blanks and line ends are kept.
  void append_preformatted(std::string_view raw, bool references);
  // What follows is a word of its own, or stands on a line of its own.
  void break_word() {
    if (gap_ == Gap::kNone) gap_ = Gap::kSpace;
  }
  void break_line() { gap_ = Gap::kLine; }
  std::size_t size() const { return out_->size(); }

 private:
  enum class Gap : unsigned char { kNone, kSpace, kLine };

  char* put_gap(char* at, bool at_start);
  const char* append_block(const char* p, const char* limit, const char* end, bool references);

  std::string* out_ = nullptr;
  Gap gap_ = Gap::kNone;
};

// Of a piece of text that more bytes may follow, how much can be read without knowing them: the rest is the
// beginning of a reference or of a character.
std::size_t complete_text(std::string_view raw, bool references);

}  // namespace bowerbird
