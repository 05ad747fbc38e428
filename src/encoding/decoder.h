// Converts bytes in any encoding of the Web to UTF-8, like the Encoding Standard's decoders (sections 8 to
// 14).
//
// Any bytes are accepted, and the output is valid UTF-8: what cannot be decoded becomes U+FFFD. Output is at
// most three bytes per input byte. A byte order mark is an ordinary character. Bytes may arrive in pieces:
// the result does not depend on how they are split. Threads: one user of a TextDecoder at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "encoding/encoding.h"

namespace bowerbird {

class TextDecoder {
 public:
  explicit TextDecoder(Encoding encoding) : encoding_(encoding) {}

  // Appends the decoded next bytes to `utf8`. `last`: there are no more.
  void decode(std::string_view bytes, std::string& utf8, bool last);

 private:
  // The state of ISO-2022-JP; the other encodings have no state between characters.
  enum class CharacterSet : unsigned char { kAscii, kRoman, kKatakana, kJis0208 };

  // Returns how many bytes were read: all except an incomplete character at the end.
  std::size_t read(std::string_view bytes, std::string& utf8, bool last);
  std::size_t read_iso_2022_jp(std::string_view bytes, std::string& utf8, bool last);
  bool read_escape(std::string_view bytes, char32_t& error);

  Encoding encoding_;
  std::string pending_;  // the incomplete character, at most three bytes
  CharacterSet set_ = CharacterSet::kAscii;
  bool escaped_ = false;   // ISO-2022-JP: nothing was read since the last escape sequence
  bool replaced_ = false;  // replacement: its single U+FFFD was written
};

// Decodes a whole text at once.
void append_decoded(std::string& utf8, Encoding encoding, std::string_view bytes);

}  // namespace bowerbird
