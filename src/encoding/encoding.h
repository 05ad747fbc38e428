// The encodings of the Web: names and labels (WHATWG Encoding Standard, https://encoding.spec.whatwg.org/,
// section 4). decoder.h and encoder.h convert.
//
// Pure functions; returned views are valid for ever. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bowerbird {

// In the order of the standard's table of names and labels.
enum class Encoding : std::uint8_t {
  kUtf8,
  kIbm866,  // the first single-byte encoding
  kIso8859_2,
  kIso8859_3,
  kIso8859_4,
  kIso8859_5,
  kIso8859_6,
  kIso8859_7,
  kIso8859_8,
  kIso8859_8I,
  kIso8859_10,
  kIso8859_13,
  kIso8859_14,
  kIso8859_15,
  kIso8859_16,
  kKoi8R,
  kKoi8U,
  kMacintosh,
  kWindows874,
  kWindows1250,
  kWindows1251,
  kWindows1252,
  kWindows1253,
  kWindows1254,
  kWindows1255,
  kWindows1256,
  kWindows1257,
  kWindows1258,
  kXMacCyrillic,  // the last single-byte encoding
  kGbk,
  kGb18030,
  kBig5,
  kEucJp,
  kIso2022Jp,
  kShiftJis,
  kEucKr,
  kReplacementEncoding,  // "replacement": any input decodes to one U+FFFD
  kUtf16Be,
  kUtf16Le,
  kXUserDefined,
};

inline constexpr unsigned kEncodingCount = static_cast<unsigned>(Encoding::kXUserDefined) + 1;

// "windows-1252": the standard's name in lower case.
std::string_view encoding_name(Encoding encoding);

// The encoding of a label ("latin1" is windows-1252), case-insensitive, surrounding white space ignored.
std::optional<Encoding> encoding_of_label(std::string_view label);

constexpr bool is_utf16(Encoding encoding) {
  return encoding == Encoding::kUtf16Be || encoding == Encoding::kUtf16Le;
}

// Whether ASCII bytes always mean ASCII characters.
constexpr bool extends_ascii(Encoding encoding) {
  return !is_utf16(encoding) && encoding != Encoding::kReplacementEncoding &&
         encoding != Encoding::kIso2022Jp;
}

// The encoding in which a page sends data to servers: UTF-8 for those without an encoder (section 4.3, "get
// an output encoding").
constexpr Encoding output_encoding(Encoding encoding) {
  return is_utf16(encoding) || encoding == Encoding::kReplacementEncoding ? Encoding::kUtf8 : encoding;
}

}  // namespace bowerbird
