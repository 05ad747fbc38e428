#include "crawl/judge/exclusions.h"

#include "store/links.h"

namespace bowerbird {

namespace {

constexpr std::array<ExclusionRule, kExclusions> kRules = {{
    {Exclusion::kOtherHost, "other-host", "the host is not in scope",
     "--scope domain, --scope any or --host NAME"},
    {Exclusion::kOtherPrefix, "other-prefix", "outside the seeds' prefixes (--scope prefix)", "--scope host"},
    {Exclusion::kNotIncluded, "not-included", "no --include matches", "another --include"},
    {Exclusion::kExcluded, "excluded", "--exclude matches", "a narrower --exclude"},
    {Exclusion::kTrap, "trap", "the URL looks endless", "--no-traps"},
    {Exclusion::kTooDeep, "too-deep", "too many links from a seed", "a larger --depth"},
    {Exclusion::kRedirects, "redirects", "too many redirects in a row", "a larger --redirects"},
    {Exclusion::kNofollow, "nofollow", "nofollow, which is always obeyed", ""},
}};

}  // namespace

std::span<const ExclusionRule> exclusion_table() {
  return kRules;
}

std::optional<Exclusion> exclusion_of(std::uint8_t flags, ScopeVerdict scope) {
  if ((flags & kLinkNofollow) != 0) return Exclusion::kNofollow;
  switch (scope) {
    case ScopeVerdict::kOtherHost:
      return Exclusion::kOtherHost;
    case ScopeVerdict::kOtherPrefix:
      return Exclusion::kOtherPrefix;
    case ScopeVerdict::kNotIncluded:
      return Exclusion::kNotIncluded;
    case ScopeVerdict::kExcluded:
      return Exclusion::kExcluded;
    case ScopeVerdict::kIn:
      break;
  }
  if ((flags & kLinkTrap) != 0) return Exclusion::kTrap;
  if ((flags & kLinkTooFar) == 0) return std::nullopt;
  return (flags & kLinkRedirect) != 0 ? Exclusion::kRedirects : Exclusion::kTooDeep;
}

}  // namespace bowerbird
