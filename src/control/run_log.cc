#include "control/run_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/units.h"
#include "crawl/inspect/crawl_history.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kStatusLineUs = 60'000'000;

std::string run_sentence(const CrawlStatus& status) {
  if (!status.stall.empty()) return status.stall;
  return fmt::format("{} fetched, {:.1f} per second, {} queued", plural(status.counts.pages, "page"),
                     status.rates.pages, format_count(status.queued));
}

}  // namespace

Result<std::unique_ptr<LogFile>> open_run_log(const CrawlOptions::Log& options) {
  if (options.file.empty()) return std::unique_ptr<LogFile>();
  LogOptions made;
  made.file = options.file == "-" ? "" : options.file;
  made.format = options.json ? LogFormat::kJson : LogFormat::kText;
  BB_TRY(made.level, parse_log_level(options.level));
  made.bytes = options.bytes;
  // journald sets this variable for the streams that it reads.
  made.prefixes = made.file.empty() && std::getenv("JOURNAL_STREAM") != nullptr;
  return LogFile::open(made);
}

void RunLog::begin(const Crawler& crawler) {
  const CrawlStatus status = crawler.status();
  changes_ = crawler.state().control().changes_made();
  troubles_ = status.troubles;
  write(LogLevel::kInfo, crawler.resumed() ? "crawl resumed" : "crawl started",
        {{"folder", crawler.options().out}, {"policy", status.policy}});
  for (const std::string& note : crawler.notes()) write(LogLevel::kWarning, note);
  notify_.ready("crawling");
}

void RunLog::watch(const Crawler& crawler, const CrawlStatus& status) {
  const std::int64_t now = MonotonicClock().now_us();
  notify_.alive(now, run_sentence(status));
  if (!log_) return;
  note_changes(crawler);
  note_pages(crawler);
  if (!status.failure.empty() && status.failure != failure_) write(LogLevel::kWarning, status.failure);
  failure_ = status.failure;
  if (status.troubles > troubles_)
    write(LogLevel::kWarning,
          fmt::format("{} about files, see crawl.jsonl", plural(status.troubles - troubles_, "warning")));
  troubles_ = status.troubles;
  // The text before the ';' stays the same while the seconds after it change.
  const std::string stall = status.stall.substr(0, status.stall.find(';'));
  if (!stall.empty() && stall != stall_) write(LogLevel::kInfo, status.stall);
  stall_ = stall;
  if (now - status_us_ < kStatusLineUs) return;
  status_us_ = now;
  write(LogLevel::kInfo, "status",
        {{"pages", fmt::format("{}", status.counts.pages)},
         {"pages_per_second", fmt::format("{:.1f}", status.rates.pages)},
         {"bytes", fmt::format("{}", status.counts.bytes)},
         {"queued", fmt::format("{}", status.queued)},
         {"known", fmt::format("{}", status.known)},
         {"memory", fmt::format("{}", status.memory.resident)}});
}

void RunLog::note_changes(const Crawler& crawler) {
  const ControlState& control = crawler.state().control();
  const std::uint64_t fresh =
      std::min<std::uint64_t>(control.changes_made() - changes_, control.changes().size());
  for (std::uint64_t i = fresh; i > 0; --i) {
    const Change& change = control.changes()[control.changes().size() - i];
    write(LogLevel::kInfo, change.text, {{"command", change.command}, {"origin", change.origin}});
  }
  changes_ = control.changes_made();
}

void RunLog::note_pages(const Crawler& crawler) {
  const Activity& activity = crawler.activity();
  const auto& results = activity.results();
  const std::uint64_t fresh = std::min<std::uint64_t>(activity.results_made() - results_, results.size());
  for (std::uint64_t i = fresh; i > 0; --i) {
    const PageResult& result = results[results.size() - i];
    write(LogLevel::kDebug, crawler.state().url(result.page),
          {{"outcome", std::string(outcome_name(result.outcome))},
           {"status", fmt::format("{}", result.status)}});
  }
  results_ = activity.results_made();
}

void RunLog::end(const Crawler& crawler, const CrawlStatus& status, std::string_view why) {
  notify_.stopping();
  note_changes(crawler);
  note_pages(crawler);
  write(LogLevel::kInfo, "crawl ended",
        {{"why", std::string(why)}, {"pages", fmt::format("{}", status.counts.pages)}});
}

}  // namespace bowerbird
