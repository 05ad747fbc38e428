#include "cmd/seen_crawl.h"

#include "fleet/fleet_setup.h"

namespace bowerbird {

Status check_no_fleet(const std::string& folder) {
  if (!holds_fleet(folder)) return {};
  return error(
      "{0} contains a fleet, not a crawl. Use `bowerbird fleet status {0}`, or merge it into one crawl with "
      "`bowerbird fleet merge {0} --into DIR`",
      folder);
}

Result<std::unique_ptr<RestoredCrawl>> open_seen_crawl(const std::string& folder) {
  BB_TRY_VOID(check_no_fleet(folder));
  return RestoredCrawl::open_to_read(folder);
}

}  // namespace bowerbird
