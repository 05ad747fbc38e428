// `bowerbird report`, and the report that a crawl leaves when it ends.
#pragma once

#include <string>

#include "base/result.h"

namespace bowerbird {

// Writes report.html and report.json into the folder. Of a very large crawl the order is not judged.
Status report_finished_crawl(const std::string& folder, bool quiet);

}  // namespace bowerbird
