// Snapshots as bytes: fixed-width little-endian numbers and arrays, written through a sink, read back with
// bounds.
//
// A ByteReader never reads past its input and never allocates more than the input could fill; after the first
// short read it answers zeros and ok() is false, so that a loader checks once at the end.
#pragma once

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

  bool ok() const { return ok_; }
  std::size_t left() const { return rest_.size(); }
  // Marks the input as bad, for a loader that finds a value out of range.
  void reject() { ok_ = false; }

  template <typename T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value{};
    if (rest_.size() < sizeof value) {
      ok_ = false;
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { value = get<T>(); }
  template <typename T>
  void get_array(std::vector<T>& values) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) {
      ok_ = false;
      rest_ = {};
      values.clear();
      return;
    }
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace bowerbird
