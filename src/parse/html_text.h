// Decodes the bytes of a page: attribute values, and the visible text.
//
// For any input the output is valid UTF-8 without NUL. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bowerbird {

// Appends the value that the tokenizer would give an attribute written as `raw`: references resolved
// (13.2.5.36), line ends converted to LF (13.2.3.5), NUL and invalid UTF-8 to U+FFFD.
void append_attribute_value(std::string& out, std::string_view raw);

// Collects text with its white space collapsed: no blanks at the ends, one space or one line end between
// words. NUL is dropped (13.2.6.4.7). Our choices: it is dropped from a title too, and control characters and
// no-break spaces are white space.
class TextCollector {
 public:
  // Starts a new text in `out`, which must outlive the use and is cleared.
  void begin(std::string& out) {
    out_ = &out;
    out.clear();
    gap_ = Gap::kNone;
  }
  // Appends a piece of the page; a word may continue in the next piece. With `references`, "&lt;" and similar
  // are resolved.
  void append(std::string_view raw, bool references);
  // Appends a piece of preformatted text: its blanks and line ends are kept.
  void append_preformatted(std::string_view raw, bool references);
  // Starts a new word, or a new line.
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

// How much of a piece of text can be read without knowing the bytes after it: the rest is an incomplete
// reference or character.
std::size_t complete_text(std::string_view raw, bool references);

}  // namespace bowerbird
