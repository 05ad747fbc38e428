// Which ordering a crawl follows when nobody says: `similar` where there is a topic; else `lipr`, the best
// one known, where its memory can be had; else `fpr@100`, the best of those that keep next to nothing.
//
// Made once, when a crawl begins: its folder remembers the answer. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawl/config/options.h"

namespace bowerbird {

inline constexpr std::string_view kAutoPolicy = "auto";

struct PolicyChoice {
  std::string policy;
  std::string why;  // empty where the user asked for it
};

// What this ordering would keep of the pages that the crawl is thought to come to know.
std::uint64_t policy_bytes(const CrawlOptions& options, std::string_view policy);

// memory: bytes that can be had; 0: not known.
PolicyChoice choose_policy(const CrawlOptions& options, std::uint64_t memory);

}  // namespace bowerbird
