#include "control/earlier_runs.h"

#include <algorithm>
#include <ctime>
#include <unordered_map>

#include "control/snapshot.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/crawl_log.h"
#include "sys/clock.h"
#include "url/url.h"

namespace bowerbird {

namespace {

constexpr int kBatch = 64;  // additions between two checks of the clock

// Of "2026-01-31T12:00:00.000Z"; 0: not a time.
Time time_of(const std::string& text) {
  std::tm parts{};
  const char* const rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return {};
  const std::chrono::milliseconds fraction(rest[0] == '.' ? std::atoi(rest + 1) : 0);
  return Time{std::chrono::seconds(::timegm(&parts)) + fraction};
}

}  // namespace

Result<EarlierRuns> read_earlier_runs(const std::string& folder, std::int64_t before_ms) {
  const std::string before = time_text(before_ms);
  std::unordered_map<std::string, HostActivity> hosts;
  std::array<std::deque<EarlierResult>, kOutcomes> examples;
  std::unordered_map<std::string, PageResult> broken;
  BB_TRY(const auto reader, CrawlReader::open(folder));
  BB_TRY_VOID(each_log_line(folder, *reader, [&](const nlohmann::json& line) {
    const OutcomeRule* const rule = rule_named(log_text(line, "outcome"));
    const std::string time = log_text(line, "time");
    if (rule == nullptr || is_requisite_line(line) || time >= before) return;
    EarlierResult one{log_text(line, "url"), {}};
    Url url;
    if (parse_url(one.url, nullptr, url) != UrlFault::kNone) return;
    one.result.time = time_of(time);
    one.result.outcome = rule->outcome;
    one.result.status = static_cast<std::uint16_t>(log_number(line, "status"));
    const std::string host(url.host());
    if (hosts.size() < Activity::kHosts || hosts.contains(host)) {
      HostActivity& counts = hosts[host];
      counts.bytes += log_number(line, "bytes");
      if (is_failure(rule->outcome)) ++counts.failed;
    }
    if (rule->outcome != Outcome::kNotFound) {
      broken.erase(one.url);
    } else if (broken.size() < Activity::kBroken) {
      broken[one.url] = one.result;
    }
    auto& list = examples[static_cast<std::size_t>(rule->outcome)];
    list.push_back(std::move(one));
    if (list.size() > Activity::kExamples) list.pop_front();
  }));
  EarlierRuns earlier;
  earlier.hosts.assign(hosts.begin(), hosts.end());
  for (const auto& list : examples)
    earlier.examples.insert(earlier.examples.end(), list.rbegin(), list.rend());
  for (auto& [url, result] : broken) earlier.broken.push_back({url, result});
  std::ranges::reverse(earlier.examples);  // add_some() takes them from the end
  return earlier;
}

bool add_some(Crawler& crawler, std::int64_t deadline_us, EarlierRuns& earlier) {
  const CrawlState& state = std::as_const(crawler).state();
  Activity& activity = crawler.earlier_activity();
  const auto find = [&](EarlierResult& one) {
    one.result.page = crawler.find_page(one.url);
    if (one.result.page == kNoPage) return false;
    one.result.host = state.host(one.result.page);
    return true;
  };
  for (int added = 1;; ++added) {
    if (!earlier.examples.empty()) {
      if (find(earlier.examples.back())) activity.add_earlier_example(earlier.examples.back().result);
      earlier.examples.pop_back();
    } else if (!earlier.broken.empty()) {
      if (find(earlier.broken.back())) activity.add_earlier_broken(earlier.broken.back().result);
      earlier.broken.pop_back();
    } else if (!earlier.hosts.empty()) {
      const auto& [name, counts] = earlier.hosts.back();
      if (const HostId id = state.hosts().find(name); id != kNoHost) activity.add_earlier_host(id, counts);
      earlier.hosts.pop_back();
    } else {
      return true;
    }
    if (added % kBatch == 0 && MonotonicClock().now_us() >= deadline_us) return false;
  }
}

}  // namespace bowerbird
