// The visits that a crawl folder has stored, for learning change rates from them.
//
// A visit is a stored response with status 2xx, or a 304. The page had changed if the body differs from that
// of the previous visit; a 304 means that it had not. Failed visits are skipped, since they contain no
// information. The folder is read as of its last commit. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/refresh/rates.h"

namespace bowerbird {

// In order of time.
Result<std::vector<PageVisit>> crawl_visits(const std::string& folder);

}  // namespace bowerbird
