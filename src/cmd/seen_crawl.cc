#include "cmd/seen_crawl.h"

#include "fleet/fleet_setup.h"

namespace bowerbird {

Result<std::unique_ptr<RestoredCrawl>> open_seen_crawl(const std::string& folder) {
  if (holds_fleet(folder)) {
    return error(
        "{0} holds a fleet, not a crawl. Use `bowerbird fleet status {0}`, or merge it into one crawl with "
        "`bowerbird fleet merge {0} --into DIR`",
        folder);
  }
  return RestoredCrawl::open_to_read(folder);
}

}  // namespace bowerbird
