#include "encoding/decoder.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "encoding/indexes.h"

namespace bowerbird {

namespace {

// Collects characters in a block before they are appended to the text.
class Utf8Writer {
 public:
  explicit Utf8Writer(std::string& out) : out_(out) {}
  ~Utf8Writer() { flush(); }
  Utf8Writer(const Utf8Writer&) = delete;
  Utf8Writer& operator=(const Utf8Writer&) = delete;

  void put(char32_t code_point) {
    if (std::end(block_) - at_ < 4) flush();
    at_ += encode_utf8(code_point, at_);
  }
  void put_ascii(std::string_view text) {
    if (text.empty()) return;
    flush();
    out_ += text;
  }

 private:
  void flush() {
    out_.append(block_, at_);
    at_ = block_;
  }

  std::string& out_;
  char block_[1024];
  char* at_ = block_;
};

// The character at the front of a text; U+FFFD if the bytes are invalid.
struct Character {
  std::size_t size;  // its length in bytes; 0: more bytes are needed
  char32_t code_point = kReplacement;
  char32_t second = 0;  // Big5: the second code point
};

constexpr Character kUnfinished{0};

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

constexpr bool is_within(unsigned byte, unsigned low, unsigned high) {
  return byte >= low && byte <= high;
}

// A pair of bytes without a code point in the index. An ASCII byte is read again, so that it cannot be
// swallowed.
Character unknown_pair(unsigned trail) {
  return {trail < 0x80 ? std::size_t{1} : std::size_t{2}};
}

Character known_or_not(char32_t code_point, unsigned trail) {
  return code_point != 0 ? Character{2, code_point} : unknown_pair(trail);
}

// Section 10.2.1; "index gb18030 ranges code point".
char32_t gb18030_range_code_point(unsigned pointer) {
  if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return kReplacement;
  if (pointer == 7457) return 0xE7C7;
  if (pointer >= 189000) return 0x10000 + pointer - 189000;
  const Gb18030Range* after =
      std::upper_bound(std::begin(kGb18030Ranges), std::end(kGb18030Ranges), pointer,
                       [](unsigned wanted, const Gb18030Range& range) { return wanted < range.pointer; });
  return after[-1].code_point + (pointer - after[-1].pointer);
}

// The second byte is from 0x30 to 0x39: four bytes, or an error of one.
Character read_gb18030_four(std::string_view bytes) {
  if (bytes.size() < 3) return kUnfinished;
  if (!is_within(byte_at(bytes, 2), 0x81, 0xFE)) return {1};
  if (bytes.size() < 4) return kUnfinished;
  if (!is_within(byte_at(bytes, 3), 0x30, 0x39)) return {1};
  const unsigned pointer = (byte_at(bytes, 0) - 0x81) * 12600 + (byte_at(bytes, 1) - 0x30) * 1260 +
                           (byte_at(bytes, 2) - 0x81) * 10 + (byte_at(bytes, 3) - 0x30);
  return {4, gb18030_range_code_point(pointer)};
}

// Each of the following reads the character at the front of `bytes`, whose first byte is not ASCII.

Character read_gb18030(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (lead == 0x80) return {1, 0x20AC};
  if (lead == 0xFF) return {1};
  if (bytes.size() < 2) return kUnfinished;
  const unsigned trail = byte_at(bytes, 1);
  if (is_within(trail, 0x30, 0x39)) return read_gb18030_four(bytes);
  if (trail < 0x40 || trail == 0x7F || trail == 0xFF) return unknown_pair(trail);
  return known_or_not(kGb18030Index[(lead - 0x81) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41)], trail);
}

// Section 11.1.1: pointers to two code points.
Character big5_two(unsigned pointer) {
  switch (pointer) {
    case 1133:
      return {2, 0xCA, 0x304};
    case 1135:
      return {2, 0xCA, 0x30C};
    case 1164:
      return {2, 0xEA, 0x304};
    case 1166:
      return {2, 0xEA, 0x30C};
    default:
      return kUnfinished;
  }
}

Character read_big5(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (!is_within(lead, 0x81, 0xFE)) return {1};
  if (bytes.size() < 2) return kUnfinished;
  const unsigned trail = byte_at(bytes, 1);
  if (!is_within(trail, 0x40, 0x7E) && !is_within(trail, 0xA1, 0xFE)) return unknown_pair(trail);
  const unsigned pointer = (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
  if (const Character two = big5_two(pointer); two.size > 0) return two;
  return known_or_not(kBig5Index[pointer], trail);
}

// 0x8F and two more bytes: JIS X 0212.
Character read_jis0212(std::string_view bytes) {
  if (bytes.size() < 3) return kUnfinished;
  const unsigned lead = byte_at(bytes, 1), trail = byte_at(bytes, 2);
  const char32_t code_point =
      is_within(trail, 0xA1, 0xFE) ? kJis0212Index[(lead - 0xA1) * 94 + trail - 0xA1] : 0;
  if (code_point != 0) return {3, code_point};
  return {1 + unknown_pair(trail).size};
}

Character read_euc_jp(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (lead != 0x8E && lead != 0x8F && !is_within(lead, 0xA1, 0xFE)) return {1};
  if (bytes.size() < 2) return kUnfinished;
  const unsigned trail = byte_at(bytes, 1);
  if (!is_within(trail, 0xA1, 0xFE)) return unknown_pair(trail);
  if (lead == 0x8E) return trail <= 0xDF ? Character{2, 0xFF61 - 0xA1 + trail} : unknown_pair(trail);
  if (lead == 0x8F) return read_jis0212(bytes);
  return known_or_not(kJis0208Index[(lead - 0xA1) * 94 + trail - 0xA1], trail);
}

Character read_shift_jis(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (lead == 0x80) return {1, 0x80};
  if (is_within(lead, 0xA1, 0xDF)) return {1, 0xFF61 - 0xA1 + lead};
  if (lead == 0xA0 || lead > 0xFC) return {1};
  if (bytes.size() < 2) return kUnfinished;
  const unsigned trail = byte_at(bytes, 1);
  if (trail < 0x40 || trail == 0x7F || trail > 0xFC) return unknown_pair(trail);
  const unsigned pointer = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
  if (is_within(pointer, 8836, 10715)) return {2, 0xE000 - 8836 + pointer};
  return known_or_not(kJis0208Index[pointer], trail);
}

Character read_euc_kr(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (!is_within(lead, 0x81, 0xFE)) return {1};
  if (bytes.size() < 2) return kUnfinished;
  const unsigned trail = byte_at(bytes, 1);
  if (!is_within(trail, 0x41, 0xFE)) return unknown_pair(trail);
  const unsigned pointer = (lead - 0x81) * 190 + trail - 0x41;
  return known_or_not(pointer < std::size(kEucKrIndex) ? kEucKrIndex[pointer] : 0, trail);
}

// Section 14.2.1, "shared UTF-16 decoder".
template <bool big_endian>
Character read_utf16(std::string_view bytes) {
  const auto unit = [&](std::size_t i) -> char32_t {
    const unsigned a = byte_at(bytes, i), b = byte_at(bytes, i + 1);
    return big_endian ? a << 8 | b : b << 8 | a;
  };
  if (bytes.size() < 2) return kUnfinished;
  const char32_t first = unit(0);
  if (first < 0xD800 || first > 0xDFFF) return {2, first};
  if (first >= 0xDC00) return {2};
  if (bytes.size() < 4) return kUnfinished;
  const char32_t second = unit(2);
  if (second < 0xDC00 || second > 0xDFFF) return {2};
  return {4, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)};
}

// Reads complete characters with `read`; if `last`, an incomplete rest becomes U+FFFD.
template <bool ascii, typename Read>
std::size_t read_characters(std::string_view bytes, std::string& utf8, bool last, Read read) {
  Utf8Writer writer(utf8);
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (ascii && byte_at(bytes, at) < 0x80) {
      const std::size_t run = ascii_run(bytes.substr(at));
      writer.put_ascii(bytes.substr(at, run));
      at += run;
      continue;
    }
    const Character character = read(bytes.substr(at));
    if (character.size == 0 && !last) return at;
    writer.put(character.code_point);
    if (character.second != 0) writer.put(character.second);
    at = character.size == 0 ? bytes.size() : at + character.size;
  }
  return at;
}

}  // namespace

void TextDecoder::decode(std::string_view bytes, std::string& utf8, bool last) {
  if (pending_.empty()) {
    pending_ = bytes.substr(read(bytes, utf8, last));
  } else {
    pending_ += bytes;
    pending_.erase(0, read(pending_, utf8, last));
  }
}

std::size_t TextDecoder::read(std::string_view bytes, std::string& utf8, bool last) {
  switch (encoding_) {
    case Encoding::kUtf8:
      if (!last) bytes.remove_suffix(incomplete_utf8_tail(bytes));
      append_as_valid_utf8(utf8, bytes);
      return bytes.size();
    case Encoding::kGbk:
    case Encoding::kGb18030:
      return read_characters<true>(bytes, utf8, last, read_gb18030);
    case Encoding::kBig5:
      return read_characters<true>(bytes, utf8, last, read_big5);
    case Encoding::kEucJp:
      return read_characters<true>(bytes, utf8, last, read_euc_jp);
    case Encoding::kIso2022Jp:
      return read_iso_2022_jp(bytes, utf8, last);
    case Encoding::kShiftJis:
      return read_characters<true>(bytes, utf8, last, read_shift_jis);
    case Encoding::kEucKr:
      return read_characters<true>(bytes, utf8, last, read_euc_kr);
    case Encoding::kReplacementEncoding:
      if (!bytes.empty() && !replaced_) append_utf8(utf8, kReplacement);
      replaced_ = replaced_ || !bytes.empty();
      return bytes.size();
    case Encoding::kUtf16Be:
      return read_characters<false>(bytes, utf8, last, read_utf16<true>);
    case Encoding::kUtf16Le:
      return read_characters<false>(bytes, utf8, last, read_utf16<false>);
    case Encoding::kXUserDefined:
      return read_characters<true>(bytes, utf8, last, [](std::string_view rest) {
        return Character{1, 0xF780 + byte_at(rest, 0) - 0x80};
      });
    default:
      return read_characters<true>(bytes, utf8, last,
                                   [index = single_byte_index(encoding_)](std::string_view rest) {
                                     const char16_t code_point = index[byte_at(rest, 0) - 0x80];
                                     return code_point != 0 ? Character{1, code_point} : Character{1};
                                   });
  }
}

// Section 12.2.1. The standard's escape states, which read byte by byte, are handled in one piece.
std::size_t TextDecoder::read_iso_2022_jp(std::string_view bytes, std::string& utf8, bool last) {
  Utf8Writer writer(utf8);
  std::size_t at = 0;
  while (at < bytes.size()) {
    const unsigned byte = byte_at(bytes, at);
    const std::string_view rest = bytes.substr(at);
    if (byte == 0x1B) {
      if (rest.size() < 3 && !last) return at;
      char32_t error = 0;
      at += read_escape(rest, error) ? 3 : 1;
      if (error != 0) writer.put(error);
      continue;
    }
    escaped_ = false;
    ++at;
    const bool ascii = byte < 0x80 && byte != 0x0E && byte != 0x0F;
    switch (set_) {
      case CharacterSet::kAscii:
        writer.put(ascii ? byte : kReplacement);
        break;
      case CharacterSet::kRoman:
        writer.put(byte == 0x5C ? 0xA5 : byte == 0x7E ? 0x203E : ascii ? byte : kReplacement);
        break;
      case CharacterSet::kKatakana:
        writer.put(is_within(byte, 0x21, 0x5F) ? 0xFF61 - 0x21 + byte : kReplacement);
        break;
      case CharacterSet::kJis0208: {
        char32_t code_point = kReplacement;
        if (is_within(byte, 0x21, 0x7E)) {
          if (at == bytes.size() && !last) return at - 1;
          const unsigned trail = at < bytes.size() ? byte_at(bytes, at) : 0x1B;
          if (trail != 0x1B) ++at;
          const char32_t known =
              is_within(trail, 0x21, 0x7E) ? kJis0208Index[(byte - 0x21) * 94 + trail - 0x21] : 0;
          if (known != 0) code_point = known;
        }
        writer.put(code_point);
        break;
      }
    }
  }
  return at;
}

// Whether an escape sequence is at the front; then its character set is selected. `error` becomes U+FFFD if
// the standard requires it: there is no sequence, or one directly after another.
bool TextDecoder::read_escape(std::string_view bytes, char32_t& error) {
  const std::string_view sequence = bytes.substr(1, 2);
  const bool known =
      sequence == "(B" || sequence == "(J" || sequence == "(I" || sequence == "$@" || sequence == "$B";
  if (!known || escaped_) error = kReplacement;
  escaped_ = known;
  if (!known) return false;
  set_ = sequence == "(B"   ? CharacterSet::kAscii
         : sequence == "(J" ? CharacterSet::kRoman
         : sequence == "(I" ? CharacterSet::kKatakana
                            : CharacterSet::kJis0208;
  return true;
}

void append_decoded(std::string& utf8, Encoding encoding, std::string_view bytes) {
  TextDecoder(encoding).decode(bytes, utf8, /*last=*/true);
}

}  // namespace bowerbird
