// Numbers of variable length: seven bits per byte, the lowest first; the high bit means that more follow
// (LEB128).
//
// A VarintReader never reads past its input; after the first short or overlong read it returns zeros and ok()
// is false, so that a decoder checks once at the end. Signed numbers go through zigzag(), which keeps small
// ones small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

inline void put_varint(std::string& out, std::uint64_t value) {
  char bytes[10];
  std::size_t size = 0;
  while (value >= 0x80) {
    bytes[size++] = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes[size++] = static_cast<char>(value);
  out.append(bytes, size);
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

inline void put_signed(std::string& out, std::int64_t value) {
  put_varint(out, zigzag(value));
}
// The length, then the bytes.
inline void put_string(std::string& out, std::string_view bytes) {
  put_varint(out, bytes.size());
  out.append(bytes);
}

class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  void reject() {
    ok_ = false;
    rest_ = {};
  }

  std::uint64_t get() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < rest_.size() && i < 10; ++i) {
      const auto byte = static_cast<std::uint8_t>(rest_[i]);
      if (i == 9 && byte > 1) break;  // more than 64 bits
      value |= std::uint64_t{byte & 0x7fu} << (7 * i);
      if (byte < 0x80) {
        rest_.remove_prefix(i + 1);
        return value;
      }
    }
    reject();
    return 0;
  }
  std::int64_t get_signed() { return unzigzag(get()); }
  // Rejects a number above `most`.
  std::uint64_t get_at_most(std::uint64_t most) {
    const std::uint64_t value = get();
    if (value <= most) return value;
    reject();
    return 0;
  }
  std::uint8_t get_byte() { return static_cast<std::uint8_t>(get_bytes(1).empty() ? 0 : last_); }
  // A view into the input.
  std::string_view get_bytes(std::size_t size) {
    if (size > rest_.size()) {
      reject();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (size > 0) last_ = bytes.back();
    return bytes;
  }
  std::string_view get_string() { return get_bytes(get()); }

 private:
  std::string_view rest_;
  char last_ = 0;
  bool ok_ = true;
};

}  // namespace bowerbird
