// Undoes the content codings of a body (gzip, deflate, br, zstd; RFC 9110, section 8.4) within limits.
//
// Problem: a kilobyte may unfold to gigabytes. Output stops at a number of bytes, and once it is large at a
// multiple of the input. And servers name codings that they did not apply ("none", "UTF-8", "gzip" for plain
// text): a body that cannot be decoded and does not look compressed is read as it is, and one that begins as
// gzip or zstd is decoded as that, whatever its coding is called. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct CodingLimits {
  std::uint64_t max_bytes = std::uint64_t{32} << 20;
  std::uint64_t max_ratio = 200;                      // output over input ...
  std::uint64_t ratio_from = std::uint64_t{2} << 20;  // ... where the output is larger than this
};

// From best to worst.
enum class CodingResult : std::uint8_t {
  kPlain,          // not compressed: `out` is empty, the body is what it is
  kWhole,          // decoded
  kWrongChecksum,  // all was decoded, but the checksum or the length at its end is another
  kCut,            // the input ends early; what could be decoded is there
  kDamaged,        // not what the coding says
  kTooLarge,       // a limit was reached
  kUnknown,        // compressed in a way that we do not know
};
std::string_view coding_result_text(CodingResult result);

// What is sent as Accept-Encoding.
inline constexpr std::string_view kAcceptedCodings = "gzip, br";

// The names in Content-Encoding, in lower case, without identity.
std::vector<std::string> split_codings(std::string_view value);

// Whether readers of archives undo all codings that a Content-Encoding names: no others are stored.
bool is_common_coding(std::string_view coding);

// `coding`: the values of Content-Encoding, several codings in the order they were applied. `out` is
// replaced.
CodingResult decode_body(std::string_view coding, std::string_view body, const CodingLimits& limits,
                         std::string& out);

}  // namespace bowerbird
