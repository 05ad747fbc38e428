// Creates the stores of a fleet again when its broker has lost its data.
//
// Problem: the broker has the plan and the records of the processes, and the crawl stops without them. All of
// it follows from the folders: each has the partitions that its process owns, with their epochs, and what it
// has not been able to send. Messages that only the broker had are sent again from their outboxes. The
// folders of all processes are needed, and no process may be running. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/fleet_setup.h"
#include "fleet/identity.h"
#include "fleet/names.h"
#include "fleet/plan.h"

namespace bowerbird {

// One process of a fleet, as of the last commit in its folder.
struct StoppedMember {
  std::string name;
  std::string folder;
  MemberIdentity identity;
  std::uint64_t commit = 0;
  std::string settings;  // on which all processes agree
  double lease_s = 0;
  std::vector<bool> held;             // by partition
  std::vector<std::uint64_t> epochs;  // the same
  Epochs moving;                      // partitions in its outbox, with the epochs under which they move
  bool to_send = false;               // it has anything in its outbox
  std::set<std::string> absorbed;     // processes whose partitions it took over
  std::uint64_t pages = 0, bytes = 0;
};
Result<StoppedMember> read_stopped_member(const std::string& folder);

struct RecoveredFleet {
  std::string fleet_id;
  double lease_s = 0;
  FleetPlan plan;
  std::map<std::string, MemberRecord> records;
  std::map<std::string, std::uint64_t> commits;
  std::vector<std::uint32_t> fresh;  // partitions that nobody has ever owned
};
// An error if the folders are not those of all processes of one fleet.
Result<RecoveredFleet> recovered_fleet(const std::vector<StoppedMember>& members);

// An error if the broker knows the fleet.
Status write_fleet(Bus& bus, const FleetNames& names, const RecoveredFleet& fleet);

// All of it. url: of the NATS server. folders: of all processes.
Result<RecoveredFleet> recover_fleet(const std::vector<std::string>& folders, const std::string& url,
                                     const std::string& fleet_name);

// The same for the fleet in the folder `where` (launcher.h), on its own server if it has one. more: folders
// of processes that are not in it. where may be a crawl folder, too, if `setup` has a server.
Result<RecoveredFleet> recover_fleet(const std::string& where, const std::vector<std::string>& more,
                                     const FleetSetup& setup);

}  // namespace bowerbird
