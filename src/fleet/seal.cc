#include "fleet/seal.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace bowerbird {

namespace {

constexpr std::size_t kTagBytes = 8;
constexpr std::size_t kDigits = 16;

// The kind comes last, where no bytes of another kind can take its place.
std::uint64_t tag_of(std::string_view bytes, MessageKind kind, const HashKey& key) {
  const std::uint64_t inner = siphash<2, 4>(key, bytes);
  char last[sizeof inner + 1];
  std::memcpy(last, &inner, sizeof inner);
  last[sizeof inner] = static_cast<char>(kind);
  return siphash<2, 4>(key, {last, sizeof last});
}

}  // namespace

std::string sealed(std::string bytes, MessageKind kind, const HashKey& key) {
  const std::uint64_t tag = tag_of(bytes, kind, key);
  char text[kTagBytes];
  std::memcpy(text, &tag, sizeof tag);
  bytes.append(text, sizeof text);
  return bytes;
}

std::optional<std::string_view> unsealed(std::string_view bytes, MessageKind kind, const HashKey& key) {
  if (bytes.size() < kTagBytes) return {};
  const std::string_view content = bytes.substr(0, bytes.size() - kTagBytes);
  std::uint64_t tag = 0;
  std::memcpy(&tag, bytes.data() + content.size(), sizeof tag);
  if (tag != tag_of(content, kind, key)) return {};
  return content;
}

std::string key_text(const HashKey& key) {
  return fmt::format("{:016x}{:016x}", key.low, key.high);
}

std::optional<HashKey> read_key(std::string_view text) {
  HashKey key;
  const char* const middle = text.data() + kDigits;
  if (text.size() != 2 * kDigits) return {};
  const auto low = std::from_chars(text.data(), middle, key.low, 16);
  const auto high = std::from_chars(middle, text.data() + text.size(), key.high, 16);
  if (low.ec != std::errc() || low.ptr != middle || high.ec != std::errc() ||
      high.ptr != text.data() + text.size())
    return {};
  return key;
}

}  // namespace bowerbird
