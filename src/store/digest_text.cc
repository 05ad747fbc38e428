#include "store/digest_text.h"

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"

namespace bowerbird {

namespace {

int value_base16(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

int value_base32(char c) {
  const char lower = ascii_lower(c);
  if (lower >= 'a' && lower <= 'z') return lower - 'a';
  return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

// Accepts both alphabets, the standard one and the one for URLs.
int value_base64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

std::optional<std::string> unpack_digits(std::string_view text, unsigned bits, int (*value)(char)) {
  std::string bytes;
  std::uint32_t held = 0;
  unsigned count = 0;
  for (const char c : text) {
    const int digit = value(c);
    if (digit < 0) return std::nullopt;
    held = held << bits | static_cast<std::uint32_t>(digit);
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(held >> count & 0xff));
  }
  return bytes;
}

}  // namespace

std::optional<std::string> digest_bytes(std::string_view text, std::size_t size) {
  text = trimmed(text, " \t=");
  const auto digits = [&](unsigned bits) { return (size * 8 + bits - 1) / bits; };
  if (text.size() == digits(4)) return unpack_digits(text, 4, value_base16);
  if (text.size() == digits(5)) return unpack_digits(text, 5, value_base32);
  if (text.size() == digits(6)) return unpack_digits(text, 6, value_base64);
  return std::nullopt;
}

std::optional<Sha1> sha1_of_text(std::string_view text) {
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view name = text.substr(0, colon);
    if (!equals_ignoring_case(name, "sha1") && !equals_ignoring_case(name, "sha-1")) return std::nullopt;
    text.remove_prefix(colon + 1);
  }
  Sha1 digest;
  const auto bytes = digest_bytes(text, digest.size());
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), reinterpret_cast<char*>(digest.data()));
  return digest;
}

}  // namespace bowerbird
