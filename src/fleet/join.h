// Makes a crawl a member of a fleet.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "crawl/config/options.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

// Waits a moment for the broker; the error says what to do. If the options leave the ordering open, they get
// that of the fleet or, in its first process, the default.
Result<std::unique_ptr<Exchange>> join_fleet(CrawlOptions& options);
// Whether this option must have the same value in all processes of a fleet.
bool is_agreed(std::string_view option);

}  // namespace bowerbird
