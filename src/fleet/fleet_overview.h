// The state of a fleet at one moment, from its broker and its folders.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/state/crawl_status.h"
#include "fleet/admin.h"
#include "fleet/fleet_setup.h"
#include "fleet/page_check.h"

namespace bowerbird {

// Totals of the crawl folders in a fleet's folder, as of their last commits.
struct FolderSums {
  CrawlCounts counts;
  std::uint64_t folders = 0;
};
FolderSums sum_folders(const std::string& folder);

// The last heartbeat of a process. If it does not respond, made up from its folder or record.
Heartbeat last_heartbeat(const FleetMember& member);
// "crawling", "quiet", "leaving", "silent", ...
std::string member_state(const FleetMember& member);

struct FleetTotals {
  std::uint64_t processes = 0;  // that respond
  std::uint64_t pages = 0;
  std::uint64_t queued = 0;
  std::uint64_t urls_sent = 0;
  double pages_per_second = 0;
};
// pages: by process, the maximum ever reported; lost processes count too.
FleetTotals add_up(const FleetView& view, std::map<std::string, std::uint64_t>& pages);

struct FleetOverview {
  FolderSums sums;
  std::optional<PageCheck> check;
  std::optional<FleetView> view;  // none: there is no broker, or it does not respond
  bool exchanges = false;
  bool running = false;
  std::string problem;                 // why the broker does not respond
  std::vector<std::string> elsewhere;  // members whose folders cannot be read from here
};
// where: the folder of the fleet, or its server. check: read all URLs and links of its folders. An error if
// neither broker nor folder can be read.
Result<FleetOverview> look_at_fleet(const std::string& where, const FleetSetup& setup, bool check);

nlohmann::json to_json(const PageCheck& check);
// owners: also which process owns which partition.
nlohmann::json to_json(const FleetOverview& fleet, bool owners);

}  // namespace bowerbird
