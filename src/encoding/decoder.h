// From bytes in any encoding of the Web to UTF-8, as the Encoding Standard's decoders do (sections 8 to 14).
//
// Any bytes are input, and what comes out is valid UTF-8: what cannot be read becomes U+FFFD. Output is at
// most three bytes for each byte of input. A byte order mark is a character like any other. Bytes may come in
// pieces: the result does not depend on how they are cut. Threads: one user of a TextDecoder at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "encoding/encoding.h"

namespace bowerbird {

class TextDecoder {
 public:
  explicit TextDecoder(Encoding encoding) : encoding_(encoding) {}

  // Appends the text of the next bytes to `utf8`. `last`: no more will follow.
  void decode(std::string_view bytes, std::string& utf8, bool last);

 private:
  // Where ISO-2022-JP is; the other encodings have no state between characters.
  enum class CharacterSet : unsigned char { kAscii, kRoman, kKatakana, kJis0208 };

  // Returns how many bytes were read: all but an unfinished character at the end.
  std::size_t read(std::string_view bytes, std::string& utf8, bool last);
  std::size_t read_iso_2022_jp(std::string_view bytes, std::string& utf8, bool last);
  bool read_escape(std::string_view bytes, char32_t& error);

  Encoding encoding_;
  std::string pending_;  // the unfinished character, at most three bytes
  CharacterSet set_ = CharacterSet::kAscii;
  bool escaped_ = false;   // ISO-2022-JP: nothing was read since the last escape sequence
  bool replaced_ = false;  // replacement: its one U+FFFD was written
};

// The whole of a text at once.
void append_decoded(std::string& utf8, Encoding encoding, std::string_view bytes);

}  // namespace bowerbird
