#include "cmd/crawl_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/units.h"
#include "cmd/screen_lines.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

constexpr double kLogEvery = 10;

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// The budget that will be reached first, at the rate of the last minute.
struct NearestBudget {
  double share = -1;  // of it that is used up; below 0: there is no budget
  double left = -1;   // seconds; below 0: not known
  std::string what;   // "1,000 pages"
};

NearestBudget nearest_budget(const CrawlStatus& status) {
  NearestBudget nearest;
  const auto consider = [&](double budget, double used, double rate, std::string what) {
    if (budget <= 0) return;
    const double share = std::clamp(used / budget, 0.0, 1.0);
    const double left = rate > 0 ? std::max(0.0, budget - used) / rate : -1;
    const bool nearer = nearest.share < 0 || (left >= 0 && (nearest.left < 0 || left < nearest.left)) ||
                        (left < 0 && nearest.left < 0 && share > nearest.share);
    if (nearer) nearest = {share, left, std::move(what)};
  };
  const RunBudgets& budgets = status.budgets;
  consider(static_cast<double>(budgets.pages), static_cast<double>(status.counts.pages),
           status.rates.steady_pages, plural(budgets.pages, "page"));
  consider(static_cast<double>(budgets.bytes), static_cast<double>(status.counts.bytes),
           status.rates.steady_bytes, format_bytes(budgets.bytes));
  consider(budgets.seconds, status.seconds, 1, time_text(budgets.seconds));
  return nearest;
}

// The time until that, or without budgets until the queue is empty if no page brought new ones.
std::string left_text(const CrawlStatus& status) {
  const NearestBudget nearest = nearest_budget(status);
  if (nearest.left >= 0) return fmt::format("{} left", time_text(nearest.left));
  if (nearest.share >= 0 || status.rates.steady_pages <= 0 || status.queued == 0) return "";
  return fmt::format("{} for the queued pages",
                     time_text(static_cast<double>(status.queued) / status.rates.steady_pages));
}

// The parts of a text with commas between them; each keeps its comma.
std::vector<std::string> parts_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    if (comma == text.npos) {
      parts.emplace_back(text);
      break;
    }
    parts.emplace_back(text.substr(0, comma + 1));
    text.remove_prefix(comma + 2);
  }
  return parts;
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
  if (use.bound_dropped) add("the guaranteed share of importance is no longer tracked");
  if (troubles > 0) add(plural(troubles, "warning") + " about files, see crawl.jsonl");
  return text;
}

std::string bound_text(double guaranteed, int digits) {
  return fmt::format("at least {:.{}f} % of the PageRank personalised to the seeds", 100 * guaranteed,
                     digits);
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

std::string known_urls(std::uint64_t known, const CrawlCounts& counts, std::uint64_t pending) {
  return plural(known, "URL") + (counts.requisites.done() + pending > 0 ? " (requisites included)" : "");
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

CrawlDisplay::CrawlDisplay(bool quiet, const std::string& folder, std::string resume)
    : quiet_(quiet),
      terminal_(stderr_is_terminal() && !dumb_terminal()),
      folder_(printable(folder)),
      resume_(std::move(resume)) {
  if (resume_.empty()) resume_ = "bowerbird crawl --out " + shell_word(folder_);
}

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

std::vector<std::string> crawl_lines(const CrawlStatus& status, std::size_t width, bool colour) {
  constexpr std::size_t kIndent = 2;
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<std::string>& parts) {
    for (std::string& line : pack_parts(parts, width, 2 * kIndent)) lines.push_back(std::move(line));
  };
  const auto add_text = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) lines.push_back(cut_to(fmt::format("  {:<9}{}", name, printable(text)), width));
  };
  const NearestBudget nearest = nearest_budget(status);
  std::vector<std::string> first;
  if (nearest.share >= 0) {
    first.push_back(fmt::format("{} {:.0f} % of {}",
                                green(bar_of(nearest.share, std::min<std::size_t>(width / 4, 32)), colour),
                                100 * nearest.share, nearest.what));
  }
  first.push_back(bold(plural(status.counts.pages, "page"), colour));
  first.push_back(fmt::format("{:.1f} pages/s", status.rates.pages));
  first.push_back(fmt::format("{}/s", format_bytes(static_cast<std::uint64_t>(status.rates.bytes))));
  first.push_back(time_text(status.seconds));
  first.push_back(left_text(status));
  add(first);
  std::vector<std::string> work = {fmt::format("  frontier {}", format_count(status.queued)),
                                   fmt::format("known {}", format_count(status.known)),
                                   fmt::format("in progress {}", format_count(status.under_way)),
                                   fmt::format("memory {}", memory_text(status.memory))};
  add(work);
  add(parts_at_commas("  " + hosts_text(status)));
  add(parts_at_commas("  " + outcome_list(status.counts, 5)));
  for (const std::string& more :
       {memory_cost(status.memory, status.counts, status.troubles), progress_text(status)}) {
    if (!more.empty()) add(parts_at_commas("  " + more));
  }
  if (const std::string requisites = requisite_text(status.counts, status.requisites_pending);
      !requisites.empty())
    add(parts_at_commas("  requisites: " + requisites));
  if (const VisitCounts& again = status.counts.refresh; again.visits > 0) {
    add({fmt::format("  fetched again {},", format_count(again.visits)),
         fmt::format("changed {},", format_count(again.changed)),
         fmt::format("not modified {}", format_count(again.not_modified))});
  }
  add_text("last", status.last_url);
  add_text("error", status.last_error.empty() ? status.failure : status.last_error);
  const auto add_wrapped = [&](const std::string& text) {
    std::string wrapped = wrap_lines(text, width) + "\n";
    for (std::string_view rest = wrapped; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      lines.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
  };
  if (status.phase == CrawlPhase::kStopping) {
    add_wrapped("  stopping: waiting for requests in progress; press Ctrl-C again to stop at once");
  } else if (!status.stall.empty()) {
    add_wrapped(fmt::format("  {}: {}", red("waiting", colour), printable(status.stall)));
  }
  return lines;
}

std::string CrawlDisplay::log_line(const CrawlStatus& status) const {
  const std::string cost = memory_cost(status.memory, status.counts, status.troubles);
  const std::string requisites = requisite_text(status.counts, status.requisites_pending);
  const std::string left = left_text(status);
  return fmt::format("{:.0f} s: {}, {:.1f}/s, {}/s, frontier {}, in progress {}, {}, memory {}; {}{}{}{}{}{}",
                     status.seconds, plural(status.counts.pages, "page"), status.rates.pages,
                     format_bytes(static_cast<std::uint64_t>(status.rates.bytes)),
                     format_count(status.queued), format_count(status.under_way), hosts_text(status),
                     memory_text(status.memory), outcome_list(status.counts, 5),
                     requisites.empty() ? "" : "; requisites: " + requisites, progress_text(status),
                     cost.empty() ? "" : "; " + cost, left.empty() ? "" : ", " + left,
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
  // The last column stays free: some terminals wrap a line that fills it.
  const TerminalSize size = terminal_size();
  std::vector<std::string> lines =
      crawl_lines(status, static_cast<std::size_t>(size.columns) - 1, colour_on_stderr());
  const auto most = static_cast<std::size_t>(std::max(2, size.rows)) - 1;
  if (lines.size() > most) lines.resize(most);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  clear();
  std::fputs(text.c_str(), stderr);
  drawn_ = std::move(lines);
}

// The terminal may have another width than when the lines were drawn, and wraps them now.
void CrawlDisplay::clear() {
  if (drawn_.empty()) return;
  const TerminalSize size = terminal_size();
  const std::size_t rows = rows_of(drawn_, static_cast<std::size_t>(size.columns));
  fmt::print(stderr, "\x1b[{}A\r\x1b[J",
             std::min<std::size_t>(rows, static_cast<std::size_t>(std::max(2, size.rows)) - 1));
  drawn_.clear();
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
             known_urls(status.known, status.counts, status.requisites_pending),
             plural(status.hosts.known, "host"));
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
  if (crawl.end == CrawlEnd::kStopped && !crawl.is_part) fmt::print("resume    {}\n", resume_);
  if (!status.redirected.empty()) {
    fmt::print(
        "hint      {}, which is out of scope.\n          Add it as a seed, name its host (--host) or widen "
        "--scope, and resume the crawl\n",
        printable(status.redirected));
  }
  if (status.counts.pages == 0 && !status.refused.empty()) {
    fmt::print(
        "hint      {}\n          For example: --allow-net ADDRESS, or --allow-net 127.0.0.0/8 for this "
        "machine\n",
        printable(status.refused));
  }
}

}  // namespace bowerbird
