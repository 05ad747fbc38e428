// The .properties file of a BVGraph: the Java properties syntax, the keys that a reader needs, and the codes
// in compressionflags.
//
// Threads: plain values. Syntax: java.util.Properties.load (comments, '=' ':' or blanks between key and
// value, continued lines, escapes). Keys: the documentation of WebGraph's class BVGraph.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/io/bv_codes.h"

namespace bowerbird {

// The kinds of numbers of a BVGraph, each with its own code.
enum class BvPart : std::uint8_t {
  kOutdegrees,
  kBlocks,
  kResiduals,
  kReferences,
  kBlockCount,
  kOffsets,
  kIntervals,
};
inline constexpr std::size_t kBvParts = 7;

class BvCodes {
 public:
  BvCode& operator[](BvPart part) { return codes_[static_cast<std::size_t>(part)]; }
  BvCode operator[](BvPart part) const { return codes_[static_cast<std::size_t>(part)]; }
  bool operator==(const BvCodes&) const = default;

  // "OUTDEGREES_DELTA|RESIDUALS_GAMMA"; the other parts keep their default. The error names the wrong word.
  static Result<BvCodes> parse(std::string_view flags);
  // The parts that differ from their default.
  std::string format() const;

 private:
  std::array<BvCode, kBvParts> codes_ = {BvCode::kGamma, BvCode::kGamma, BvCode::kZeta, BvCode::kUnary,
                                         BvCode::kGamma, BvCode::kGamma, BvCode::kGamma};
};

// How lists are coded, for readers and writers alike.
struct BvOptions {
  static constexpr std::uint32_t kUnlimited = 0x7fffffff;  // as WebGraph writes it
  static constexpr std::uint32_t kMaxZetaK = 32;

  std::uint32_t window = 7;         // a list may refer to the lists of this many pages before it
  std::uint32_t max_ref_count = 3;  // longest chain of references; readers do not need it
  std::uint32_t min_interval = 4;   // shortest run of pages stored as an interval; 0 = no intervals
  std::uint32_t zeta_k = 3;         // also the modulus of a Golomb code
  BvCodes codes;

  bool operator==(const BvOptions&) const = default;
  // Whether the numbers can be written and read back.
  Status validate() const;
};

struct BvProperties {
  std::uint64_t pages = 0;
  std::uint64_t links = 0;
  BvOptions options;
};

// The key-value pairs of a Java properties file. Errors name `file` and the line.
Result<std::map<std::string, std::string>> parse_java_properties(std::string_view text,
                                                                 std::string_view file);

// Reads the properties of a BVGraph and checks the range of every number (but not against the graph itself).
Result<BvProperties> parse_bv_properties(std::string_view text, std::string_view file);

}  // namespace bowerbird
