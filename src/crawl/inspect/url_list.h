// The URLs of a crawl by state, for `bowerbird urls`. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/state/restored_crawl.h"
#include "policy/reported_score.h"

namespace bowerbird {

enum class UrlState : std::uint8_t {
  kQueued,      // not fetched yet; best first, ignoring politeness
  kDone,        // fetched or given up
  kFailed,      // given up
  kKnown,       // all, including URLs out of scope
  kIncomplete,  // fetched pages that lack requisites (completeness.h)
};
// An error: there is no state of this name.
Result<UrlState> parse_url_state(std::string_view name);

struct ListedUrl {
  std::string url;
  std::string outcome = {};                 // kFailed
  std::vector<std::string> missing = {};    // kIncomplete: "URL: reason", or a reason alone
  std::optional<ReportedScore> score = {};  // kQueued
};

// Calls take(url) for the first `most` URLs in this state. crawl: opened for reading, not restored.
Status list_urls(RestoredCrawl& crawl, UrlState state, std::uint64_t most,
                 const std::function<void(const ListedUrl&)>& take);

}  // namespace bowerbird
