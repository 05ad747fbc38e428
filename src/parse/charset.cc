#include "parse/charset.h"

#include <iconv.h>

#include <cerrno>

#include "base/utf8.h"

namespace bowerbird {

namespace {

// iconv's names. What the Encoding Standard calls gbk, big5, shift_jis ... are supersets of the old encodings
// of those names, and so are these.
struct IconvName {
  std::string_view charset;
  const char* name;
};

constexpr IconvName kIconvNames[] = {
    {"ibm866", "IBM866"},           {"iso-8859-2", "ISO-8859-2"},
    {"iso-8859-3", "ISO-8859-3"},   {"iso-8859-4", "ISO-8859-4"},
    {"iso-8859-5", "ISO-8859-5"},   {"iso-8859-6", "ISO-8859-6"},
    {"iso-8859-7", "ISO-8859-7"},   {"iso-8859-8", "ISO-8859-8"},
    {"iso-8859-8-i", "ISO-8859-8"}, {"iso-8859-10", "ISO-8859-10"},
    {"iso-8859-13", "ISO-8859-13"}, {"iso-8859-14", "ISO-8859-14"},
    {"iso-8859-15", "ISO-8859-15"}, {"iso-8859-16", "ISO-8859-16"},
    {"koi8-r", "KOI8-R"},           {"koi8-u", "KOI8-RU"},
    {"macintosh", "MACINTOSH"},     {"windows-874", "CP874"},
    {"windows-1250", "CP1250"},     {"windows-1251", "CP1251"},
    {"windows-1253", "CP1253"},     {"windows-1254", "CP1254"},
    {"windows-1255", "CP1255"},     {"windows-1256", "CP1256"},
    {"windows-1257", "CP1257"},     {"windows-1258", "CP1258"},
    {"x-mac-cyrillic", "MAC-UK"},   {"gbk", "GB18030"},
    {"gb18030", "GB18030"},         {"big5", "BIG5-HKSCS"},
    {"euc-jp", "EUC-JP-MS"},        {"iso-2022-jp", "ISO-2022-JP"},
    {"shift_jis", "CP932"},         {"euc-kr", "UHC"},
};

constexpr char16_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                       0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

// Encoding Standard 14.2.1, "shared UTF-16 decoder".
void append_utf16(std::string& utf8, std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t i) -> char32_t {
    const unsigned a = byte_at(bytes, i), b = byte_at(bytes, i + 1);
    return big_endian ? a << 8 | b : b << 8 | a;
  };
  std::size_t i = 0;
  while (i + 2 <= bytes.size()) {
    const char32_t first = unit(i);
    i += 2;
    if (first < 0xD800 || first > 0xDFFF) {
      append_utf8(utf8, first);
      continue;
    }
    const char32_t second = i + 2 <= bytes.size() ? unit(i) : 0;
    if (first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF) {
      append_utf8(utf8, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
      i += 2;
    } else {
      append_utf8(utf8, kReplacement);
    }
  }
  if (i < bytes.size()) append_utf8(utf8, kReplacement);
}

// One code point for each byte outside ASCII.
template <typename Meaning>
void append_single_bytes(std::string& utf8, std::string_view bytes, Meaning meaning) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(utf8, byte < 0x80 ? byte : meaning(byte));
  }
}

// What the standard makes of a byte that iconv refuses: in the windows encodings 0x80 to 0x9F stand for
// themselves.
char32_t refused(std::string_view charset, unsigned byte) {
  return charset.starts_with("windows-") && byte >= 0x80 && byte <= 0x9F ? byte : kReplacement;
}

}  // namespace

CharsetDecoder::~CharsetDecoder() {
  if (handle_ != nullptr) iconv_close(handle_);
}

bool CharsetDecoder::decode(std::string_view charset, std::string_view bytes, std::string& utf8) {
  utf8.clear();
  if (charset == "utf-8") {
    append_as_valid_utf8(utf8, bytes);
  } else if (charset == "windows-1252") {
    append_single_bytes(utf8, bytes, [](unsigned char byte) -> char32_t {
      return byte < 0xA0 ? kWindows1252[byte - 0x80] : byte;
    });
  } else if (charset == "utf-16le" || charset == "utf-16be") {
    append_utf16(utf8, bytes, charset == "utf-16be");
  } else if (charset == "x-user-defined") {
    append_single_bytes(utf8, bytes, [](unsigned char byte) -> char32_t { return 0xF780 + byte - 0x80; });
  } else if (charset == "replacement") {
    if (!bytes.empty()) append_utf8(utf8, kReplacement);
  } else if (!decode_by_iconv(charset, bytes, utf8)) {
    append_single_bytes(utf8, bytes, [](unsigned char) -> char32_t { return kReplacement; });
    return false;
  }
  return true;
}

bool CharsetDecoder::decode_by_iconv(std::string_view charset, std::string_view bytes, std::string& utf8) {
  if (open_ != charset) {
    if (handle_ != nullptr) iconv_close(handle_);
    handle_ = nullptr;
    open_ = {};
    for (const IconvName& entry : kIconvNames) {
      if (entry.charset != charset) continue;
      const iconv_t opened = iconv_open("UTF-8", entry.name);
      if (opened == reinterpret_cast<iconv_t>(-1)) return false;
      handle_ = opened;
      open_ = entry.charset;
    }
    if (handle_ == nullptr) return false;
  }
  iconv(handle_, nullptr, nullptr, nullptr, nullptr);
  char block[4096];
  char* in = const_cast<char*>(bytes.data());  // iconv does not write there
  std::size_t left = bytes.size();
  bool flushed = false;
  while (!flushed) {
    char* out = block;
    std::size_t room = sizeof block;
    // When all is read, one more call gives what the converter still holds.
    flushed = left == 0;
    const std::size_t result = iconv(handle_, flushed ? nullptr : &in, &left, &out, &room);
    const int why = errno;
    utf8.append(block, out);
    if (result != static_cast<std::size_t>(-1)) continue;
    if (why == E2BIG) {
      flushed = false;
    } else if (left > 0) {
      append_utf8(utf8, why == EINVAL ? kReplacement : refused(charset, static_cast<unsigned char>(*in)));
      const std::size_t skipped = why == EINVAL ? left : 1;
      in += skipped;
      left -= skipped;
    }
  }
  return true;
}

bool needs_no_conversion(std::string_view charset, std::string_view bytes) {
  if (charset == "utf-8") return true;
  const bool holds_ascii =
      charset != "utf-16le" && charset != "utf-16be" && charset != "replacement" && charset != "iso-2022-jp";
  return holds_ascii && is_ascii(bytes);
}

}  // namespace bowerbird
