#include "lab/parallel/partition.h"

#include <unordered_map>

#include "base/ascii.h"
#include "base/rng.h"
#include "base/units.h"
#include "url/host.h"
#include "url/partition.h"
#include "url/site.h"

namespace bowerbird {
namespace {

std::string_view top_level_domain(std::string_view host) {
  host = host.substr(0, host.find(':'));
  return host.substr(host.rfind('.') + 1);
}

// The text that decides, of a host; its number where it has no name.
std::string key_of(const PageHosts& hosts, HostId host, Partitioning partitioning) {
  const std::string name = hosts.host_name(host);
  if (name.empty()) return "#" + std::to_string(host);
  return partitioning == Partitioning::kHostHash ? name : site_of_host(name);
}

ProcId owner_of(std::string_view key, unsigned procs) {
  // Few processes share the partitions that a live crawl has; more processes than those get one each.
  const std::uint32_t partitions = std::max(kPartitions, procs);
  return static_cast<ProcId>(partition_of(key, partitions) % procs);
}

}  // namespace

Result<DomainRules> DomainRules::parse(std::string_view text, unsigned procs) {
  DomainRules rules;
  const auto bad = [&](std::string_view rule) {
    return error("'{}' is no rule: write domains and the number of a process below {}, as in de,fr=0;com=1",
                 rule, procs);
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

Result<Partition> Partition::make(const Web& web, const TeamOptions& team) {
  if (team.coordination == Coordination::kIndependent) return Partition();
  if (team.partitioning == Partitioning::kUrlHash) return by_url(web, team);
  if (!web.hosts) {
    return error("the partition {} needs the pages' hosts, which are not known (--hosts FILE gives them)",
                 name_of(team.partitioning));
  }
  if (team.partitioning == Partitioning::kHierarchical) return by_domain(web, team);
  return by_site(web, team);
}

Partition Partition::by_url(const Web& web, const TeamOptions& team) {
  Partition partition;
  partition.owners_.assign(web.graph->pages(), kNoProc);
  if (team.coordination == Coordination::kDynamic) return partition;
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    partition.owners_[page] = web.names ? owner_of(web.names->name(page), team.procs)
                                        : static_cast<ProcId>(draw(1, page) % team.procs);
  }
  return partition;
}

Partition Partition::by_site(const Web& web, const TeamOptions& team) {
  const PageHosts& hosts = *web.hosts;
  const bool dynamic = team.coordination == Coordination::kDynamic;
  Partition partition;
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> site_of(hosts.hosts());
  std::vector<ProcId> owners;
  for (HostId host = 0; host < hosts.hosts(); ++host) {
    const std::string key = key_of(hosts, host, team.partitioning);
    const auto [entry, fresh] = numbers.try_emplace(key, static_cast<std::uint32_t>(owners.size()));
    if (fresh) owners.push_back(dynamic ? kNoProc : owner_of(key, team.procs));
    site_of[host] = entry->second;
  }
  if (dynamic) {
    partition.units_.resize(web.graph->pages());
    for (PageId page = 0; page < web.graph->pages(); ++page) {
      partition.units_[page] = site_of[hosts.host(page)];
    }
    partition.owners_ = std::move(owners);
  } else {
    partition.owners_.resize(web.graph->pages());
    for (PageId page = 0; page < web.graph->pages(); ++page) {
      partition.owners_[page] = owners[site_of[hosts.host(page)]];
    }
  }
  return partition;
}

Result<Partition> Partition::by_domain(const Web& web, const TeamOptions& team) {
  const PageHosts& hosts = *web.hosts;
  if (hosts.hosts() > 0 && hosts.host_name(0).empty()) {
    return error("a hierarchical partition goes by top-level domain, and only the hosts' numbers are known");
  }
  BB_TRY(const DomainRules rules, DomainRules::parse(team.rules, team.procs));
  std::vector<ProcId> by_host(hosts.hosts());
  for (HostId host = 0; host < hosts.hosts(); ++host) {
    const std::string name = hosts.host_name(host);
    const ProcId ruled = rules.owner(top_level_domain(name));
    by_host[host] = ruled != kNoProc ? ruled : owner_of(top_level_domain(name), team.procs);
  }
  Partition partition;
  partition.owners_.resize(web.graph->pages());
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    partition.owners_[page] = by_host[hosts.host(page)];
  }
  return partition;
}

}  // namespace bowerbird
