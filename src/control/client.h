// Sends API requests to a running crawl over the Unix socket in its folder; for `ctl`, `watch` and the
// launcher of a fleet.
//
// Each call opens a connection and waits for the response. Threads: any.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "control/backend.h"

namespace bowerbird {

// The response of the crawl. An error: no crawl runs in the folder, or it did not respond in time. who:
// the client, recorded as the origin of changes.
Result<Answer> ask_crawl(const std::string& folder, const std::string& method, const std::string& target,
                         const nlohmann::json& body, const std::string& who, int most_seconds = 310);
// The metrics of the crawl, if it runs.
Result<std::string> read_metrics(const std::string& folder, MetricsFormat format, int most_seconds);
// Whether a crawl with a socket runs in the folder.
bool can_ask_crawl(const std::string& folder);
// The request target for an API call: "/api/v1/hosts?sort=delay".
std::string target_of(const Ask& ask);

}  // namespace bowerbird
