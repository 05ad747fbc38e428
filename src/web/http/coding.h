// Content codings: which ones a client accepts (RFC 9110, 12.5.3), and encoding bodies.
//
// The same body always gives the same bytes. A BodyEncoder keeps the compressors' state from one body to the
// next, since setting it up costs more than encoding a page; it belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bowerbird {

enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate, kBrotli, kZstd };
inline constexpr int kCodings = 5;

// "gzip" as in Content-Encoding; and the coding of that name, or kIdentity.
std::string_view coding_name(Coding coding);
Coding coding_named(std::string_view name);

class CodingSet {
 public:
  constexpr bool has(Coding coding) const { return (bits_ >> static_cast<int>(coding) & 1) != 0; }
  constexpr void add(Coding coding) { bits_ |= static_cast<std::uint8_t>(1 << static_cast<int>(coding)); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr CodingSet operator&(CodingSet other) const {
    CodingSet both;
    both.bits_ = bits_ & other.bits_;
    return both;
  }
  // The set's element number `choice` modulo its size; kIdentity for an empty set.
  Coding pick(std::uint64_t choice) const;

 private:
  std::uint8_t bits_ = 0;
};

// The codings in an Accept-Encoding value, except those with q=0; identity is not included. `*` means all.
CodingSet accepted_codings(std::string_view accept_encoding);

class BodyEncoder {
 public:
  BodyEncoder();
  ~BodyEncoder();
  BodyEncoder(const BodyEncoder&) = delete;
  BodyEncoder& operator=(const BodyEncoder&) = delete;

  // Replaces `body` by its encoded form.
  void encode(Coding coding, std::string& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bowerbird
