// A command given while the crawl runs, and what came of it. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crawl/state/control_state.h"

namespace bowerbird {

// A page that failed, by the log.
struct FailedPage {
  std::string url;
  std::uint8_t outcome = 0;  // an Outcome
};

struct LiveCommand {
  Change change;  // its text is written by Crawler::execute()
  RuleTarget target = RuleTarget::kEverything;
  std::string value;                // host, pattern, option or URL
  std::vector<std::string> values;  // of an option; URLs of seeds
  std::vector<std::string> sitemaps;
  std::vector<FailedPage> failed;  // to be tried again
};

struct CommandResult {
  enum class Kind : std::uint8_t { kDone, kBadRequest, kConflict };
  Kind kind = Kind::kDone;
  std::string text;                       // what was done, or what is wrong
  std::optional<std::uint64_t> affected;  // pages, hosts or URLs
  bool changed = false;                   // false: nothing was to be changed
  std::vector<std::string> warnings;
};

}  // namespace bowerbird
