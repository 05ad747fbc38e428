// Which page, host or robots.txt misbehaves, and how: drawn from the seed, so that the same Web is broken in
// the same places every time.
//
// A rule is a kind, the share of pages it affects, and how many requests it lasts: "reset:2=1%" means that 1
// % of pages reset the connection twice and work afterwards. A page has at most one fault, so the shares of a
// table add up to at most 1. Pure; threads: const.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

enum class Fault : std::uint8_t {
  kNone,
  kNotFound,
  kGone,
  kForbidden,
  kError,
  kUnavailable,
  kTooMany,
  kMoved,
  kLoop,
  kTruncated,
  kOverlong,
  kReset,
  kDropped,
  kEmpty,
  kStall,
  kHang,
  kDrip,
  kGarbage,
  kBadChunk,
  kBadCoding,
  kNoLength,
  kEndless,
  kHugeHead,
  kBinary,
  kVanishing,
  kRestless,
  kNoValidators,
  kWeakTag,
  kStuckTag,
  kFutureDate,
  kUnaskedNotModified,
};

struct FaultInfo {
  Fault fault;
  std::string_view name;
  std::string_view what;
  std::uint32_t times;  // requests it lasts unless the rule says otherwise; 0: for ever
};

// All kinds except kNone, in the order of the enumeration. Help and docs use this table.
std::span<const FaultInfo> all_faults();
std::string_view fault_name(Fault fault);  // "-" for kNone

struct FaultRule {
  Fault fault = Fault::kNone;
  double share = 0;
  std::uint32_t times = 0;
};

// "truncated=1%,unavailable:3=5%"; empty text is no rules.
Result<std::vector<FaultRule>> parse_faults(std::string_view text);

class FaultTable {
 public:
  FaultTable() = default;
  explicit FaultTable(std::vector<FaultRule> rules) : rules_(std::move(rules)) {}

  bool empty() const { return rules_.empty(); }
  // The rule for a page with these random bits; kind kNone if there is none.
  FaultRule pick(std::uint64_t bits) const;

 private:
  std::vector<FaultRule> rules_;
};

// "name[:times]=share" items separated by commas; shared by parse_faults and parse_traps.
struct NamedShare {
  std::size_t name;  // index in the given names
  double share;
  std::uint32_t times;
  bool has_times;
};
Result<std::vector<NamedShare>> parse_named_shares(std::string_view text, std::string_view what,
                                                   const std::vector<std::string>& names);

}  // namespace bowerbird
