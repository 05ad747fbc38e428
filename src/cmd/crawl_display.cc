#include "cmd/crawl_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/units.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

constexpr double kLogEvery = 10;

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// The time until the first budget is reached, at the present rate; without budgets, until the queue is empty
// if no page brought new ones.
std::string left_text(const CrawlStatus& status) {
  double left = -1;
  const auto consider = [&](double seconds) { left = left < 0 ? seconds : std::min(left, seconds); };
  const auto used_up = [&](std::uint64_t budget, std::uint64_t used, double rate) {
    if (budget > used && rate > 0) consider(static_cast<double>(budget - used) / rate);
  };
  used_up(status.budgets.pages, status.counts.pages, status.pages_per_second);
  used_up(status.budgets.bytes, status.counts.bytes, status.bytes_per_second);
  if (status.budgets.seconds > 0) consider(std::max(0.0, status.budgets.seconds - status.seconds));
  if (left >= 0) return fmt::format(", {} left", time_text(left));
  if (status.pages_per_second <= 0 || status.queued == 0) return "";
  return fmt::format(", {} for what is queued",
                     time_text(static_cast<double>(status.queued) / status.pages_per_second));
}

// The rate of this run; empty if it fetched nothing.
std::string run_text(const CrawlStatus& status) {
  if (status.run_pages == 0 || status.seconds <= 0) return "";
  return fmt::format(", {:.1f} pages/s", static_cast<double>(status.run_pages) / status.seconds);
}

std::string hosts_text(const CrawlStatus& status) {
  std::string text = fmt::format("hosts: {} known, {} active, {} waiting", format_count(status.hosts.known),
                                 format_count(status.hosts.active), format_count(status.hosts.waiting));
  const auto add = [&](std::uint64_t hosts, std::string_view what) {
    if (hosts > 0) text += fmt::format(", {} {}", format_count(hosts), what);
  };
  add(status.hosts.given_up, "given up");
  add(status.hosts.at_budget, "at their budget");
  add(status.hosts.repeating, "closed because their pages are near-duplicates");
  return text;
}

std::string progress_text(const CrawlStatus& status) {
  std::string text;
  if (status.guaranteed >= 0) text = fmt::format("  guaranteed: {}", bound_text(status.guaranteed, 1));
  if (status.has_topic) text += fmt::format("  on the topic: {}", format_count(status.counts.on_topic));
  return text;
}

}  // namespace

std::string memory_text(const MemoryUse& use) {
  if (use.budget == 0) return format_bytes(use.resident);
  return fmt::format(
      "{} of {}{}", format_bytes(use.resident), format_bytes(use.budget),
      use.stage == MemoryStage::kEasy ? "" : fmt::format(" ({})", memory_stage_text(use.stage)));
}

std::string memory_cost(const MemoryUse& use, const CrawlCounts& counts, std::uint64_t troubles) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (use.urls_on_disk > 0) {
    add(fmt::format("{} and {} on disk ({}), {} for their links", plural(use.urls_on_disk, "URL"),
                    plural(use.hosts_on_disk, "host"), format_bytes(use.disk),
                    plural(use.waiting_pages, "page waits", "pages wait")));
  }
  if (use.queued_on_disk > 0) {
    add(fmt::format("{} of the frontier on disk ({})", format_count(use.queued_on_disk),
                    format_bytes(use.queue_disk)));
  }
  if (use.links_on_disk > 0) {
    add(fmt::format("{} of the ordering's graph on disk ({})", plural(use.links_on_disk, "link"),
                    format_bytes(use.links_disk)));
  }
  if (counts.rejected > 0) {
    add(fmt::format("{} rejected (worth {:.3g})", plural(counts.rejected, "new URL"), counts.rejected_worth));
  }
  if (use.dropped > 0) {
    add(fmt::format("{} dropped (worth {:.3g})", plural(use.dropped, "link"), use.dropped_worth));
  }
  if (use.bound_given_up) add("the guaranteed share of importance is no longer tracked");
  if (troubles > 0) add(plural(troubles, "warning") + " about files, see crawl.jsonl");
  return text;
}

std::string bound_text(double guaranteed, int digits) {
  return fmt::format("at least {:.{}f} % of the seeds' PageRank", 100 * guaranteed, digits);
}

std::string outcome_list(const CrawlCounts& counts, std::size_t most) {
  if (counts.completed == 0) return "no pages fetched";
  std::vector<std::pair<std::uint64_t, std::string_view>> others;
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint64_t count = counts.outcomes[static_cast<std::size_t>(rule.outcome)];
    if (count > 0 && rule.outcome != Outcome::kFetched) others.emplace_back(count, rule.name);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = format_count(counts.pages) + " fetched";
  for (std::size_t i = 0; i < std::min(most, others.size()); ++i) {
    text += fmt::format(", {} {}", format_count(others[i].first), others[i].second);
  }
  return text;
}

std::string requisite_text(const CrawlCounts& counts, std::uint64_t pending) {
  const RequisiteCounts& done = counts.requisites;
  if (done.done() + pending == 0) return "";
  std::string text = fmt::format("{} fetched ({})", format_count(done.fetched()), format_bytes(done.bytes));
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format(", {} {}", format_count(count), what);
  };
  add(pending, "pending");
  add(done.outcomes[static_cast<std::size_t>(Outcome::kNotFound)], "not-found");
  add(done.outcomes[static_cast<std::size_t>(Outcome::kRobots)], "forbidden by robots.txt");
  add(done.over_limit, "over the limit of their page");
  add(done.failed() - done.outcomes[static_cast<std::size_t>(Outcome::kRobots)] - done.over_limit, "failed");
  return text;
}

void show_requisites(const CrawlCounts& counts, std::uint64_t pending) {
  if (const std::string text = requisite_text(counts, pending); !text.empty())
    fmt::print("requisites {}\n", text);
}

void show_excluded(const CrawlCounts& counts) {
  std::string_view title = "excluded";
  const auto show = [&](std::uint64_t count, std::string_view unit, std::string_view what,
                        std::string_view remedy) {
    fmt::print("{:<9} {}: {}", title, plural(count, unit), what);
    if (!remedy.empty()) fmt::print("; to include {}, use {}", count == 1 ? "it" : "them", remedy);
    fmt::print("\n");
    title = "";
  };
  for (const ExclusionRule& rule : exclusion_table()) {
    const std::uint64_t links = counts.excluded[static_cast<std::size_t>(rule.rule)];
    if (links > 0) show(links, "link", rule.what, rule.remedy);
  }
  for (const auto& [type, pages] : counts.unwanted_types) {
    show(pages, "page", rule_of(Outcome::kUnwanted).what, fmt::format("--types {}", printable(type)));
  }
}

void show_refresh(const VisitCounts& counts) {
  if (counts.visits == 0 && counts.freshness < 0) return;
  fmt::print("refresh   {}: {} changed, {} not modified ({} saved), {} failed, {} gone\n",
             plural(counts.visits, "visit"), format_count(counts.changed), format_count(counts.not_modified),
             format_bytes(counts.bytes_saved), format_count(counts.failed), format_count(counts.gone));
  if (counts.freshness >= 0)
    fmt::print("          freshness {:.3f}, age {:.3g} days (estimated)\n", counts.freshness, counts.age);
}

void show_failed_seeds(const CrawlCounts& counts) {
  if (counts.seeds_failed == 0) return;
  fmt::print("failed    {}\n", plural(counts.seeds_failed, "seed"));
  for (const FailedSeed& seed : counts.failed_seeds)
    fmt::print("          {}: {}\n", printable(seed.url), printable(seed.reason));
}

CrawlDisplay::CrawlDisplay(bool quiet, const std::string& folder)
    : quiet_(quiet), terminal_(stderr_is_terminal()), folder_(printable(folder)) {}

void CrawlDisplay::begin(bool resumed, const CrawlStatus& status) {
  if (quiet_) return;
  if (resumed) {
    fmt::print(stderr, "{}: resuming with {} fetched, {} queued\n", folder_,
               plural(status.counts.pages, "page"), format_count(status.queued));
  } else {
    fmt::print(stderr, "{}: new crawl\n", folder_);
  }
  fmt::print(stderr, "ordering: {}{}\n", printable(status.policy),
             status.policy_why.empty() ? "" : fmt::format(" ({})", status.policy_why));
}

std::string CrawlDisplay::lines(const CrawlStatus& status) const {
  const bool colour = colour_on_stderr();
  std::string text = fmt::format("{}  {}  {:.1f} pages/s  {}/s  {}{}\n", bold("crawling", colour),
                                 plural(status.counts.pages, "page"), status.pages_per_second,
                                 format_bytes(static_cast<std::uint64_t>(status.bytes_per_second)),
                                 time_text(status.seconds), left_text(status));
  text += fmt::format("  frontier {}  known {}  in progress {}  memory {}\n", format_count(status.queued),
                      format_count(status.known), format_count(status.under_way), memory_text(status.memory));
  if (const std::string cost = memory_cost(status.memory, status.counts, status.troubles); !cost.empty())
    text += fmt::format("  {}\n", cost);
  text += fmt::format("  {}{}\n", hosts_text(status), progress_text(status));
  text += fmt::format("  {}\n", outcome_list(status.counts, 5));
  if (const std::string requisites = requisite_text(status.counts, status.requisites_pending);
      !requisites.empty())
    text += fmt::format("  requisites: {}\n", requisites);
  if (const VisitCounts& again = status.counts.refresh; again.visits > 0) {
    text += fmt::format("  fetched again {}, changed {}, not modified {}\n", format_count(again.visits),
                        format_count(again.changed), format_count(again.not_modified));
  }
  if (status.phase == CrawlPhase::kStopping) {
    text += "  stopping: waiting for requests in progress; press Ctrl-C again to stop at once\n";
  } else if (!status.stall.empty()) {
    text += fmt::format("  {}: {}\n", red("waiting", colour), status.stall);
  }
  return text;
}

std::string CrawlDisplay::log_line(const CrawlStatus& status) const {
  const std::string cost = memory_cost(status.memory, status.counts, status.troubles);
  const std::string requisites = requisite_text(status.counts, status.requisites_pending);
  return fmt::format("{:.0f} s: {}, {:.1f}/s, {}/s, frontier {}, in progress {}, {}, memory {}; {}{}{}{}{}{}",
                     status.seconds, plural(status.counts.pages, "page"), status.pages_per_second,
                     format_bytes(static_cast<std::uint64_t>(status.bytes_per_second)),
                     format_count(status.queued), format_count(status.under_way), hosts_text(status),
                     memory_text(status.memory), outcome_list(status.counts, 5),
                     requisites.empty() ? "" : "; requisites: " + requisites, progress_text(status),
                     cost.empty() ? "" : "; " + cost, left_text(status),
                     status.stall.empty() ? "" : "; waiting: " + status.stall);
}

void CrawlDisplay::show(const CrawlStatus& status) {
  if (quiet_) return;
  if (!terminal_) {
    if (status.seconds < next_log_s_) return;
    if (next_log_s_ > 0) fmt::print(stderr, "{}\n", log_line(status));
    next_log_s_ = status.seconds + kLogEvery;
    return;
  }
  const std::string text = wrap_lines(lines(status), static_cast<std::size_t>(terminal_width()));
  clear();
  std::fputs(text.c_str(), stderr);
  drawn_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void CrawlDisplay::clear() {
  if (drawn_ > 0) fmt::print(stderr, "\x1b[{}A\x1b[J", drawn_);
  drawn_ = 0;
}

void CrawlDisplay::finish(const CrawlStatus& status, const FinishedCrawl& crawl, bool report) {
  clear();
  fmt::print(
      "{}{}\n", crawl_end_text(crawl.end),
      crawl.end == CrawlEnd::kNothingLeft && status.queued > 0
          ? fmt::format(": no host of {} is eligible for fetching", plural(status.queued, "queued page"))
          : "");
  fmt::print("pages     {}; {} in bodies{}\n", outcome_list(status.counts, 8),
             format_bytes(status.counts.bytes), run_text(status));
  show_requisites(status.counts, status.requisites_pending);
  show_refresh(status.counts.refresh);
  fmt::print("frontier  {} queued, {} known on {}\n", plural(status.queued, "page"),
             plural(status.known, "URL"), plural(status.hosts.known, "host"));
  if (status.hosts.given_up + status.hosts.at_budget + status.hosts.repeating > 0)
    fmt::print("          {}\n", hosts_text(status));
  fmt::print("memory    {}, at most {}\n", memory_text(status.memory), format_bytes(status.memory.most));
  for (const MemoryPart& part : status.memory.parts) {
    if (status.memory.budget > 0 && part.bytes > 0)
      fmt::print("  {:<32} {}\n", part.name, format_bytes(part.bytes));
  }
  if (const std::string cost = memory_cost(status.memory, status.counts, status.troubles); !cost.empty())
    fmt::print("  {}\n", cost);
  if (status.guaranteed >= 0) fmt::print("bound     {}\n", bound_text(status.guaranteed, 2));
  show_excluded(status.counts);
  if (!has_failed(crawl)) show_failed_seeds(status.counts);  // the error names them otherwise
  if (status.has_topic)
    fmt::print("topic     {} about it\n", plural(status.counts.on_topic, "page is", "pages are"));
  fmt::print("folder    {}\n", folder_);
  if (report) fmt::print("report    {}/report.html\n", folder_);
  if (!status.redirected.empty()) {
    fmt::print(
        "hint      {}, which is out of scope.\n          Add it as a seed, name its host (--host) or widen "
        "--scope, and resume the crawl\n",
        printable(status.redirected));
  }
  if (status.counts.pages == 0 && !status.refused.empty()) {
    fmt::print(
        "hint      {}\n          For a network of your own: --allow-net ADDRESS, or --allow-net 127.0.0.0/8 "
        "for "
        "this machine\n",
        printable(status.refused));
  }
}

}  // namespace bowerbird
