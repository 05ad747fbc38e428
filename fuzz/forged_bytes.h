// What forged folders have in common: changes of bytes that the fuzzer's input determines, and snapshots with
// correct checksums.
#pragma once

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "base/varint.h"

namespace bowerbird {

// Bytes of the input, one after the other; zeros after its end.
class Choices {
 public:
  explicit Choices(std::string_view input) : rest_(input) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  std::size_t below(std::size_t end) {
    const std::size_t value = byte() | std::size_t{byte()} << 8;
    return end == 0 ? 0 : value % end;
  }
  std::string text(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return std::string(taken);
  }

 private:
  std::string_view rest_;
};

inline void edit(std::string& bytes, Choices& choices) {
  static constexpr std::uint64_t kExtremes[] = {0,
                                                1,
                                                0x7f,
                                                0x7fffffff,
                                                0xfffffffe,
                                                0xffffffff,
                                                0x100000000,
                                                0x7fffffffffffffff,
                                                0x8000000000000000,
                                                0xffffffffffffffff,
                                                0x7ff0000000000000,   // infinity
                                                0x7ff8000000000000};  // not a number
  const std::size_t at = choices.below(bytes.size() + 1);
  const std::size_t left = bytes.size() - at;
  switch (choices.byte() % 6) {
    case 0:
      if (left > 0) bytes[at] = static_cast<char>(choices.byte());
      break;
    case 1:
      if (left > 0) bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.byte() % 8));
      break;
    case 2:
      bytes.erase(at, 1 + choices.byte() % 16);
      break;
    case 3:
      bytes.insert(at, choices.text(1 + choices.byte() % 16));
      break;
    case 4: {
      const std::uint64_t value = kExtremes[choices.byte() % std::size(kExtremes)];
      const std::size_t size = std::min<std::size_t>(left, std::size_t{1} << choices.byte() % 4);
      std::memcpy(bytes.data() + at, &value, size);
      break;
    }
    default: {
      std::string varint;
      put_varint(varint, kExtremes[choices.byte() % std::size(kExtremes)]);
      bytes.replace(at, std::min<std::size_t>(left, choices.byte() % 6), varint);
    }
  }
}

// A snapshot file is a mark, the state, three numbers and two checksums.
inline constexpr std::string_view kSnapshotMark = "BBsnapshot 2\n";
inline constexpr std::size_t kSnapshotEnd = 32;

inline std::string snapshot_state(const std::string& file) {
  return file.substr(kSnapshotMark.size(), file.size() - kSnapshotMark.size() - kSnapshotEnd);
}

inline std::string forged_snapshot(const std::string& state, std::uint64_t number, std::uint64_t commit_at) {
  const std::uint64_t numbers[3] = {number, commit_at, state.size()};
  std::string end(reinterpret_cast<const char*>(numbers), sizeof numbers);
  std::uint32_t crc = libdeflate_crc32(0, state.data(), state.size());
  end.append(reinterpret_cast<const char*>(&crc), sizeof crc);
  crc = libdeflate_crc32(0, end.data(), end.size());
  end.append(reinterpret_cast<const char*>(&crc), sizeof crc);
  return std::string(kSnapshotMark) + state + end;
}

}  // namespace bowerbird
