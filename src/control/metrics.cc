#include "control/metrics.h"

#include "version.h"

#include <fmt/format.h>

#include <algorithm>

namespace bowerbird {

namespace {

// Writes metric families. The name of a counter ends in _total, which OpenMetrics omits from the header.
class MetricsWriter {
 public:
  explicit MetricsWriter(MetricsFormat format) : open_(format == MetricsFormat::kOpenMetrics) {}

  void gauge(std::string_view name, std::string_view help, double value) {
    head(name, "gauge", help);
    sample(name, "", value);
  }
  void counter(std::string_view name, std::string_view help, double value) {
    head(name, "counter", help);
    sample(name, "", value);
  }
  void head(std::string_view name, std::string_view type, std::string_view help) {
    const bool total = open_ && type == "counter" && name.ends_with("_total");
    const std::string_view family = total ? name.substr(0, name.size() - 6) : name;
    text_ += fmt::format("# HELP bowerbird_{0} {1}\n# TYPE bowerbird_{0} {2}\n", family, help, type);
  }
  // labels: "a=\"b\"".
  void sample(std::string_view name, std::string_view labels, double value) {
    text_ += fmt::format("bowerbird_{}{}{}{} {}\n", name, labels.empty() ? "" : "{", labels,
                         labels.empty() ? "" : "}", value);
  }
  void labelled(std::string_view name, std::string_view label, std::string_view value, double number) {
    sample(name, fmt::format("{}=\"{}\"", label, escaped(value)), number);
  }
  std::string finish() {
    if (open_) text_ += "# EOF\n";
    return std::move(text_);
  }

 private:
  static std::string escaped(std::string_view value) {
    std::string out;
    for (const char c : value) {
      if (c == '\\' || c == '"') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    return out;
  }

  bool open_;
  std::string text_;
};

double since(std::uint64_t now, std::uint64_t base) {
  return static_cast<double>(now - std::min(now, base));
}

void put_process(const LiveSnapshot& live, const ServerCounts& server, MetricsWriter& out) {
  out.head("build_info", "gauge", "Version of the program.");
  out.labelled("build_info", "version", BOWERBIRD_VERSION, 1);
  out.gauge("start_time_seconds", "Start of the process, Unix time.",
            static_cast<double>(server.process_start_ms) / 1000);
  const bool ended = !live.is_live || live.status.phase == CrawlPhase::kFinished;
  out.gauge("running", "1 until the crawl ends.", ended ? 0 : 1);
  out.gauge("paused", "1 while everything is paused.", live.is_paused() ? 1 : 0);
  out.gauge("stalled", "1 while nothing is being fetched although the crawl is neither paused nor ended.",
            !ended && !live.is_paused() && !live.status.stall.empty() ? 1 : 0);
  out.counter("cpu_seconds_total", "CPU time of the process.", server.cpu_seconds);
  out.counter("commits_total", "Commits.", static_cast<double>(live.commits));
  out.gauge("last_commit_time_seconds", "Time of the last commit, Unix time.",
            static_cast<double>(live.last_commit_ms) / 1000);
  out.gauge("last_page_time_seconds", "Time when the last page was fetched, Unix time; 0: no page yet.",
            static_cast<double>(live.last_page_ms) / 1000);
}

void put_pages(const LiveSnapshot& live, MetricsWriter& out) {
  const CrawlCounts& now = live.status.counts;
  const CrawlCounts& base = live.base;
  out.counter("pages_fetched_total", "Pages fetched.", since(now.pages, base.pages));
  out.counter("received_bytes_total", "Bytes of bodies.", since(now.bytes, base.bytes));
  out.head("requests_total", "counter", "Pages that are done, by outcome.");
  for (const OutcomeRule& rule : outcome_table()) {
    const auto i = static_cast<std::size_t>(rule.outcome);
    out.labelled("requests_total", "outcome", rule.name, since(now.outcomes[i], base.outcomes[i]));
  }
  out.counter("request_errors_total", "Pages that are done and failed.",
              since(failed_pages(now), failed_pages(base)));
  out.counter("retries_total", "Requests that will be retried.", since(now.retries, base.retries));
  out.counter("links_found_total", "Distinct links of pages.", since(now.links, base.links));
  out.counter("requisites_fetched_total", "Requisites fetched.",
              since(now.requisites.fetched(), base.requisites.fetched()));
  out.counter("robots_fetched_total", "robots.txt files read.",
              since(now.robots_fetched, base.robots_fetched));
  out.counter("turned_away_urls_total", "New URLs rejected for lack of memory.",
              since(now.rejected, base.rejected));
  out.head("crawl_done_pages", "gauge", "Pages that are done, in all runs, by outcome.");
  for (const OutcomeRule& rule : outcome_table()) {
    out.labelled("crawl_done_pages", "outcome", rule.name,
                 static_cast<double>(now.outcomes[static_cast<std::size_t>(rule.outcome)]));
  }
  out.gauge("crawl_pages", "Pages fetched, in all runs.", static_cast<double>(now.pages));
  out.gauge("crawl_bytes", "Bytes of bodies, in all runs.", static_cast<double>(now.bytes));
}

void put_refresh(const LiveSnapshot& live, MetricsWriter& out) {
  const VisitCounts& now = live.status.counts.refresh;
  const VisitCounts& base = live.base.refresh;
  if (now.freshness < 0 && now.visits == 0) return;
  const auto unchanged = [](const VisitCounts& counts) {
    return counts.visits - std::min(counts.visits, counts.changed + counts.failed + counts.gone);
  };
  out.head("visits_total", "counter", "Pages fetched again, by result.");
  out.labelled("visits_total", "result", "changed", since(now.changed, base.changed));
  out.labelled("visits_total", "result", "unchanged", since(unchanged(now), unchanged(base)));
  out.labelled("visits_total", "result", "failed", since(now.failed + now.gone, base.failed + base.gone));
  if (now.freshness >= 0)
    out.gauge("freshness_ratio", "Estimated share of held pages that are fresh.", now.freshness);
}

void put_response_times(const ResponseTimes& times, MetricsWriter& out) {
  out.head("response_seconds", "histogram", "Response time of pages.");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < times.counts.size(); ++i) {
    sum += times.counts[i];
    const bool last = i == ResponseTimes::kBounds.size();
    out.labelled("response_seconds_bucket", "le",
                 last ? "+Inf" : fmt::format("{}", ResponseTimes::kBounds[i]), static_cast<double>(sum));
  }
  out.sample("response_seconds_sum", "", times.sum);
  out.sample("response_seconds_count", "", static_cast<double>(sum));
}

void put_state(const LiveSnapshot& live, MetricsWriter& out) {
  const CrawlStatus& status = live.status;
  out.gauge("known_urls", "URLs.", static_cast<double>(status.known));
  out.gauge("queued_pages", "The frontier.", static_cast<double>(status.queued));
  out.gauge("in_flight_requests", "Requests in progress.", static_cast<double>(status.under_way));
  out.gauge("connections_limit", "Limit of requests in progress.", static_cast<double>(live.connections));
  out.head("hosts", "gauge", "Hosts by state; known counts all.");
  const std::pair<std::string_view, std::uint64_t> hosts[] = {
      {"known", status.hosts.known},         {"active", status.hosts.active},
      {"waiting", status.hosts.waiting},     {"given_up", status.hosts.given_up},
      {"at_budget", status.hosts.at_budget}, {"repeating", status.hosts.repeating}};
  for (const auto& [name, count] : hosts) out.labelled("hosts", "state", name, static_cast<double>(count));
  const double share = live.options ? live.options->budget.stop_at_importance : 0;
  struct Budget {
    std::string_view name;
    double limit, used;
  };
  const Budget budgets[] = {
      {"pages", static_cast<double>(status.budgets.pages), static_cast<double>(status.counts.pages)},
      {"bytes", static_cast<double>(status.budgets.bytes), static_cast<double>(status.counts.bytes)},
      {"time", status.budgets.seconds, status.seconds},
      {"importance", share, std::max(0.0, status.guaranteed)}};
  const auto is_set = [](const Budget& one) { return one.limit > 0; };
  if (std::ranges::any_of(budgets, is_set)) {
    out.head("budget_limit", "gauge", "Budgets that are set.");
    for (const Budget& one : budgets) {
      if (is_set(one)) out.labelled("budget_limit", "budget", one.name, one.limit);
    }
    out.head("budget_used", "gauge", "Used part of each budget.");
    for (const Budget& one : budgets) {
      if (is_set(one)) out.labelled("budget_used", "budget", one.name, one.used);
    }
  }
  if (status.guaranteed >= 0)
    out.gauge("importance_covered_ratio",
              "Lower bound of the share of the PageRank personalised to the seeds.", status.guaranteed);
}

void put_machine(const LiveSnapshot& live, MetricsWriter& out) {
  const MemoryUse& memory = live.status.memory;
  out.gauge("memory_resident_bytes", "Resident memory of the process.", static_cast<double>(memory.resident));
  out.gauge("memory_limit_bytes", "Memory budget; 0: no limit.", static_cast<double>(memory.budget));
  out.gauge("memory_stage", "0 normal, 1 caches shrink, 2 spilling, 3 full.",
            static_cast<double>(memory.stage));
  if (!memory.parts.empty()) {
    out.head("memory_part_bytes", "gauge", "Memory by part of the crawler.");
    for (const MemoryPart& part : memory.parts)
      out.labelled("memory_part_bytes", "part", part.name, static_cast<double>(part.bytes));
  }
  out.gauge("disk_free_bytes", "Free bytes for the crawl's folder.", static_cast<double>(live.disk.free));
  out.gauge("disk_size_bytes", "Size of its file system.", static_cast<double>(live.disk.total));
  out.gauge("disk_warnings", "Warnings about files on disk.", static_cast<double>(live.status.troubles));
}

void put_fleet(const LiveSnapshot& live, MetricsWriter& out) {
  const SharingCounts& now = live.status.sharing;
  const SharingCounts& base = live.base_sharing;
  if (!now.on) return;
  out.gauge("fleet_partitions", "Partitions held by this process.", static_cast<double>(now.partitions));
  out.gauge("fleet_lease_held", "1 while this process holds its lease.", live.may_work ? 1 : 0);
  out.counter("fleet_urls_sent_total", "URLs sent to other processes.", since(now.urls_sent, base.urls_sent));
  out.counter("fleet_urls_received_total", "URLs received.", since(now.urls_received, base.urls_received));
  out.counter("fleet_sent_bytes_total", "Bytes sent.", since(now.bytes_sent, base.bytes_sent));
  out.gauge("fleet_log_lag_commits", "Commits that wait for the log on the NATS server.",
            static_cast<double>(now.unlogged));
}

void put_server(const ServerCounts& server, MetricsWriter& out) {
  out.head("live_requests_total", "counter", "Requests to the live page and its API.");
  for (const int code : {2, 4, 5}) {
    out.labelled("live_requests_total", "code", fmt::format("{}xx", code),
                 static_cast<double>(server.codes[static_cast<std::size_t>(code)]));
  }
  out.gauge("live_streams", "Open event streams.", static_cast<double>(server.streams));
  if (server.commands.empty()) return;
  out.head("commands_total", "counter", "Commands executed.");
  for (const auto& [name, count] : server.commands)
    out.labelled("commands_total", "command", name, static_cast<double>(count));
}

}  // namespace

std::string metrics_text(const LiveSnapshot& snapshot, const ServerCounts& server, MetricsFormat format) {
  MetricsWriter out(format);
  put_process(snapshot, server, out);
  put_pages(snapshot, out);
  put_refresh(snapshot, out);
  put_response_times(snapshot.response_times, out);
  put_state(snapshot, out);
  put_machine(snapshot, out);
  put_fleet(snapshot, out);
  put_server(server, out);
  return out.finish();
}

MetricsFormat metrics_format(std::string_view accept) {
  return accept.find("application/openmetrics-text") != accept.npos ? MetricsFormat::kOpenMetrics
                                                                    : MetricsFormat::kPrometheus;
}

std::string_view metrics_type(MetricsFormat format) {
  return format == MetricsFormat::kOpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                               : "text/plain; version=0.0.4; charset=utf-8";
}

}  // namespace bowerbird
