// Makes a crawl a member of a fleet.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "crawl/config/options.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

// Waits a moment for the broker; the error says what to do. If the options name no ordering, they get that of
// the fleet or, in its first process, the default.
Result<std::unique_ptr<Exchange>> join_fleet(CrawlOptions& options);

// The options on which all processes must agree, as JSON.
std::string agreed_settings(const CrawlOptions& options);

}  // namespace bowerbird
