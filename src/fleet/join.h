// From the options of a crawl to its place in a fleet.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "crawl/config/options.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

// Waits a moment for the engine; the error says what to do. Where the ordering is left open, that of the
// fleet is put into the options, or, if this is the first process of it, the usual choice.
Result<std::unique_ptr<Exchange>> join_fleet(CrawlOptions& options);
// Whether all processes of a fleet must say the same of this option, as long as there is the fleet.
bool is_agreed(std::string_view option);

}  // namespace bowerbird
