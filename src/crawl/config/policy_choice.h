// The ordering of --policy auto: `similar` with a topic; otherwise `lipr`, the best known one, if there
// is enough memory for it; otherwise `fpr@100`, the best one that needs almost no memory.
//
// It is chosen once, when a crawl starts, and kept in its folder. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawl/config/options.h"

namespace bowerbird {

inline constexpr std::string_view kAutoPolicy = "auto";

struct PolicyChoice {
  std::string policy;
  std::string why;  // empty if the user chose it
};

// The estimated memory of this ordering for all pages that the crawl will know.
std::uint64_t policy_bytes(const CrawlOptions& options, std::string_view policy);

// memory: available bytes; 0: unknown.
PolicyChoice choose_policy(const CrawlOptions& options, std::uint64_t memory);

}  // namespace bowerbird
