// `bowerbird report`, and the report that a crawl writes when it ends.
#pragma once

#include <string>

#include "base/result.h"

namespace bowerbird {

// Writes report.html and report.json into the folder. The order of a very large crawl is not judged.
Status report_finished_crawl(const std::string& folder, bool quiet);

}  // namespace bowerbird
