// `bowerbird why`: why a crawl treated a URL as it did.
#include <fmt/format.h>

#include <memory>

#include "cmd/commands.h"
#include "cmd/plugin_option.h"
#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "crawl/config/seeds.h"
#include "crawl/inspect/explanation.h"

namespace bowerbird {

namespace {

constexpr CommandText kWhyText = {
    "explain what a crawl did with a URL",
    "Shows the state of URL in the crawl of DIR: whether it is known, queued, done or blocked, its distance "
    "from a seed, whether scope, trap rules, budgets and robots.txt allow it, its outcome, when it and its "
    "host are due, and its score with the contribution of each link to it. This replays the journal of the "
    "crawl.\n"
    "\n"
    "The queue is ordered by score. The output shows the current score, or the score at the time when the "
    "page was fetched. Worth is the score converted to a scale that starts at 0; the contributions of the "
    "links add up to it. Links that were found after the page was fetched, and links that were not followed, "
    "contribute nothing; the output marks them. If the ordering has two queues (similar), the output names "
    "the queue of the page; all pages of the hot queue come first.\n"
    "\n"
    "Visits are all fetches of the page. The crawl learns from them how often the page changes. Due is the "
    "time at which its value will reach the value of the pages fetched now (docs/refresh.md).",
    "# why was this page not fetched?\nbowerbird why mycrawl https://example.org/private/\n"};

// What is shown, in this order: the key in the JSON, and its label.
constexpr std::pair<const char*, const char*> kRows[] = {{"url", "URL"},
                                                         {"state", "state"},
                                                         {"requisite", "as a requisite"},
                                                         {"requisite_of", "fetched for"},
                                                         {"outcome", "outcome"},
                                                         {"reason", "reason"},
                                                         {"trouble", "detail"},
                                                         {"warc", "archive file"},
                                                         {"offset", "offset"},
                                                         {"steps_from_seed", "distance from seed"},
                                                         {"tries", "tries"},
                                                         {"scope", "scope"},
                                                         {"trap", "trap"},
                                                         {"depth_allowed", "depth limit"},
                                                         {"robots", "robots.txt"},
                                                         {"robots_rule", "robots.txt rule"},
                                                         {"command", "command"},
                                                         {"requested", "requested"},
                                                         {"host_ended", "host closed"},
                                                         {"host_trouble", "host problem"},
                                                         {"due", "due"},
                                                         {"rate", "changes per day"},
                                                         {"rate_uncertainty", "uncertainty"},
                                                         {"host_opens", "next request"},
                                                         {"hint", "hint"},
                                                         {"queue", "queue"},
                                                         {"score", "score"},
                                                         {"worth", "worth"},
                                                         {"given_as_seed", "from seed list"},
                                                         {"given_elsewhere", "from other pages"},
                                                         {"links_to_it", "links to it"}};

// The score of a seed that comes before all other pages is a number without meaning.
void drop_scores_of_first(nlohmann::json& json) {
  if (!json.value("first", false)) return;
  json["score"] = "first: a seed, before all other pages";
  json.erase("worth");
  json.erase("given_as_seed");
}

void print_explanation(nlohmann::json json) {
  drop_scores_of_first(json);
  for (const auto& [key, label] : kRows) {
    if (!json.contains(key)) continue;
    const std::string value = json[key].is_string()         ? json[key].get<std::string>()
                              : json[key].is_number_float() ? fmt::format("{:.6g}", json[key].get<double>())
                                                            : json[key].dump();
    fmt::print("{:<18} {}\n", label, printable(value));
  }
  for (const nlohmann::json& parent : json.value("parents", nlohmann::json::array())) {
    fmt::print("  {:>+12.6g} from {}{}\n", parent.value("gave", 0.0), printable(parent.value("url", "")),
               parent.contains("how") ? fmt::format("  [{}]", parent.value("how", "")) : "");
  }
  if (json.value("links_to_it", std::size_t{0}) > kMostParents) {
    fmt::print("  and {} more with smaller contributions\n",
               json.value("links_to_it", std::size_t{0}) - kMostParents);
  }
}

void print_visits(const nlohmann::json& json) {
  constexpr std::size_t kMostVisits = 20;
  const auto visits = json.find("visits");
  if (visits == json.end() || visits->empty()) return;
  fmt::print("visits             {}\n", visits->size());
  for (std::size_t i = visits->size() > kMostVisits ? visits->size() - kMostVisits : 0; i < visits->size();
       ++i) {
    fmt::print("  {}  {}\n", (*visits)[i].value("time", ""), (*visits)[i].value("outcome", ""));
  }
}

Status show_explanation(const std::string& folder, const std::string& url, const CommonOptions& common) {
  const auto canonical = canonical_seed(url);
  if (!canonical.ok()) refuse(canonical.error().text);
  BB_TRY(const auto crawl, open_seen_crawl(folder));
  BB_TRY(const nlohmann::json json, explain_url(*crawl, *canonical));
  if (common.json) {
    print_json_line(json.dump());
  } else {
    print_explanation(json);
    print_visits(json);
  }
  return {};
}

}  // namespace

void add_crawl_why(App& app) {
  auto folder = std::make_shared<std::string>();
  auto url = std::make_shared<std::string>();
  CLI::App& command = app.add_command(
      app.root(), "why", kWhyText,
      [folder, url](const CommonOptions& common) { return show_explanation(*folder, *url, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  add_plugin_option(command);
  command.add_option("URL", *url, "The URL in question")->required();
}

}  // namespace bowerbird
