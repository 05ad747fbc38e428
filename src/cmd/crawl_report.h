// `bowerbird report`, and the report that a crawl writes when it ends.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace bowerbird {

// The maximum number of pages whose order is judged when a crawl with this --memory (0: none) ends.
std::uint64_t most_judged_pages(std::uint64_t memory);

// Writes report.html and report.json into the folder. The order of a larger crawl is not judged.
Status report_finished_crawl(const std::string& folder, std::uint64_t memory, bool quiet);

}  // namespace bowerbird
