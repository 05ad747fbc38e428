#include "fleet/join.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "crawl/config/option_table.h"
#include "crawl/config/policy_choice.h"
#include "crawl/config/site_table.h"
#include "fleet/admin.h"
#include "fleet/fleet_exchange.h"
#include "fleet/identity.h"
#include "store/crawl_reader.h"
#include "sys/clock.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

std::string policy_of_fleet(const CrawlOptions& options) {
  const auto admin = FleetAdmin::open(options.fleet.url, options.fleet.name);
  if (!admin.ok()) return "";
  const auto view = (*admin)->look();
  return view.ok() && view->plan ? view->plan->setting("policy") : "";
}

// A folder without one is new, or its owner has lost track of what it is.
Result<MemberIdentity> identity_in(const std::string& folder) {
  BB_TRY(auto identity, read_identity(folder));
  if (identity) return std::move(*identity);
  if (CrawlReader::holds_crawl(folder)) {
    return error(
        ErrorKind::kNeedsUser,
        "{}: fleet-member.json is missing in this crawl folder, so the folder cannot be distinguished from "
        "its copies. Restore the file, or give another --out",
        folder);
  }
  return MemberIdentity{"", random_id(), false};
}

}  // namespace

std::string agreed_settings(const CrawlOptions& options) {
  nlohmann::json settings;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.is(kAgreed)) settings[std::string(row.name)] = row.texts(options);
  }
  if (!options.sites.empty()) settings["site"] = agreed_sites(options.sites);
  return settings.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<std::unique_ptr<Exchange>> join_fleet(CrawlOptions& options) {
  if (options.order.policy == kAutoPolicy) {
    const std::string theirs = policy_of_fleet(options);
    options.order.policy = theirs.empty() ? choose_policy(options, available_memory()).policy : theirs;
  }
  const ParallelOptions& share = options.parallel;
  FleetOptions fleet;
  fleet.url = options.fleet.url;
  fleet.fleet = options.fleet.name;
  fleet.member = share.member;
  std::error_code failed;
  fleet.folder = std::filesystem::absolute(options.out, failed).lexically_normal().string();
  BB_TRY(fleet.identity, identity_in(fleet.folder));
  BB_TRY(fleet.commit, last_commit_in(fleet.folder));
  fleet.lease_s = options.fleet.lease.count();
  fleet.restart_within_s = options.fleet.restart_within.count();
  fleet.replicates_state = options.fleet.replicate_state == StateReplication::kBroker;
  if (const char* const broken = std::getenv("BOWERBIRD_TEST_BROKEN_FLEET"); broken != nullptr) {
    if (std::string_view(broken) == "order") fleet.broken = FleetOptions::Broken::kOrder;
    if (std::string_view(broken) == "fencing") fleet.broken = FleetOptions::Broken::kFencing;
  }
  fleet.coordinator.partitions = static_cast<std::uint32_t>(share.partitions);
  fleet.coordinator.procs = std::max<std::uint64_t>(1, share.procs);
  fleet.coordinator.dynamic = options.fleet.coordination == FleetCoordination::kDynamic;
  fleet.coordinator.pages = options.budget.pages;
  fleet.coordinator.bytes = options.budget.bytes;
  fleet.coordinator.time_s = options.budget.time.count();
  fleet.coordinator.settings = agreed_settings(options);
  BB_TRY(auto bus, Bus::connect(fleet.url));
  static const MonotonicClock clock;
  MemberIdentity identity = fleet.identity;
  const auto fleet_id = std::make_shared<std::string>();
  fleet.on_joined = [identity, fleet_id, folder = fleet.folder] {
    return write_identity(folder, {*fleet_id, identity.member, true});
  };
  BB_TRY(auto exchange, FleetExchange::join(std::move(bus), fleet, clock));
  *fleet_id = identity.fleet = exchange->fleet_id();
  BB_TRY_VOID(write_identity(fleet.folder, identity));
  return std::unique_ptr<Exchange>(std::move(exchange));
}

}  // namespace bowerbird
