// A command to the running crawl, and its result. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crawl/state/control_state.h"

namespace bowerbird {

// A failed page from crawl.jsonl.
struct FailedPage {
  std::string url;
  std::uint8_t outcome = 0;  // an Outcome
};

struct LiveCommand {
  Change change;  // its text is set by Crawler::execute()
  RuleTarget target = RuleTarget::kEverything;
  std::string value;                // host, pattern, option name or URL
  std::vector<std::string> values;  // option values, or URLs of seeds
  std::vector<std::string> sitemaps;
  std::vector<FailedPage> failed;  // pages to retry
};

struct CommandResult {
  enum class Kind : std::uint8_t { kDone, kBadRequest, kConflict };
  Kind kind = Kind::kDone;
  std::string text;                       // what was done, or the error
  std::optional<std::uint64_t> affected;  // number of pages, hosts or URLs
  bool changed = false;                   // false: there was nothing to change
  std::vector<std::string> warnings;
};

}  // namespace bowerbird
