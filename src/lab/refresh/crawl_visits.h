// The visits that a crawl folder has stored, for learning change rates from them.
//
// A visit is a stored response with status 2xx, or a 304. The page had changed if the body differs from the
// one of the visit before; a 304 says that it had not. Failed visits are left out: they teach nothing. The
// folder is read as it stood at its last commit. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/refresh/rates.h"

namespace bowerbird {

// In the order of time.
Result<std::vector<PageVisit>> crawl_visits(const std::string& folder);

}  // namespace bowerbird
