// Undoes the content codings of a body (gzip, deflate, br, zstd; RFC 9110, section 8.4) within limits.
//
// Problem: a kilobyte may decompress to gigabytes. Output is limited to a number of bytes and, once it is
// large, to a multiple of the input. Also, servers declare codings that they did not apply ("none",
// "UTF-8", "gzip" for plain text). A body that cannot be decoded and does not look compressed is returned
// unchanged, and one that starts like gzip or zstd is decoded as that, whatever the declared coding.
// Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct CodingLimits {
  std::uint64_t max_bytes = std::uint64_t{32} << 20;
  std::uint64_t max_ratio = 200;                      // limit of output size / input size ...
  std::uint64_t ratio_from = std::uint64_t{2} << 20;  // ... once the output is larger than this
};

// From best to worst.
enum class CodingResult : std::uint8_t {
  kPlain,          // not compressed; `out` is empty
  kWhole,          // decoded
  kWrongChecksum,  // complete, but the checksum or length at its end is wrong
  kCut,            // the input is truncated; the result is what could be decoded
  kDamaged,        // invalid
  kTooLarge,       // a limit was reached
  kUnknown,        // compressed with an unknown coding
};
std::string_view coding_result_text(CodingResult result);

// The value of Accept-Encoding in requests.
inline constexpr std::string_view kAcceptedCodings = "gzip, br";

// The names in Content-Encoding, lower case, without "identity".
std::vector<std::string> split_codings(std::string_view value);

// Whether readers of archives support all codings in this Content-Encoding. Only such bodies are stored
// encoded.
bool is_common_coding(std::string_view coding);

// coding: the value of Content-Encoding; several codings are in the order in which they were applied.
// `out` is replaced.
CodingResult decode_body(std::string_view coding, std::string_view body, const CodingLimits& limits,
                         std::string& out);

}  // namespace bowerbird
