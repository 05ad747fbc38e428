// Crawl folders as commands open them, to look at.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// The crawl as of its last commit; its state is not restored yet. The folder of a fleet is refused.
Result<std::unique_ptr<RestoredCrawl>> open_seen_crawl(const std::string& folder);

}  // namespace bowerbird
