// Repairs common mistakes in handwritten XML.
//
// An '&' that does not start a reference ("?a=1&b=2") becomes "&amp;", and a character that XML does not
// allow becomes U+FFFD, so that neither ends the file. CDATA sections and comments keep their '&'.
// Well-formed XML without declarations is not changed. UTF-8 arrives in pieces, and the output does not
// depend on how it is split; between pieces a few bytes are kept. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bowerbird {

class XmlRepair {
 public:
  // Appends the next piece to `out`, except an incomplete end. `last`: there are no more.
  void push(std::string_view piece, std::string& out, bool last);

 private:
  enum class State : unsigned char { kContent, kCdata, kComment };

  // Reads the special byte at the front of `rest`; returns how many bytes were read, 0 if more are needed.
  std::size_t special(std::string_view rest, std::string& out, bool last);
  std::size_t ampersand(std::string_view rest, std::string& out, bool last);
  std::size_t markup(std::string_view rest, std::string& out, bool last);
  std::size_t close(std::string_view rest, std::string_view mark, std::string& out, bool last);

  State state_ = State::kContent;
  std::string pending_;
};

}  // namespace bowerbird
