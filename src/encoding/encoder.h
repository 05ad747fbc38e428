// Converts characters to bytes in any encoding of the Web, like the Encoding Standard's encoders (sections 8
// to 14), as far as URLs need it.
//
// UTF-16 and "replacement" have no encoder; output_encoding() returns the encoding to use instead. Threads:
// one user of a TextEncoder at a time.
#pragma once

#include <string>

#include "encoding/encoding.h"

namespace bowerbird {

class TextEncoder {
 public:
  // `encoding` is an output_encoding().
  explicit TextEncoder(Encoding encoding);

  // Appends the bytes of a character and returns 0. If the encoding lacks it, appends at most a change of
  // character set and returns the code point to report.
  char32_t encode(char32_t code_point, std::string& bytes);
  // Appends what is needed at the end of the text.
  void finish(std::string& bytes);

 private:
  // The state of ISO-2022-JP; the other encodings have no state between characters.
  enum class CharacterSet : unsigned char { kAscii, kRoman, kJis0208 };

  char32_t encode_iso_2022_jp(char32_t code_point, std::string& bytes);
  void select(CharacterSet set, std::string& bytes);

  Encoding encoding_;
  CharacterSet set_ = CharacterSet::kAscii;
};

}  // namespace bowerbird
