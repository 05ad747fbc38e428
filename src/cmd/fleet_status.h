// How a fleet stands: by its broker, by its folders, and by what all of them hold together.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "cmd/app.h"
#include "crawl/state/crawl_status.h"
#include "fleet/admin.h"
#include "fleet/launcher.h"
#include "fleet/page_check.h"

namespace bowerbird {

// One line, for those who watch. pages: by process, as far as was ever heard; one that is lost counts too.
std::string line_of(const FleetView& view, std::map<std::string, std::uint64_t>& pages);

// What the crawl folders in that of a fleet hold, by their last commits.
struct FolderSums {
  CrawlCounts counts;
  std::uint64_t folders = 0;
};
FolderSums sum_folders(const std::string& folder);

nlohmann::json json_of(const PageCheck& check);

// `where` is the folder of a fleet, or the server of one whose processes were started one by one.
Result<FleetSetup> setup_of(const std::string& where, const std::string& fleet_name);

struct FleetQuestions {
  bool owners = false;
  bool check = false;
};
Status show_fleet(const std::string& where, const std::string& fleet_name, const FleetQuestions& questions,
                  const CommonOptions& common);

}  // namespace bowerbird
