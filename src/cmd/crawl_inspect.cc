// `bowerbird status` and `urls`: a crawl seen from outside, while it runs or afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "policy/told_score.h"

namespace bowerbird {

namespace {

constexpr CommandText kStatusText = {"show how a crawl stands",
                                     "Reads the last commit of the crawl in DIR, which is at most a second "
                                     "or so old while it runs; the crawl itself "
                                     "is not disturbed.",
                                     "# from a second terminal\nbowerbird status mycrawl\n"
                                     "# as one line of JSON\nbowerbird status mycrawl --json\n"};

constexpr CommandText kUrlsText = {
    "list the URLs of a crawl by their state",
    "Prints one URL a line. queued: known and still to be fetched, with its score; done: fetched, or given "
    "up; "
    "failed: given up, with what became of it; known: all, also those that were never in scope.",
    "# what is still to come\nbowerbird urls mycrawl --state queued\n"
    "# what went wrong\nbowerbird urls mycrawl --state failed\n"};

// The largest parts, and what keeping to the budget has cost.
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

Status show_status(const std::string& folder, const CommonOptions& common) {
  BB_TRY(const auto seen, open_seen_crawl(folder));
  if (common.json) {
    nlohmann::json json = nlohmann::json::parse(seen->reader().state(), nullptr, false);
    if (!json.is_object()) json = nlohmann::json::object();
    json["known"] = seen->reader().pages();
    json["stored"] = seen->reader().fetches();
    json["end"] = crawl_end_text(seen->end());
    json["about"] = nlohmann::json::parse(seen->reader().about(), nullptr, false);
    print_json_line(json.dump());
    return {};
  }
  fmt::print("state     {}\n",
             seen->end() == CrawlEnd::kNotYet ? "running, or killed" : crawl_end_text(seen->end()));
  fmt::print("pages     {} of {} done ({}), {} in bodies\n", format_count(seen->counts().pages),
             format_count(seen->counts().completed), outcome_list(seen->counts(), 8),
             format_bytes(seen->counts().bytes));
  fmt::print("known     {}, {}\n", plural(seen->reader().pages(), "URL"),
             plural(seen->counts().links, "link"));
  fmt::print("frontier  {} queued\n", plural(seen->moment().queued, "page"));
  if (seen->moment().guaranteed >= 0) fmt::print("bound     {}\n", bound_text(seen->moment().guaranteed, 2));
  show_failed_seeds(seen->counts());
  show_memory(*seen);
  fmt::print("stored    {}\n", plural(seen->reader().fetches(), "answer"));
  fmt::print("time      {} s in all runs\n", format_count(seen->counts().run_ms / 1000));
  return {};
}

Status list_urls(const std::string& folder, const std::string& state, const CommonOptions& common) {
  const auto print = [&](const std::string& url, nlohmann::json more, const std::string& column) {
    if (common.json) {
      more["url"] = url;
      print_json_line(more.dump());
    } else {
      fmt::print("{}{}\n", printable(url), column);
    }
  };
  if (state == "failed") {
    return each_log_line(folder, [&](const nlohmann::json& line) {
      const std::string outcome = line.value("outcome", "");
      if (outcome.empty() || outcome == "fetched" || outcome == "redirect" ||
          outcome == outcome_name(Outcome::kLeftOut)) {
        return;
      }
      print(line.value("url", ""), {{"outcome", outcome}}, "\t" + outcome);
    });
  }
  BB_TRY(const auto seen, open_seen_crawl(folder));
  if (state == "known") {
    return seen->reader().for_each_url(
        [&](PageId, std::string_view url) { print(std::string(url), nlohmann::json::object(), ""); });
  }
  BB_TRY_VOID(seen->restore());
  const Frontier& frontier = seen->state().frontier();
  for (PageId page = 0; page < seen->state().pages(); ++page) {
    const PageState is = frontier.state(page);
    if (state == "done" && is == PageState::kDone)
      print(seen->state().url(page), nlohmann::json::object(), "");
    if (state == "queued" && is != PageState::kDone && is != PageState::kUndiscovered) {
      const ToldScore told = told_score(seen->options().policy, frontier.score(page).value_or(0));
      nlohmann::json more = {{"score", told.score}};
      if (!told.queue.empty()) more["queue"] = told.queue;
      print(seen->state().url(page), more,
            fmt::format("\t{:.6g}{}{}", told.score, told.queue.empty() ? "" : "\t", told.queue));
    }
  }
  return {};
}

}  // namespace

void add_crawl_status(App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App& command =
      app.add_command(app.root(), "status", kStatusText,
                      [folder](const CommonOptions& common) { return show_status(*folder, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
}

void add_crawl_urls(App& app) {
  auto folder = std::make_shared<std::string>();
  auto state = std::make_shared<std::string>("queued");
  CLI::App& command = app.add_command(
      app.root(), "urls", kUrlsText,
      [folder, state](const CommonOptions& common) { return list_urls(*folder, *state, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  command.add_option("--state", *state, "queued, done, failed or known")
      ->type_name("STATE")
      ->capture_default_str()
      ->check(one_of({"queued", "done", "failed", "known"}));
}

}  // namespace bowerbird
