#include "lab/refresh/truth.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace bowerbird {
namespace {

using TruthJson = nlohmann::json;

Result<TruthJson> truth_line(const std::string& line, const std::string& path, std::uint64_t number) {
  TruthJson json = TruthJson::parse(line, nullptr, false);
  if (!json.is_object()) return error("{}: line {}: not a JSON object", path, number);
  return json;
}

double number_in(const TruthJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>()
                                                   : std::numeric_limits<double>::quiet_NaN();
}

bool read_page(const TruthJson& json, PageTruth& page) {
  page.rate = number_in(json, "rate");
  page.born = number_in(json, "born");
  const auto changes = json.find("changes");
  if (!(page.rate >= 0) || !(page.born >= 0) || changes == json.end() || !changes->is_array()) return false;
  for (const TruthJson& change : *changes) {
    if (!change.is_number()) return false;
    page.changes.push_back(change.get<double>());
  }
  return std::is_sorted(page.changes.begin(), page.changes.end());
}

}  // namespace

Result<WebTruth> read_truth(const std::string& path, PageId pages) {
  std::ifstream file(path);
  if (!file) return error("{}: cannot be read", path);
  WebTruth truth;
  truth.pages.resize(pages);
  std::vector<bool> seen(pages);
  std::string line;
  std::uint64_t number = 0;
  while (std::getline(file, line)) {
    BB_TRY(const TruthJson json, truth_line(line, path, ++number));
    if (number == 1) {
      truth.scale = number_in(json, "scale");
      const double start = number_in(json, "monotonic_us");
      if (!(truth.scale > 0) || !(start >= 0))
        return error("{}: not a file of `bowerbird web serve --truth`", path);
      truth.monotonic_us = static_cast<std::int64_t>(start);
      continue;
    }
    const double page = number_in(json, "page");
    if (!(page >= 0 && page < pages)) return error("{}: line {}: the graph has no such page", path, number);
    if (!read_page(json, truth.pages[static_cast<PageId>(page)]))
      return error("{}: line {}: rate, born or changes are invalid", path, number);
    seen[static_cast<PageId>(page)] = true;
  }
  if (std::find(seen.begin(), seen.end(), false) != seen.end())
    return error("{}: the graph has pages that are not in this file", path);
  return truth;
}

void set_truth(const WebTruth& truth, double start, RefreshWorld& world) {
  world.changes.clear();
  world.born.clear();
  for (PageId page = 0; page < world.pages(); ++page) {
    const PageTruth& known = truth.pages[world.in_graph[page]];
    world.rates[page] = known.rate;
    world.born.push_back(std::max(0.0, known.born - start));
    std::vector<double>& changes = world.changes.emplace_back();
    for (const double change : known.changes) changes.push_back(change - start);
  }
}

double all_held(const WebTruth& truth, std::span<const TruthFetch> fetches, const RefreshWorld& world) {
  std::vector<bool> fetched(world.pages());
  double last = 0;
  for (const TruthFetch& fetch : fetches) {
    const PageId page = world.of_graph[fetch.page];
    if (page == kNoPage || fetched[page] || truth.pages[fetch.page].born > 0) continue;
    fetched[page] = true;
    last = fetch.day;
  }
  return last;
}

RefreshResult judge_fetches(const RefreshWorld& world, std::span<const TruthFetch> fetches, double start,
                            const RefreshRun& run) {
  constexpr double kUnchanged = std::numeric_limits<double>::infinity();
  RefreshMeter meter(world.importance, run.days, run.warm_up, run.slices, world.born);
  RefreshResult result;
  struct Copy {
    bool is_held = false;
    double since = 0;  // days, measured
    double change = kUnchanged;
  };
  std::vector<Copy> copies(world.pages());
  std::uint64_t late = 0, late_changed = 0;
  for (const TruthFetch& fetch : fetches) {
    const double day = fetch.day - start;
    const PageId page = world.of_graph[fetch.page];
    if (page == kNoPage || day > run.days) continue;
    Copy& copy = copies[page];
    const bool is_new = !copy.is_held;
    const bool changed = is_new || copy.change <= day;
    if (day >= 0) {
      ++result.fetches;
      result.new_fetches += is_new ? 1 : 0;
      if (!is_new) meter.copy(page, copy.since, day, copy.change);
    }
    if (day > run.warm_up) {
      ++late;
      late_changed += changed ? 1 : 0;
    }
    const std::vector<double>& changes = world.changes[page];
    const auto next = std::upper_bound(changes.begin(), changes.end(), day);
    copy = {true, std::max(0.0, day), next == changes.end() ? kUnchanged : *next};
  }
  for (PageId page = 0; page < world.pages(); ++page) {
    if (copies[page].is_held) meter.copy(page, copies[page].since, run.days, copies[page].change);
  }
  result.means = meter.means();
  result.curve = meter.curve();
  result.changed = late > 0 ? static_cast<double>(late_changed) / static_cast<double>(late) : 0;
  return result;
}

}  // namespace bowerbird
