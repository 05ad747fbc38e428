#include "url/percent.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "encoding/encoder.h"

namespace bowerbird {

void append_escape(std::string& out, unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const char escape[3] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  out.append(escape, 3);
}

int escape_value(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return -1;
  const int high = hex_value(text[1]);
  const int low = hex_value(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool append_encoded(std::string& out, std::string_view text, ByteSet set) {
  bool changed = false;
  std::size_t run = 0;  // begin of what can be copied as it is
  for (std::size_t i = 0; i < text.size();) {
    if (!in_set(text[i], set)) {
      ++i;
      continue;
    }
    out.append(text, run, i - run);
    changed = true;
    const Utf8Step step = decode_utf8(text.substr(i));
    if (step.valid) {
      for (std::size_t k = 0; k < step.size; ++k) append_escape(out, static_cast<unsigned char>(text[i + k]));
    } else {
      out += "%EF%BF%BD";
    }
    i += step.size;
    run = i;
  }
  out.append(text, run, text.size() - run);
  return changed;
}

bool append_query(std::string& out, std::string_view text, Encoding encoding) {
  encoding = output_encoding(encoding);
  // ISO-2022-JP has no control characters that shift.
  const bool plain = is_ascii(text) && encoding != Encoding::kIso2022Jp;
  if (plain || encoding == Encoding::kUtf8) return append_encoded(out, text, kQuerySet);
  TextEncoder encoder(encoding);
  std::string bytes;
  bool changed = false;
  const auto put_bytes = [&] {
    for (const char byte : bytes) {
      if (in_set(byte, kQuerySet)) {
        append_escape(out, static_cast<unsigned char>(byte));
        changed = true;
      } else {
        out += byte;
      }
    }
    bytes.clear();
  };
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    text.remove_prefix(step.size);
    const char32_t lacking = encoder.encode(step.code_point, bytes);
    put_bytes();
    if (lacking == 0) continue;
    out += fmt::format("%26%23{}%3B", static_cast<std::uint32_t>(lacking));
    changed = true;
  }
  encoder.finish(bytes);
  put_bytes();
  return changed;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const int value = escape_value(text.substr(i));
    out += value < 0 ? text[i] : static_cast<char>(value);
    i += value < 0 ? 1 : 3;
  }
  return out;
}

unsigned append_normal_escapes(std::string& out, std::string_view text) {
  unsigned changes = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const int value = escape_value(text.substr(i));
    if (value >= 0) {
      if (in_set(static_cast<char>(value), kUnreserved)) {
        out += static_cast<char>(value);
        changes |= kResolved;
      } else {
        const std::size_t at = out.size();
        append_escape(out, static_cast<unsigned char>(value));
        if (out.compare(at, 3, text, i, 3) != 0) changes |= kUpperHex;
      }
      i += 3;
    } else {
      if (c == '%' || in_set(c, kNotUri)) {
        append_escape(out, static_cast<unsigned char>(c));
        changes |= kEscaped;
      } else {
        out += c;
      }
      ++i;
    }
  }
  return changes;
}

}  // namespace bowerbird
