// How events are encoded: plain structs that list their fields once, in fields(), as a tuple of references.
//
// An encoder and a decoder call themselves for each field: unsigned numbers are varints, doubles their eight
// bytes, texts and vectors come after their length, and structs field by field. A journal derives from them
// to add the types that only it has, signed numbers among them (times can be relative). The number of an
// event is its position in a variant. Threads: any.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/varint.h"

namespace bowerbird {

template <typename T>
concept HasFields = requires(T& value) {
  value.fields();
};

// Own: the class that derives from this one.
template <typename Own>
class FieldEncoder {
 public:
  explicit FieldEncoder(std::string& out) : out_(out) {}

  template <HasFields T>
  void operator()(T& value) {
    std::apply([this](auto&... field) { (own()(field), ...); }, value.fields());
  }
  template <typename T>
  requires std::is_unsigned_v<T>
  void operator()(T value) { put_varint(out_, value); }
  void operator()(double value) {
    const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
    out_.append(bits.data(), bits.size());
  }
  void operator()(const std::string& value) { put_string(out_, value); }
  template <typename T>
  void operator()(std::vector<T>& values) {
    put_varint(out_, values.size());
    for (T& value : values) own()(value);
  }

 protected:
  std::string& out_;

 private:
  Own& own() { return static_cast<Own&>(*this); }
};

// Rejects numbers that are too large for their field, doubles that are not finite, and counts that are larger
// than the input.
template <typename Own>
class FieldDecoder {
 public:
  explicit FieldDecoder(VarintReader& in) : in_(in) {}

  template <HasFields T>
  void operator()(T& value) {
    std::apply([this](auto&... field) { (own()(field), ...); }, value.fields());
  }
  template <typename T>
  requires std::is_unsigned_v<T>
  void operator()(T& value) { value = static_cast<T>(in_.get_at_most(std::numeric_limits<T>::max())); }
  void operator()(double& value) {
    score(value);
    if (!(value - value == 0)) in_.reject();
  }
  // Some orderings have infinite scores.
  void score(double& value) {
    std::array<char, sizeof value> bits{};
    const std::string_view bytes = in_.get_bytes(bits.size());
    bytes.copy(bits.data(), bytes.size());
    value = std::bit_cast<double>(bits);
    if (value != value) in_.reject();
  }
  void operator()(std::string& value) { value = in_.get_string(); }
  template <typename T>
  void operator()(std::vector<T>& values) {
    for (std::uint64_t count = in_.get_at_most(in_.left()); count > 0 && in_.ok(); --count) {
      own()(values.emplace_back());
    }
  }

 protected:
  VarintReader& in_;

 private:
  Own& own() { return static_cast<Own&>(*this); }
};

// The position of a type in a variant.
template <typename Variant, typename E, std::size_t I = 0>
constexpr std::size_t event_position() {
  if constexpr (std::is_same_v<E, std::variant_alternative_t<I, Variant>>) {
    return I;
  } else {
    return event_position<Variant, E, I + 1>();
  }
}

// Makes the event with this number, and decodes it. False: there is no such number.
template <std::size_t I = 0, typename Variant, typename Decode>
bool decode_numbered(std::size_t number, Decode& decode, Variant& event) {
  if constexpr (I == std::variant_size_v<Variant>) {
    return false;
  } else {
    if (number != I) return decode_numbered<I + 1>(number, decode, event);
    decode(event.template emplace<I>());
    return true;
  }
}

}  // namespace bowerbird
