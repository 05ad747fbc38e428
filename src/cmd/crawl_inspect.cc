// `bowerbird status` and `urls`: a crawl while it runs or afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/plugin_option.h"
#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "crawl/inspect/folder_status.h"
#include "crawl/inspect/url_list.h"
#include "crawl/inspect/visit_history.h"
#include "parse/dates.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr CommandText kStatusText = {
    "show the progress of a crawl",
    "Shows the last commit of the crawl in DIR, which is about a second old while the crawl runs, and "
    "whether the crawl is running, was killed, failed (and why) or ended. A running crawl is not affected.",
    "# from a second terminal\nbowerbird status mycrawl\n# as one line of JSON\nbowerbird status mycrawl "
    "--json\n"};

constexpr CommandText kUrlsText = {
    "list the URLs of a crawl by state",
    "Prints one URL per line. queued: not fetched yet, with its score, best first; done: fetched or given "
    "up; failed: given up, with the outcome; known: all, including URLs out of scope; incomplete: pages with "
    "missing requisites (images, style sheets ...), and the reasons. With --changed-since it lists new and "
    "changed pages instead.",
    "# queued URLs\n"
    "bowerbird urls mycrawl --state queued\n"
    "# the ten best queued URLs\n"
    "bowerbird urls mycrawl --top 10\n"
    "# failed URLs\n"
    "bowerbird urls mycrawl --state failed\n"
    "# pages that cannot be displayed completely from the archive\n"
    "bowerbird urls mycrawl --incomplete\n"
    "# pages that are new or have changed since yesterday\n"
    "bowerbird urls mycrawl --changed-since 1d\n"};

// The largest parts, and the effects of the limit.
void show_memory(const RestoredCrawl& seen) {
  const MemoryUse& use = seen.moment().memory;
  if (use.resident == 0) return;
  fmt::print("memory    {}, at most {}\n", memory_text(use), format_bytes(use.most));
  std::vector<MemoryPart> parts = use.parts;
  std::sort(parts.begin(), parts.end(),
            [](const MemoryPart& a, const MemoryPart& b) { return a.bytes > b.bytes; });
  for (const MemoryPart& part : parts) {
    if (use.budget > 0 && part.bytes >= use.resident / 100)
      fmt::print("          {:>10}  {}\n", format_bytes(part.bytes), part.name);
  }
  if (const std::string cost = memory_cost(use, seen.counts()); !cost.empty())
    fmt::print("cost      {}\n", cost);
}

// The longest times for which the crawl's thread was busy.
void show_loop(const LoopTimes& longest) {
  const auto ms = [](std::uint64_t us) { return fmt::format("{:.1f} ms", static_cast<double>(us) / 1000); };
  if (longest.step_us == 0) return;
  fmt::print("loop      longest step {}", ms(longest.step_us));
  if (longest.refresh_us > 0) fmt::print(", computing ranks {}", ms(longest.refresh_us));
  if (longest.snapshot_us > 0) fmt::print(", snapshot {}", ms(longest.snapshot_us));
  fmt::print("\n");
}

Status show_status(const std::string& folder, const CommonOptions& common) {
  BB_TRY(const auto seen, open_seen_crawl(folder));
  if (common.json) {
    BB_TRY(const nlohmann::json json, folder_status(*seen));
    print_json_line(json.dump());
    return {};
  }
  fmt::print("state     {}\n", printable(crawl_state_text(folder, seen->end())));
  fmt::print("pages     {}; {} in bodies\n", outcome_list(seen->counts(), 8),
             format_bytes(seen->counts().bytes));
  show_requisites(seen->counts(), seen->moment().requisites_pending);
  BB_TRY(const auto complete, completeness_of(*seen));
  if (complete) fmt::print("complete  {}\n", completeness_text(*complete, seen->counts().pages));
  fmt::print("known     {}, {}\n",
             known_urls(seen->reader().pages(), seen->counts(), seen->moment().requisites_pending),
             plural(seen->counts().links, "link"));
  fmt::print("frontier  {} queued\n", plural(seen->moment().queued, "page"));
  if (seen->moment().guaranteed >= 0) fmt::print("bound     {}\n", bound_text(seen->moment().guaranteed, 2));
  show_excluded(seen->counts());
  if (seen->counts().sitemap_unreadable > 0)
    fmt::print("sitemaps  {} without a URL\n", plural(seen->counts().sitemap_unreadable, "entry", "entries"));
  show_failed_seeds(seen->counts());
  show_refresh(seen->counts().refresh);
  show_memory(*seen);
  fmt::print("stored    {}\n", plural(seen->reader().fetches(), "response"));
  show_loop(seen->counts().longest);
  fmt::print("time      {} s in all runs\n", format_count(seen->counts().run_ms / 1000));
  return {};
}

// "2026-01-31", "2026-01-31T12:00:00Z", or a time before now: "1d".
Result<RefreshTime> parse_since(std::string_view text) {
  if (const auto date = parse_w3c_date(text); date && *date >= 0)
    return RefreshTime{std::chrono::seconds(*date)};
  if (const auto ago = parse_seconds(text); ago.ok()) {
    const auto now = static_cast<double>(WallClock().now_us()) / 1e6;
    return RefreshTime{std::chrono::duration_cast<Duration>(Seconds(std::max(0.0, now - ago->count())))};
  }
  return error("'{}' is neither a date such as 2026-01-31 or 2026-01-31T12:00:00Z, nor a time such as 1d",
               text);
}

Status show_changed(RestoredCrawl& crawl, RefreshTime since, std::uint64_t most, bool json) {
  BB_TRY(const std::vector<ChangedPage> pages, changed_pages(crawl.reader(), since));
  for (std::size_t i = 0; i < std::min<std::uint64_t>(most, pages.size()); ++i) {
    BB_TRY(const std::string url, crawl.reader().url(pages[i].page));
    if (json) {
      print_json_line(nlohmann::json({{"url", url},
                                      {"change", pages[i].is_new ? "new" : "changed"},
                                      {"time", moment_text(pages[i].time.time_since_epoch())}})
                          .dump());
    } else {
      fmt::print("{}\n", printable(url));
    }
  }
  return {};
}

struct UrlsCommand {
  std::string folder;
  std::string changed_since;  // empty: by state
  std::string state = "queued";
  std::string top;  // a count; empty: all
  bool incomplete = false;
};

void print_url(const ListedUrl& one, bool json) {
  if (json) {
    nlohmann::json line = {{"url", one.url}};
    if (!one.outcome.empty()) line["outcome"] = one.outcome;
    if (!one.missing.empty()) line["missing"] = one.missing;
    if (one.score) line["score"] = one.score->score;
    if (one.score && !one.score->queue.empty()) line["queue"] = one.score->queue;
    print_json_line(line.dump());
    return;
  }
  std::string text = printable(one.url);
  if (!one.outcome.empty()) text += "\t" + one.outcome;
  for (const std::string& missing : one.missing) text += "\n\t" + printable(missing);
  if (one.score) text += fmt::format("\t{:.6g}", one.score->score);
  if (one.score && !one.score->queue.empty()) text += fmt::format("\t{}", one.score->queue);
  fmt::print("{}\n", text);
}

Status show_urls(const UrlsCommand& command, const CommonOptions& common) {
  BB_TRY(const UrlState state, parse_url_state(command.incomplete ? "incomplete" : command.state));
  std::uint64_t most = ~std::uint64_t{0};
  if (!command.top.empty()) {
    BB_TRY(most, parse_count(command.top));
  }
  BB_TRY(const auto seen, open_seen_crawl(command.folder));
  if (!command.changed_since.empty()) {
    BB_TRY(const RefreshTime since, parse_since(command.changed_since));
    return show_changed(*seen, since, most, common.json);
  }
  return list_urls(*seen, state, most, [&](const ListedUrl& one) { print_url(one, common.json); });
}

}  // namespace

void add_crawl_status(App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App& command =
      app.add_command(app.root(), "status", kStatusText,
                      [folder](const CommonOptions& common) { return show_status(*folder, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  add_plugin_option(command);
}

void add_crawl_urls(App& app) {
  auto urls = std::make_shared<UrlsCommand>();
  CLI::App& command = app.add_command(app.root(), "urls", kUrlsText, [urls](const CommonOptions& common) {
    return show_urls(*urls, common);
  });
  command.add_option("DIR", urls->folder, "The folder of a crawl")->required();
  add_plugin_option(command);
  command.add_option("--state", urls->state, "queued, done, failed, known or incomplete")
      ->type_name("STATE")
      ->capture_default_str()
      ->check(parsed_by(parse_url_state));
  command.add_flag("--incomplete", urls->incomplete,
                   "List pages that lack requisites, with the reasons: --state incomplete");
  command
      .add_option("--changed-since", urls->changed_since,
                  "List pages that were first fetched or found changed since TIME instead. TIME is a date, "
                  "or a time before now such as 1d")
      ->type_name("TIME")
      ->check(parsed_by(parse_since));
  command.add_option("--top", urls->top, "Print only the first N URLs")->type_name("N")->check(is_count());
}

}  // namespace bowerbird
