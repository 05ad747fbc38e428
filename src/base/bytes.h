// Snapshots as bytes: fixed-width little-endian numbers and arrays, written through a sink and read back with
// bounds checks.
//
// A ByteReader never reads past its input and never allocates more than the input could fill. After the first
// short read it returns zeros and ok() is false, so that a loader checks once at the end. Its input is a text
// that outlives it, or arrives in pieces, so that the whole need not be in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bowerbird {

class ByteWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit ByteWriter(Sink sink) : sink_(std::move(sink)) {}
  explicit ByteWriter(std::string& text) : sink_([&text](std::string_view bytes) { text.append(bytes); }) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { sink_({reinterpret_cast<const char*>(&value), sizeof value}); }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void put_array(std::span<const T> values) {
    put<std::uint64_t>(values.size());
    sink_({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  template <typename T>
  void put_array(const std::vector<T>& values) {
    put_array(std::span<const T>(values));
  }

 private:
  Sink sink_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  // `size` bytes in pieces; an empty piece means the end.
  using More = std::function<std::string()>;
  ByteReader(std::uint64_t size, More more) : beyond_(size), more_(std::move(more)) {}
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  bool ok() const { return ok_; }
  std::uint64_t left() const { return rest_.size() + beyond_; }
  // Marks the input as bad, for a loader that finds a value out of range.
  void reject() { ok_ = false; }

  template <typename T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value{};
    if (!take(reinterpret_cast<char*>(&value), sizeof value)) value = T{};
    return value;
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { value = get<T>(); }
  template <typename T>
  void get_array(std::vector<T>& values) {
    values.resize(get_count(sizeof(T)));
    if (!take(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T))) values.clear();
  }
  // Visits an array item by item, with one item in memory at a time.
  template <typename T, typename Visit>
  void each(Visit&& visit) {
    for (std::uint64_t count = get_count(sizeof(T)); count > 0 && ok_; --count) visit(get<T>());
  }

 private:
  // The length of an array whose items take this many bytes.
  std::uint64_t get_count(std::size_t bytes) {
    const auto count = get<std::uint64_t>();
    if (count <= left() / bytes) return count;
    fail();
    return 0;
  }
  bool take(char* to, std::size_t size) {
    if (size > left()) return fail();
    while (size > 0) {
      if (rest_.empty()) {
        piece_ = more_();
        if (piece_.empty() || piece_.size() > beyond_) return fail();
        beyond_ -= piece_.size();
        rest_ = piece_;
      }
      const std::size_t now = std::min(size, rest_.size());
      std::memcpy(to, rest_.data(), now);
      rest_.remove_prefix(now);
      to += now;
      size -= now;
    }
    return true;
  }
  bool fail() {
    ok_ = false;
    rest_ = {};
    beyond_ = 0;
    return false;
  }

  std::string_view rest_;
  std::uint64_t beyond_ = 0;  // bytes after the current piece
  More more_;
  std::string piece_;
  bool ok_ = true;
};

}  // namespace bowerbird
