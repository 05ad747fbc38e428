#include "lab/parallel/partition.h"

#include <unordered_map>

#include "base/rng.h"
#include "url/partition.h"
#include "url/site.h"

namespace bowerbird {
namespace {

ProcId owner_of(std::string_view key, unsigned procs) {
  return static_cast<ProcId>(partition_of(key, partitions_for(procs)) % procs);
}

// By name as in a live crawl; by number if there is no name.
ProcId owner_of_host(const std::string& name, HostId host, Partitioning partitioning,
                     const DomainRules& rules, unsigned procs) {
  if (name.empty()) return owner_of("#" + std::to_string(host), procs);
  return static_cast<ProcId>(partition_of_host(name, partitioning, rules, partitions_for(procs)) % procs);
}

}  // namespace

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
    const std::string name = hosts.host_name(host);
    const std::string key = name.empty()                                   ? "#" + std::to_string(host)
                            : team.partitioning == Partitioning::kHostHash ? name
                                                                           : site_of_host(name);
    const auto [entry, fresh] = numbers.try_emplace(key, static_cast<std::uint32_t>(owners.size()));
    if (fresh) {
      owners.push_back(dynamic ? kNoProc : owner_of_host(name, host, team.partitioning, {}, team.procs));
    }
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
    by_host[host] = owner_of_host(hosts.host_name(host), host, team.partitioning, rules, team.procs);
  }
  Partition partition;
  partition.owners_.resize(web.graph->pages());
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    partition.owners_[page] = by_host[hosts.host(page)];
  }
  return partition;
}

}  // namespace bowerbird
