// From characters to bytes in any encoding of the Web, as the Encoding Standard's encoders do (sections 8 to
// 14): what URLs need of it.
//
// UTF-16 and "replacement" have no encoder; output_encoding() says what to use instead. Threads: one user of
// a TextEncoder at a time.
#pragma once

#include <string>

#include "encoding/encoding.h"

namespace bowerbird {

class TextEncoder {
 public:
  // `encoding` is an output_encoding().
  explicit TextEncoder(Encoding encoding);

  // Appends the bytes of a character. Where the encoding lacks it, nothing but a change of character set is
  // appended and the code point to be reported is returned, else 0.
  char32_t encode(char32_t code_point, std::string& bytes);
  // Appends what is needed at the end.
  void finish(std::string& bytes);

 private:
  // Where ISO-2022-JP is; the other encodings have no state between characters.
  enum class CharacterSet : unsigned char { kAscii, kRoman, kJis0208 };

  char32_t encode_iso_2022_jp(char32_t code_point, std::string& bytes);
  void select(CharacterSet set, std::string& bytes);

  Encoding encoding_;
  CharacterSet set_ = CharacterSet::kAscii;
};

}  // namespace bowerbird
