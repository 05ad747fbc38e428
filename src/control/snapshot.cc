#include "control/snapshot.h"

#include <fmt/chrono.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <ctime>

#include "crawl/inspect/crawl_history.h"

namespace bowerbird {

DiskSpace disk_space(const std::string& folder) {
  struct statvfs info {};
  if (::statvfs(folder.c_str(), &info) != 0) return {};
  return {std::uint64_t{info.f_bavail} * info.f_frsize, std::uint64_t{info.f_blocks} * info.f_frsize};
}

bool LiveSnapshot::is_paused() const {
  return std::ranges::any_of(pauses,
                             [](const RuleView& one) { return one.target == RuleTarget::kEverything; });
}

std::string time_text(std::int64_t ms) {
  ms = std::max<std::int64_t>(0, ms);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)),
                     ms % 1000);
}

std::uint64_t failed_pages(const CrawlCounts& counts) {
  std::uint64_t failed = 0;
  for (const OutcomeRule& rule : outcome_table()) {
    if (is_failure(rule.outcome)) failed += counts.outcomes[static_cast<std::size_t>(rule.outcome)];
  }
  return failed;
}

std::uint64_t failure_kinds(const CrawlCounts& counts) {
  return static_cast<std::uint64_t>(std::ranges::count_if(outcome_table(), [&](const OutcomeRule& rule) {
    return is_failure(rule.outcome) && counts.outcomes[static_cast<std::size_t>(rule.outcome)] > 0;
  }));
}

}  // namespace bowerbird
