// Links that were found but not followed: which rule excluded them, and which option would include them.
//
// The table has one row per rule. Status, report and the counters of a crawl are made from it. Pure;
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
  std::string_view remedy;  // empty: there is no option for it
};

std::span<const ExclusionRule> exclusion_table();

// Number of links by rule.
using ExclusionCounts = std::array<std::uint64_t, kExclusions>;

// The first rule that excludes a link with these flags (LinkFlag). scope: the verdict on the link's URL.
std::optional<Exclusion> exclusion_of(std::uint8_t flags, ScopeVerdict scope);

}  // namespace bowerbird
