// From the options of a crawl to its place in a fleet.
#pragma once

#include <memory>

#include "base/result.h"
#include "crawl/exchange.h"
#include "crawl/options.h"

namespace bowerbird {

// Waits a moment for the engine; the error says what to do.
Result<std::unique_ptr<Exchange>> join_fleet(const CrawlOptions& options);

}  // namespace bowerbird
