// Merges the answers of several processes.
#include <algorithm>

#include "base/units.h"
#include "control/forward_backend.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

void add_number(Json& to, const Json& from) {
  if (!from.is_number()) return;
  if (!to.is_number()) {
    to = from;
  } else if (to.is_number_integer() && from.is_number_integer()) {
    to = to.get<std::uint64_t>() + from.get<std::uint64_t>();
  } else {
    to = to.get<double>() + from.get<double>();
  }
}

// Adds up the numbers of objects; missing members are added.
void add_numbers(Json& to, const Json& from) {
  if (!from.is_object()) return;
  for (const auto& [name, value] : from.items()) add_number(to[name], value);
}

void append(Json& to, const Json& from) {
  if (!to.is_array()) to = Json::array();
  if (!from.is_array()) return;
  for (const Json& one : from) to.push_back(one);
}

void keep_first(Json& list, std::size_t most) {
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

double number_or(const Json& row, const std::string& key, double other) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : other;
}

// Processes that exchange links have one budget of pages and bytes together, others one each.
Json merge_budgets(const std::vector<Json>& all, const Json& sums) {
  Json made = Json::array();
  for (const Json& one : all) {
    for (const Json& row : one.value("budgets", Json::array())) {
      const auto same = std::find_if(made.begin(), made.end(),
                                     [&](const Json& known) { return known["name"] == row["name"]; });
      if (same == made.end()) {
        made.push_back(row);
      } else if (row["name"] == "pages" || row["name"] == "bytes") {
        if (!one.value("fleet", false)) add_number((*same)["limit"], row["limit"]);
        add_number((*same)["used"], row["used"]);
      } else if (row["share"].get<double>() > (*same)["share"].get<double>()) {
        *same = row;
      }
    }
  }
  for (Json& row : made) {
    if (row["name"] != "pages" && row["name"] != "bytes") continue;
    const double limit = row["limit"].get<double>(), used = row["used"].get<double>();
    const double rate = number_or(sums, row["name"].get<std::string>() + "_per_second", 0);
    row["share"] = limit > 0 ? used / limit : 0.0;
    row["seconds_left"] = rate > 0 ? Json(std::max(0.0, limit - used) / rate) : Json(nullptr);
  }
  return made;
}

// Shares are means, weighted by the pages of the processes.
Json merge_refresh(const std::vector<Json>& all) {
  Json made = nullptr;
  double fresh = 0, pages = 0;
  for (const Json& one : all) {
    const Json& refresh = one["refresh"];
    if (!refresh.is_object()) continue;
    const double weight = number_or(one, "pages", 0);
    fresh += weight * number_or(refresh, "freshness", 0);
    pages += weight;
    if (made.is_null()) {
      made = refresh;
      continue;
    }
    for (const char* const name : {"visits", "changed", "not_modified", "failed", "gone"})
      add_number(made[name], refresh[name]);
  }
  if (made.is_object() && pages > 0 && made["freshness"].is_number()) made["freshness"] = fresh / pages;
  return made;
}

Json merge_next(const Ask& ask, const std::vector<Json>& all) {
  Json made = {{"queued", 0}, {"pages", Json::array()}};
  for (const Json& one : all) {
    add_number(made["queued"], one.value("queued", Json(0)));
    append(made["pages"], one.value("pages", Json::array()));
  }
  std::stable_sort(made["pages"].begin(), made["pages"].end(), [](const Json& a, const Json& b) {
    return number_or(a, "score", 1e300) > number_or(b, "score", 1e300);
  });
  keep_first(made["pages"], ask.number("limit", 25));
  return made;
}

Json merge_hosts(const Ask& ask, const std::vector<Json>& all) {
  const std::string sort = ask.text("sort").empty() ? "queued" : ask.text("sort");
  const bool up = ask.text("order") == "up";
  Json made = {{"total", 0}, {"known", 0}, {"offset", ask.number("offset", 0)}};
  Json rows = Json::array();
  for (const Json& one : all) {
    add_number(made["total"], one.value("total", Json(0)));
    add_number(made["known"], one.value("known", Json(0)));
    append(rows, one.value("hosts", Json::array()));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Json& a, const Json& b) {
    if (sort == "host" || sort == "state")
      return up ? a[sort].get<std::string>() < b[sort].get<std::string>()
                : a[sort].get<std::string>() > b[sort].get<std::string>();
    const double left = number_or(a, sort, -1), right = number_or(b, sort, -1);
    return up ? left < right : left > right;
  });
  const std::size_t offset = std::min<std::size_t>(ask.number("offset", 0), rows.size());
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(offset));
  keep_first(rows, ask.number("limit", 50));
  made["hosts"] = std::move(rows);
  return made;
}

// Merges rows with the same value of `key`: numbers are added up, and up to 5 examples of each are kept.
Json merge_rows(const std::vector<Json>& all, const char* list, const char* key, const char* order) {
  Json made = Json::array();
  for (const Json& one : all) {
    for (const Json& row : one.value(list, Json::array())) {
      const auto same =
          std::find_if(made.begin(), made.end(), [&](const Json& known) { return known[key] == row[key]; });
      if (same == made.end()) {
        made.push_back(row);
        continue;
      }
      for (const auto& [name, value] : row.items()) {
        if (value.is_number()) add_number((*same)[name], value);
      }
      if (row.contains("examples")) {
        append((*same)["examples"], row["examples"]);
        keep_first((*same)["examples"], 5);
      }
    }
  }
  std::stable_sort(made.begin(), made.end(), [&](const Json& a, const Json& b) {
    return number_or(a, order, 0) > number_or(b, order, 0);
  });
  return made;
}

Json merge_problems(const std::vector<Json>& all) {
  Json made = all.front();
  made["outcomes"] = merge_rows(all, "outcomes", "kind", "count");
  made["traps"] = merge_rows(all, "traps", "kind", "count");
  made["excluded"] = merge_rows(all, "excluded", "rule", "links");
  made["waiting"] = merge_rows(all, "waiting", "state", "hosts");
  made["broken_links"] = merge_rows(all, "broken_links", "url", "linked_from");
  keep_first(made["broken_links"], 50);
  made["dead_seeds"] = Json::array();
  made["slow_hosts"] = Json::array();
  for (const char* const name : {"dead_seeds_total", "turned_away", "warnings"}) made[name] = 0;
  for (const Json& one : all) {
    append(made["dead_seeds"], one["dead_seeds"]);
    append(made["slow_hosts"], one["slow_hosts"]);
    for (const char* const name : {"dead_seeds_total", "turned_away", "warnings"})
      add_number(made[name], one[name]);
  }
  std::stable_sort(made["slow_hosts"].begin(), made["slow_hosts"].end(), [](const Json& a, const Json& b) {
    return number_or(a, "delay", 0) > number_or(b, "delay", 0);
  });
  keep_first(made["slow_hosts"], 10);
  return made;
}

// The answer of the process with the most pages of the host: its owner.
Json merge_host(const std::vector<Json>& all) {
  return *std::max_element(all.begin(), all.end(), [](const Json& a, const Json& b) {
    return number_or(a["host"], "known", 0) < number_or(b["host"], "known", 0);
  });
}

Json merge_why(const std::vector<Json>& all) {
  const auto known = std::find_if(all.begin(), all.end(), [](const Json& one) {
    const std::string state = one.value("state", std::string());
    return !state.starts_with("unknown") && !state.starts_with("known, but");
  });
  return known == all.end() ? all.front() : *known;
}

Json merge_changes(const Ask& ask, const std::vector<Json>& all) {
  Json list = Json::array();
  for (const Json& one : all) append(list, one.value("changes", Json::array()));
  std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
    return a.value("time", std::string()) > b.value("time", std::string());
  });
  // A command went to all processes; its number is that of the first.
  keep_first(list, ask.number("limit", 100));
  return {{"changes", std::move(list)}};
}

Json merge_done(const std::vector<Json>& all) {
  Json made = all.front();
  Json warnings = Json::array();
  made["affected"] = nullptr;
  for (const Json& one : all) {
    add_number(made["affected"], one.value("affected", Json(nullptr)));
    append(warnings, one.value("warnings", Json::array()));
    if (made["change"].is_null() && !one["change"].is_null()) {
      made["change"] = one["change"];
      made["text"] = one["text"];
    }
  }
  made["warnings"] = std::move(warnings);
  return made;
}

}  // namespace

// All samples of a metric have to follow each other.
std::string merge_metrics(const std::vector<ProcessMetrics>& all, MetricsFormat format) {
  struct Family {
    std::string head, samples;
  };
  std::vector<std::string> order;
  std::map<std::string, Family> families;
  for (const ProcessMetrics& one : all) {
    const std::string label = one.process.empty() ? "" : fmt::format("process=\"{}\"", one.process);
    std::string_view rest = one.text;
    Family* family = nullptr;
    bool is_new = false;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.starts_with("# HELP ")) {
        const std::string name(line.substr(7, line.find(' ', 7) - 7));
        is_new = !families.contains(name);
        if (is_new) order.push_back(name);
        family = &families[name];
      }
      if (line.empty() || line == "# EOF" || family == nullptr) continue;
      if (line.starts_with('#')) {
        if (is_new) family->head.append(line).append("\n");
        continue;
      }
      const std::size_t end = std::min(line.find_first_of("{ "), line.size());
      const bool labelled = end < line.size() && line[end] == '{';
      family->samples.append(line.substr(0, end));
      if (label.empty()) {
        family->samples.append(line.substr(end));
      } else if (labelled) {
        family->samples.append("{").append(label).append(",").append(line.substr(end + 1));
      } else {
        family->samples.append("{").append(label).append("}").append(line.substr(end));
      }
      family->samples += '\n';
    }
  }
  std::string text;
  for (const std::string& name : order) text.append(families[name].head).append(families[name].samples);
  if (format == MetricsFormat::kOpenMetrics) text += "# EOF\n";
  return text;
}

Json merge_statuses(const std::vector<Json>& all, const std::string& folder) {
  Json made = all.front();
  constexpr const char* kSums[] = {"pages_per_second",
                                   "bytes_per_second",
                                   "errors_per_second",
                                   "in_flight",
                                   "connections",
                                   "pages",
                                   "bytes",
                                   "completed",
                                   "failed",
                                   "retries",
                                   "queued",
                                   "known",
                                   "links",
                                   "requisites",
                                   "requisites_pending"};
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const char* const name : kSums) add_number(made[name], all[i][name]);
    add_numbers(made["hosts"], all[i]["hosts"]);
    for (const char* const name : {"budget", "resident", "most"})
      add_number(made["memory"][name], all[i]["memory"][name]);
    add_numbers(made["memory"]["parts"], all[i]["memory"]["parts"]);
    made["problems"] =
        std::max(made["problems"].get<std::uint64_t>(), all[i]["problems"].get<std::uint64_t>());
    made["changes"] = std::max(made["changes"].get<std::uint64_t>(), all[i]["changes"].get<std::uint64_t>());
    for (const char* const name : {"last_url", "last_error"}) {
      if (made[name].is_null()) made[name] = all[i][name];
    }
    if (made["phase"] != "running" && all[i]["phase"] == "running") made["phase"] = "running";
    if (all[i]["stall"].is_null()) made["stall"] = nullptr;
    made["commands"] = made["commands"].get<bool>() || all[i]["commands"].get<bool>();
  }
  made["folder"] = folder;
  made["fleet"] = true;
  made["budgets"] = merge_budgets(all, made);
  made["refresh"] = merge_refresh(all);
  made["sentence"] =
      made["phase"] == "running" && made["stall"].is_null()
          ? fmt::format("{} fetch {:.1f} pages per second together, {} queued.",
                        plural(all.size(), "process", "processes"), made["pages_per_second"].get<double>(),
                        plural(made["queued"].get<std::uint64_t>(), "page"))
          : made["sentence"].get<std::string>();
  return made;
}

Json merge_answers(const Ask& ask, const std::vector<Json>& all) {
  if (ask.command) return merge_done(all);
  if (ask.what == "next") return merge_next(ask, all);
  if (ask.what == "hosts") return merge_hosts(ask, all);
  if (ask.what == "host") return merge_host(all);
  if (ask.what == "problems") return merge_problems(all);
  if (ask.what == "why") return merge_why(all);
  if (ask.what == "changes") return merge_changes(ask, all);
  return all.front();
}

}  // namespace bowerbird
