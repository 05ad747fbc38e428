#include "url/partition.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/suggest.h"
#include "base/units.h"
#include "url/site.h"

namespace bowerbird {

namespace {

using Names = std::vector<std::string>;
const Names kPartitionings = {"url-hash", "site-hash", "host-hash", "hierarchical"};
const Names kModes = {"exchange", "firewall", "cross-over"};

template <typename Enum>
Result<Enum> parse(std::string_view text, const Names& names, std::string_view what) {
  BB_TRY(const std::size_t index, index_among(text, names, what));
  return static_cast<Enum>(index);
}

std::string_view top_level_domain(std::string_view host) {
  host = host.substr(0, host.find(':'));
  return host.substr(host.rfind('.') + 1);
}

}  // namespace

Result<Partitioning> parse_partitioning(std::string_view text) {
  return parse<Partitioning>(text, kPartitionings, "partitioning");
}

Result<Mode> parse_mode(std::string_view text) {
  return parse<Mode>(text, kModes, "mode");
}

std::string_view name_of(Partitioning partitioning) {
  return kPartitionings[static_cast<std::size_t>(partitioning)];
}

std::string_view name_of(Mode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

Result<DomainRules> DomainRules::parse(std::string_view text, unsigned procs) {
  DomainRules rules;
  const auto bad = [&](std::string_view rule) {
    return error(
        "'{}' is not a rule: write domains and the number of a process below {}, as in de,fr=0;com=1", rule,
        procs);
  };
  while (!text.empty()) {
    const std::string_view rule = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(rule.size() + 1, text.size()));
    const std::size_t equals = rule.find('=');
    if (equals == std::string_view::npos || equals == 0) return bad(rule);
    const auto proc = parse_count(rule.substr(equals + 1));
    if (!proc.ok() || *proc >= procs) return bad(rule);
    std::string_view domains = rule.substr(0, equals);
    while (!domains.empty()) {
      std::string_view domain = domains.substr(0, domains.find(','));
      domains.remove_prefix(std::min(domain.size() + 1, domains.size()));
      if (domain.starts_with('.')) domain.remove_prefix(1);
      if (domain.empty()) return bad(rule);
      rules.owners_[lowered(domain)] = static_cast<ProcId>(*proc);
    }
  }
  return rules;
}

ProcId DomainRules::owner(std::string_view top_level_domain) const {
  const auto found = owners_.find(top_level_domain);
  return found == owners_.end() ? kNoProc : found->second;
}

std::uint32_t partition_of_host(std::string_view host, Partitioning partitioning, const DomainRules& rules,
                                std::uint32_t partitions) {
  if (partitioning == Partitioning::kHostHash) return partition_of(host, partitions);
  if (partitioning == Partitioning::kSiteHash) return partition_of(site_of_host(host), partitions);
  const std::string_view domain = top_level_domain(host);
  const ProcId ruled = rules.owner(domain);
  return ruled != kNoProc ? ruled : partition_of(domain, partitions);
}

}  // namespace bowerbird
