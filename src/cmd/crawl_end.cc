#include "cmd/crawl_end.h"

#include "base/units.h"
#include "cmd/terminal.h"

namespace bowerbird {

bool has_failed(const FinishedCrawl& crawl) {
  return crawl.end != CrawlEnd::kStopped && crawl.counts.pages == 0 && !crawl.is_part;
}

Status result_of(const FinishedCrawl& crawl) {
  if (crawl.end == CrawlEnd::kStopped) {
    if (interrupted()) return ended_by_hand();
    return {};
  }
  if (!has_failed(crawl)) return {};
  std::string text = fmt::format("no page was fetched: {}", crawl_end_text(crawl.end));
  if (crawl.counts.failed_seeds.empty() && !crawl.problem.empty())
    text += fmt::format("\nlast problem: {}", crawl.problem);
  for (const FailedSeed& seed : crawl.counts.failed_seeds)
    text += fmt::format("\nseed {}: {}", seed.url, seed.reason);
  if (crawl.counts.seeds_failed > crawl.counts.failed_seeds.size()) {
    text += fmt::format("\n{} failed in all", plural(crawl.counts.seeds_failed, "seed"));
  }
  return Error{text};
}

}  // namespace bowerbird
