#include "fleet/recover.h"

#include <algorithm>
#include <filesystem>

#include "crawl/inspect/resumable.h"
#include "crawl/state/restored_crawl.h"
#include "fleet/coordinator.h"
#include "fleet/join.h"
#include "fleet/local_server.h"
#include "fleet/stores.h"
#include "store/crawl_reader.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

// Where each partition is: with its owner, or on its way to one.
struct PartitionOwners {
  std::vector<std::string> owner;    // empty: on its way, or never owned
  std::vector<std::uint64_t> epoch;  // 0: never owned
};

bool is_absorbed(const std::vector<StoppedMember>& members, const std::string& name) {
  return std::ranges::any_of(members, [&](const auto& one) { return one.absorbed.contains(name); });
}

Status check_together(const std::vector<StoppedMember>& members) {
  if (members.empty()) return error("no crawl folders of a fleet were given");
  const StoppedMember& first = members.front();
  std::map<std::string, const StoppedMember*> names;
  for (const StoppedMember& one : members) {
    if (one.identity.fleet != first.identity.fleet)
      return error("{} and {} belong to different fleets", first.folder, one.folder);
    if (one.settings != first.settings || one.held.size() != first.held.size())
      return error("{} and {} have different options", first.folder, one.folder);
    const auto [other, fresh] = names.try_emplace(one.name, &one);
    if (!fresh) return error("{} and {} are both folders of {}", other->second->folder, one.folder, one.name);
  }
  return {};
}

Result<PartitionOwners> find_partitions(const std::vector<StoppedMember>& members) {
  const std::size_t partitions = members.front().held.size();
  PartitionOwners owners{std::vector<std::string>(partitions), std::vector<std::uint64_t>(partitions)};
  std::vector<bool> found(partitions, true);
  for (const StoppedMember& one : members) {
    // What it owned moves on from the process that took it over.
    const bool gone = is_absorbed(members, one.name);
    for (std::uint32_t p = 0; p < partitions; ++p) {
      const bool holds = one.held[p] && !gone;
      const std::uint64_t epoch = one.epochs[p] + (one.held[p] && gone ? 1 : 0);
      if (holds && epoch == owners.epoch[p] && !owners.owner[p].empty())
        return error("partition {} is in the folders of {} and {}", p, owners.owner[p], one.name);
      if (epoch > owners.epoch[p] || (holds && epoch == owners.epoch[p])) {
        owners.epoch[p] = epoch;
        owners.owner[p] = holds ? one.name : "";
        found[p] = holds;
      }
    }
  }
  for (const StoppedMember& one : members) {
    for (const auto& [p, epoch] : one.moving) found[p] = found[p] || epoch == owners.epoch[p];
  }
  for (std::uint32_t p = 0; p < partitions; ++p) {
    if (found[p]) continue;
    return error(
        "partition {} is in none of these folders: give the folders of all processes, including those on "
        "other machines",
        p);
  }
  return owners;
}

MemberRecord record_of_stopped(const StoppedMember& one, const std::vector<StoppedMember>& members) {
  MemberRecord record;
  record.id = one.identity.member;
  record.folder = one.folder;
  record.machine = machine_name();
  record.stopped = true;
  const auto by =
      std::ranges::find_if(members, [&](const auto& other) { return other.absorbed.contains(one.name); });
  const bool holds = std::ranges::find(one.held, true) != one.held.end();
  if (by != members.end()) {
    record.state = MemberRecord::State::kAbsorbed;
    record.by = by->name;
  } else if (!holds && !one.to_send) {
    record.state = MemberRecord::State::kLeft;
  }
  if (record.in_fleet()) return record;
  record.pages = one.pages;
  record.bytes = one.bytes;
  for (std::uint32_t p = 0; p < one.held.size(); ++p) {
    if (one.held[p]) record.given[p] = one.epochs[p] + 1;
  }
  return record;
}

}  // namespace

Result<StoppedMember> read_stopped_member(const std::string& folder) {
  BB_TRY(auto identity, read_identity(folder));
  if (!identity || identity->fleet.empty())
    return error("{}: this folder does not belong to a fleet", folder);
  if (look_at_lock(folder + "/" + crawl_files::kLock).holder != 0)
    return error("{}: a process is still using this folder; stop all processes first", folder);
  CrawlOptions options;
  BB_TRY_VOID(read_last_options(folder, options));
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
  crawl->read_visits();
  BB_TRY_VOID(crawl->restore());
  const FleetState* const fleet = crawl->state().fleet();
  if (fleet == nullptr) return error("{}: this folder does not belong to a fleet", folder);
  StoppedMember member;
  member.name = crawl->options().parallel.member;
  member.folder = folder;
  member.identity = std::move(*identity);
  member.commit = crawl->reader().commit().number;
  member.settings = agreed_settings(options);
  member.lease_s = options.fleet.lease.count();
  for (std::uint32_t p = 0; p < fleet->partitions(); ++p) {
    member.held.push_back(fleet->holds(p));
    member.epochs.push_back(fleet->epoch(p));
  }
  for (const Message& message : fleet->outbox()) {
    if (!is_transfer(*message.content)) continue;
    const auto content = unpack(*message.content);
    const auto* const move = content.ok() ? std::get_if<PartitionTransfer>(&*content) : nullptr;
    if (move == nullptr) return error("{}: a message in its outbox is damaged", folder);
    std::uint64_t& epoch = member.moving[message.id.partition];
    epoch = std::max(epoch, move->epoch);
  }
  member.to_send = !fleet->nothing_to_send();
  member.absorbed = fleet->absorbed();
  member.pages = crawl->counts().pages;
  member.bytes = crawl->counts().bytes;
  return member;
}

Result<RecoveredFleet> recovered_fleet(const std::vector<StoppedMember>& members) {
  BB_TRY_VOID(check_together(members));
  BB_TRY(const PartitionOwners owners, find_partitions(members));
  RecoveredFleet fleet;
  fleet.fleet_id = members.front().identity.fleet;
  fleet.lease_s = members.front().lease_s;
  fleet.plan.settings = members.front().settings;
  fleet.plan.epochs = owners.epoch;
  for (const StoppedMember& one : members) {
    fleet.records[one.name] = record_of_stopped(one, members);
    fleet.commits[one.name] = one.commit;
  }
  std::map<std::string, std::size_t> owned;
  const auto count_those_who = [&](auto&& may) {
    for (const auto& [name, record] : fleet.records) {
      if (may(record)) owned[name] = 0;
    }
  };
  count_those_who([](const MemberRecord& record) { return record.in_fleet(); });
  // If all have left, or nobody owned anything yet, all who were not taken over continue.
  if (owned.empty()) {
    count_those_who([](const MemberRecord& one) { return one.state == MemberRecord::State::kLeft; });
    for (const auto& [name, unused] : owned) fleet.records[name].state = MemberRecord::State::kIn;
  }
  if (owned.empty())
    return error(
        "each of these processes was taken over by another one; the folder of the last one is missing");
  for (const std::string& name : owners.owner) {
    if (!name.empty()) ++owned[name];
  }
  for (std::uint32_t p = 0; p < owners.owner.size(); ++p) {
    std::string owner = owners.owner[p];
    if (owner.empty()) {
      const auto least = std::ranges::min_element(owned, {}, [](const auto& one) { return one.second; });
      owner = least->first;
      ++least->second;
    }
    if (owners.epoch[p] == 0) fleet.fresh.push_back(p);
    fleet.plan.owners.push_back(std::move(owner));
  }
  return fleet;
}

// The record of the fleet comes last: processes do not join before it is there.
Status write_fleet(Bus& bus, const FleetNames& names, const RecoveredFleet& fleet) {
  BB_TRY(const FleetStoresMade stores, make_stores(bus, names, fleet.lease_s));
  BusStore& records = *stores.records;
  BB_TRY(const auto there, records.get(kFleetKey));
  if (there) {
    return error("this server already has a fleet named {}; nothing needs to be recovered", names.fleet);
  }
  BB_TRY_VOID(records.put(kPlanKey, fleet.plan.to_json()));
  BB_TRY_VOID(records.put(kPlanCopyKey, fleet.plan.to_json()));
  for (const auto& [name, record] : fleet.records)
    BB_TRY_VOID(records.put(FleetNames::member(name), record.to_json()));
  for (const auto& [name, commit] : fleet.commits)
    BB_TRY_VOID(records.put(FleetNames::commit(name), std::to_string(commit)));
  const std::vector<bool> taken = bus.publish_kept(first_messages({names.fleet, stores.key}, fleet.fresh));
  if (std::ranges::find(taken, false) != taken.end())
    return error(ErrorKind::kRetry, "the broker rejected the partitions; try again");
  BB_TRY(const auto made, records.create(kFleetKey, FleetRecord{fleet.fleet_id}.to_json()));
  if (!made) return error("another process has just created a fleet named {} on this server", names.fleet);
  return {};
}

Result<RecoveredFleet> recover_fleet(const std::vector<std::string>& folders, const std::string& url,
                                     const std::string& fleet_name) {
  std::vector<StoppedMember> members;
  for (const std::string& folder : folders) {
    BB_TRY(StoppedMember member, read_stopped_member(folder));
    members.push_back(std::move(member));
  }
  BB_TRY(RecoveredFleet fleet, recovered_fleet(members));
  BB_TRY(const auto bus, Bus::connect(url));
  BB_TRY_VOID(write_fleet(*bus, FleetNames{fleet_name}, fleet));
  return fleet;
}

Result<RecoveredFleet> recover_fleet(const std::string& where, const std::vector<std::string>& more,
                                     const FleetSetup& setup) {
  if (!setup.exchanges()) return error("{}: this fleet has no NATS server", where);
  std::vector<std::string> folders;
  if (CrawlReader::holds_crawl(where)) folders.push_back(where);
  for (const std::string& folder : fleet_folders(where)) folders.push_back(folder);
  folders.insert(folders.end(), more.begin(), more.end());
  for (std::string& folder : folders) {
    std::error_code failed;
    folder = std::filesystem::absolute(folder, failed).lexically_normal().string();
  }
  if (!setup.url.empty()) return recover_fleet(folders, setup.url, setup.fleet);
  BB_TRY(const auto lock, Disk::real().lock(where + "/lock"));
  BB_TRY(const auto server, LocalServer::start(where + "/nats", 0, "127.0.0.1", setup.fleet));
  return recover_fleet(folders, server->url(), setup.fleet);
}

}  // namespace bowerbird
