// Links that were found and not followed: which rule says so, and what would follow them.
//
// One row per rule; the display, `status`, the report and the counters of a crawl are made from it. Pure;
// threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "crawl/judge/scope.h"

namespace bowerbird {

enum class Exclusion : std::uint8_t {
  kOtherHost,
  kOtherPrefix,
  kNotIncluded,
  kExcluded,
  kTrap,
  kTooDeep,
  kRedirects,
  kNofollow,
};
inline constexpr int kExclusions = 8;

struct ExclusionRule {
  Exclusion rule;
  std::string_view name;
  std::string_view what;
  std::string_view remedy;  // empty: there is none
};

std::span<const ExclusionRule> exclusion_table();

// By rule.
using ExclusionCounts = std::array<std::uint64_t, kExclusions>;

// Why a link with these flags (LinkFlag) is not followed; the first rule that applies. scope: what it says of
// the link's URL.
std::optional<Exclusion> exclusion_of(std::uint8_t flags, ScopeVerdict scope);

}  // namespace bowerbird
