// Explains why a crawl treated a URL as it did.
//
// The result is a JSON object; `bowerbird why` prints it. Keys, where they apply: url, state, outcome,
// reason, status, trouble, warc, offset, steps_from_seed, tries, scope, trap, depth_allowed, robots,
// robots_rule, command, requested, host_ended, host_trouble, due, host_opens, hint, queue, score, worth,
// given_as_seed, given_elsewhere, links_to_it, and parents: the links to the page that changed its score
// most, each with url, gave and how. Replays the whole journal. Threads: one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

inline constexpr std::size_t kMostParents = 20;

// crawl: opened for reading, not restored.
Result<nlohmann::json> explain_url(RestoredCrawl& crawl, const std::string& url);

}  // namespace bowerbird
