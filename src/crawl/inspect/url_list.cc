#include "crawl/inspect/url_list.h"

#include <algorithm>
#include <vector>

#include "crawl/inspect/completeness.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/crawl_log.h"

namespace bowerbird {

namespace {

using TakeUrl = std::function<void(const ListedUrl&)>;

bool names_failure(std::string_view outcome) {
  return std::ranges::any_of(outcome_table(), [outcome](const OutcomeRule& rule) {
    return rule.name == outcome && is_failure(rule.outcome);
  });
}

Status list_failed(const RestoredCrawl& crawl, std::uint64_t most, const TakeUrl& take) {
  return each_log_line(crawl.options().out, crawl.reader(), [&](const nlohmann::json& line) {
    const std::string outcome = log_text(line, "outcome");
    if (most == 0 || !names_failure(outcome) || is_requisite_line(line) || line.contains("visit")) return;
    --most;
    take({.url = log_text(line, "url"), .outcome = outcome});
  });
}

// Maximum number of requisites named per page.
constexpr std::size_t kMostMissing = 20;

Status list_incomplete(RestoredCrawl& crawl, std::uint64_t most, const TakeUrl& take) {
  CrawlReader& reader = crawl.reader();
  BB_TRY_VOID(read_completeness(reader, [&](const IncompletePage& page) -> Status {
    if (most == 0) return {};
    --most;
    ListedUrl one;
    BB_TRY(one.url, reader.url(page.page));
    const std::vector<std::string> reasons = incomplete_reasons(page);
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (i >= page.missing.size()) {
        one.missing.push_back(reasons[i]);
      } else if (i < kMostMissing) {
        BB_TRY(const std::string url, reader.url(page.missing[i].page));
        one.missing.push_back(url + ": " + reasons[i]);
      }
    }
    if (page.missing.size() > kMostMissing)
      one.missing.push_back(fmt::format("{} more", page.missing.size() - kMostMissing));
    take(one);
    return {};
  }));
  return {};
}

Status list_known(const RestoredCrawl& crawl, std::uint64_t most, const TakeUrl& take) {
  return crawl.reader().for_each_url([&](PageId page, std::string_view url) {
    if (page < most) take({.url = std::string(url)});
  });
}

void list_queued(const RestoredCrawl& crawl, std::uint64_t most, const TakeUrl& take) {
  const CrawlState& state = crawl.state();
  std::vector<QueueItem> items;
  for (PageId page = 0; page < state.pages(); ++page) {
    if (const auto item = state.frontier().item(page)) items.push_back(*item);
  }
  const auto last = items.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, items.size()));
  std::partial_sort(items.begin(), last, items.end(),
                    [](const QueueItem& a, const QueueItem& b) { return a.better_than(b); });
  for (auto item = items.begin(); item != last; ++item) {
    take({.url = state.url(item->page()),
          .score = reported_score(crawl.options().order.policy, item->score())});
  }
}

}  // namespace

Result<UrlState> parse_url_state(std::string_view name) {
  if (name == "queued") return UrlState::kQueued;
  if (name == "done") return UrlState::kDone;
  if (name == "failed") return UrlState::kFailed;
  if (name == "known") return UrlState::kKnown;
  if (name == "incomplete") return UrlState::kIncomplete;
  return error("'{}' is not one of queued, done, failed, known or incomplete", name);
}

Status list_urls(RestoredCrawl& crawl, UrlState wanted, std::uint64_t most, const TakeUrl& take) {
  if (wanted == UrlState::kFailed) return list_failed(crawl, most, take);
  if (wanted == UrlState::kKnown) return list_known(crawl, most, take);
  if (wanted == UrlState::kIncomplete) return list_incomplete(crawl, most, take);
  BB_TRY_VOID(crawl.restore());
  if (wanted == UrlState::kQueued) {
    list_queued(crawl, most, take);
    return crawl.state().status();
  }
  for (PageId page = 0; page < crawl.state().pages() && most > 0; ++page) {
    if (crawl.state().frontier().state(page) != PageState::kDone) continue;
    --most;
    take({.url = crawl.state().url(page)});
  }
  return crawl.state().status();
}

}  // namespace bowerbird
