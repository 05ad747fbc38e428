// Opens crawl folders for commands that inspect them.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// An error if the folder is that of a fleet: most commands need one crawl.
Status check_no_fleet(const std::string& folder);
// The crawl as of its last commit; its state is not restored yet. The folder of a fleet is refused.
Result<std::unique_ptr<RestoredCrawl>> open_seen_crawl(const std::string& folder);

}  // namespace bowerbird
