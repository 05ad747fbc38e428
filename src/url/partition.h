// How the URLs of a parallel crawl are divided among its processes [001].
//
// There are many more partitions than processes: when processes join and leave, partitions move as a whole. A
// URL's partition depends only on its text, so that every process, and the lab, get the same result. Threads:
// any.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"

namespace bowerbird {

inline constexpr std::uint32_t kPartitions = 256;

enum class Partitioning : std::uint8_t {
  kUrlHash,
  kSiteHash,  // by registrable domain
  kHostHash,  // by host: for webs of one or few sites
  kHierarchical,
};
// What happens to links that leave the partition.
enum class Mode : std::uint8_t {
  kExchange,   // they are sent to the owner
  kFirewall,   // they are dropped
  kCrossOver,  // they are followed when the process has nothing else left
};
Result<Partitioning> parse_partitioning(std::string_view text);
Result<Mode> parse_mode(std::string_view text);
std::string_view name_of(Partitioning partitioning);
std::string_view name_of(Mode mode);

// `key`: a canonical URL (url-hash), a site (site-hash) or a top-level domain (hierarchical).
inline std::uint32_t partition_of(std::string_view key, std::uint32_t partitions = kPartitions) {
  constexpr std::uint64_t kSeed = 0x7061727469746e73u;  // apart from every other use of the hash
  return static_cast<std::uint32_t>(to_below(hash64(key, kSeed), partitions));
}

// Up to kPartitions processes share the partitions of a live crawl; more processes get one each.
inline std::uint32_t partitions_for(std::uint32_t procs) {
  return procs > kPartitions ? procs : kPartitions;
}

using ProcId = std::uint16_t;
inline constexpr ProcId kNoProc = 0xffff;

// "de,fr,it=0;com=1": the processes that own these top-level domains.
class DomainRules {
 public:
  static Result<DomainRules> parse(std::string_view text, unsigned procs);
  // kNoProc if no rule names the domain.
  ProcId owner(std::string_view top_level_domain) const;

 private:
  std::map<std::string, ProcId, std::less<>> owners_;
};

// The partition of a host's pages; not for url-hash. A process named in a rule owns the partition with its
// own number.
std::uint32_t partition_of_host(std::string_view host, Partitioning partitioning, const DomainRules& rules,
                                std::uint32_t partitions);

}  // namespace bowerbird
