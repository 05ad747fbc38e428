// Which of the partitions of a parallel crawl a URL or a site belongs to [001].
//
// The number depends on the text alone, so that every process, and the lab, give the same answer. There are
// many more partitions than processes: when processes come and go, partitions move and texts do not.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace bowerbird {

inline constexpr std::uint32_t kPartitions = 256;

// `key`: a canonical URL (url-hash), a site (site-hash) or a top-level domain (hierarchical).
inline std::uint32_t partition_of(std::string_view key, std::uint32_t partitions = kPartitions) {
  constexpr std::uint64_t kSeed = 0x7061727469746e73u;  // apart from every other use of the hash
  return static_cast<std::uint32_t>(to_below(hash64(key, kSeed), partitions));
}

}  // namespace bowerbird
