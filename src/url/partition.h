// How the URLs of a parallel crawl are divided among its processes [001].
//
// There are many more partitions than processes: when processes come and go, partitions move and texts do
// not. A URL's partition depends on its text alone, so that every process, and the lab, give the same answer.
// Threads: any.
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
// What becomes of links that leave the partition.
enum class Mode : std::uint8_t {
  kExchange,   // they are sent to the owner
  kFirewall,   // they are dropped
  kCrossOver,  // they are followed when the own partition has run dry
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

// Few processes share the partitions that a live crawl has; more processes than those get one each.
inline std::uint32_t partitions_for(std::uint32_t procs) {
  return procs > kPartitions ? procs : kPartitions;
}

using ProcId = std::uint16_t;
inline constexpr ProcId kNoProc = 0xffff;

// "de,fr,it=0;com=1": which process these top-level domains are for.
class DomainRules {
 public:
  static Result<DomainRules> parse(std::string_view text, unsigned procs);
  // kNoProc where no rule names the domain.
  ProcId owner(std::string_view top_level_domain) const;

 private:
  std::map<std::string, ProcId, std::less<>> owners_;
};

// The partition of a host's pages; not for url-hash. A process that a rule names owns the partition of its
// own number.
std::uint32_t partition_of_host(std::string_view host, Partitioning partitioning, const DomainRules& rules,
                                std::uint32_t partitions);

}  // namespace bowerbird
