#include "crawl/state/crawl_status.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "store/crawl_reader.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

constexpr std::size_t kTypesNamed = 16;

nlohmann::json visits_json(const VisitCounts& counts) {
  nlohmann::json json = {
      {"visits", counts.visits},   {"changed", counts.changed}, {"not_modified", counts.not_modified},
      {"failed", counts.failed},   {"gone", counts.gone},       {"bytes_saved", counts.bytes_saved},
      {"overdue", counts.overdue}, {"freshness", nullptr},      {"age", nullptr}};
  if (counts.freshness >= 0) json["freshness"] = counts.freshness;
  if (counts.age >= 0) json["age"] = counts.age;
  return json;
}

using OutcomeCounts = std::array<std::uint64_t, kOutcomes>;

nlohmann::json outcomes_json(const OutcomeCounts& counts) {
  nlohmann::json outcomes = nlohmann::json::object();
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint64_t count = counts[static_cast<std::size_t>(rule.outcome)];
    if (count > 0) outcomes[std::string(rule.name)] = count;
  }
  return outcomes;
}

nlohmann::json sites_json(const std::map<std::string, SiteCounts>& sites) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, counts] : sites) json[name] = {{"pages", counts.pages}, {"bytes", counts.bytes}};
  return json;
}

nlohmann::json counts_json(const CrawlCounts& counts) {
  nlohmann::json excluded = nlohmann::json::object();
  for (const ExclusionRule& rule : exclusion_table()) {
    const std::uint64_t count = counts.excluded[static_cast<std::size_t>(rule.rule)];
    if (count > 0) excluded[std::string(rule.name)] = count;
  }
  nlohmann::json seeds = nlohmann::json::array();
  for (const FailedSeed& seed : counts.failed_seeds)
    seeds.push_back({{"url", seed.url}, {"reason", seed.reason}});
  return {{"pages", counts.pages},
          {"bytes", counts.bytes},
          {"completed", counts.completed},
          {"retries", counts.retries},
          {"robots_fetched", counts.robots_fetched},
          {"sitemap_unreadable", counts.sitemap_unreadable},
          {"links", counts.links},
          {"on_topic", counts.on_topic},
          {"run_ms", counts.run_ms},
          {"turned_away", counts.rejected},
          {"turned_away_worth", counts.rejected_worth},
          {"longest_step_us", counts.longest.step_us},
          {"longest_refresh_us", counts.longest.refresh_us},
          {"longest_snapshot_us", counts.longest.snapshot_us},
          {"refresh", visits_json(counts.refresh)},
          {"outcomes", outcomes_json(counts.outcomes)},
          {"requisites", counts.requisites.fetched()},
          {"requisite_bytes", counts.requisites.bytes},
          {"requisites_over_limit", counts.requisites.over_limit},
          {"requisite_outcomes", outcomes_json(counts.requisites.outcomes)},
          {"seeds_failed", counts.seeds_failed},
          {"failed_seeds", std::move(seeds)},
          {"excluded", std::move(excluded)},
          {"sites", sites_json(counts.sites)},
          {"unwanted_types", counts.unwanted_types}};
}

// Names of media types come from the Web and may not be UTF-8.
std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_at(const nlohmann::json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}

nlohmann::json memory_object(const MemoryUse& use) {
  nlohmann::json parts = nlohmann::json::object();
  for (const MemoryPart& part : use.parts) parts[part.name] = part.bytes;
  return {{"budget", use.budget},
          {"resident", use.resident},
          {"most", use.most},
          {"stage", memory_stage_text(use.stage)},
          {"parts", std::move(parts)},
          {"urls_on_disk", use.urls_on_disk},
          {"hosts_on_disk", use.hosts_on_disk},
          {"on_disk_bytes", use.disk},
          {"queued_on_disk", use.queued_on_disk},
          {"queue_disk_bytes", use.queue_disk},
          {"graph_links_on_disk", use.links_on_disk},
          {"graph_disk_bytes", use.links_disk},
          {"links_asked_of_disk", use.asked_disk},
          {"pages_waiting_for_links", use.waiting_pages},
          {"dropped", use.dropped},
          {"dropped_worth", use.dropped_worth},
          {"bound_given_up", use.bound_dropped}};
}

std::uint64_t number(const nlohmann::json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

void read_outcomes(const nlohmann::json& from, const char* key, OutcomeCounts& counts) {
  const auto found = from.find(key);
  if (found == from.end() || !found->is_object()) return;
  for (const OutcomeRule& rule : outcome_table())
    counts[static_cast<std::size_t>(rule.outcome)] = number(*found, std::string(rule.name).c_str());
}

double number_or_minus(const nlohmann::json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_number() ? found->get<double>() : -1;
}

VisitCounts visits_of_object(const nlohmann::json& json) {
  VisitCounts counts;
  counts.visits = number(json, "visits");
  counts.changed = number(json, "changed");
  counts.not_modified = number(json, "not_modified");
  counts.failed = number(json, "failed");
  counts.gone = number(json, "gone");
  counts.bytes_saved = number(json, "bytes_saved");
  counts.overdue = number(json, "overdue");
  counts.freshness = number_or_minus(json, "freshness");
  counts.age = number_or_minus(json, "age");
  return counts;
}

// Reads all but the values that only held at that moment.
MemoryUse memory_of_object(const nlohmann::json& json) {
  MemoryUse use;
  use.budget = number(json, "budget");
  use.resident = number(json, "resident");
  use.most = number(json, "most");
  if (const auto stage = json.find("stage"); stage != json.end() && stage->is_string())
    use.stage = memory_stage_of(stage->get<std::string>());
  if (const auto parts = json.find("parts"); parts != json.end() && parts->is_object()) {
    for (const auto& [name, bytes] : parts->items()) {
      if (bytes.is_number_unsigned()) use.parts.push_back({name, bytes.get<std::uint64_t>()});
    }
  }
  use.urls_on_disk = number(json, "urls_on_disk");
  use.hosts_on_disk = number(json, "hosts_on_disk");
  use.disk = number(json, "on_disk_bytes");
  use.queued_on_disk = number(json, "queued_on_disk");
  use.queue_disk = number(json, "queue_disk_bytes");
  use.links_on_disk = number(json, "graph_links_on_disk");
  use.links_disk = number(json, "graph_disk_bytes");
  use.asked_disk = number(json, "links_asked_of_disk");
  use.dropped = number(json, "dropped");
  if (const auto worth = json.find("dropped_worth"); worth != json.end() && worth->is_number())
    use.dropped_worth = worth->get<double>();
  const auto given_up = json.find("bound_given_up");
  use.bound_dropped = given_up != json.end() && given_up->is_boolean() && given_up->get<bool>();
  return use;
}

}  // namespace

std::uint64_t RequisiteCounts::done() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), over_limit);
}

std::uint64_t RequisiteCounts::failed() const {
  std::uint64_t final = 0;
  for (const OutcomeRule& rule : outcome_table()) {
    if (is_final_response(rule.outcome)) final += outcomes[static_cast<std::size_t>(rule.outcome)];
  }
  return done() - final;
}

void VisitCounts::add(const VisitCounts& other) {
  visits += other.visits;
  changed += other.changed;
  not_modified += other.not_modified;
  failed += other.failed;
  gone += other.gone;
  bytes_saved += other.bytes_saved;
  overdue += other.overdue;
}

void CrawlCounts::add_unwanted(const std::string& type) {
  const bool named =
      unwanted_types.contains(type) || (unwanted_types.size() < kTypesNamed && type.size() <= 64);
  ++unwanted_types[named ? type : "any"];
}

void CrawlCounts::add_failed_seed(FailedSeed seed) {
  ++seeds_failed;
  if (failed_seeds.size() < kFailedSeedsNamed) failed_seeds.push_back(std::move(seed));
}

void CrawlCounts::add(const CrawlCounts& other) {
  pages += other.pages;
  bytes += other.bytes;
  completed += other.completed;
  retries += other.retries;
  robots_fetched += other.robots_fetched;
  sitemap_unreadable += other.sitemap_unreadable;
  links += other.links;
  on_topic += other.on_topic;
  run_ms = std::max(run_ms, other.run_ms);
  rejected += other.rejected;
  rejected_worth += other.rejected_worth;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i] += other.outcomes[i];
    requisites.outcomes[i] += other.requisites.outcomes[i];
  }
  requisites.bytes += other.requisites.bytes;
  requisites.over_limit += other.requisites.over_limit;
  longest.step_us = std::max(longest.step_us, other.longest.step_us);
  longest.refresh_us = std::max(longest.refresh_us, other.longest.refresh_us);
  longest.snapshot_us = std::max(longest.snapshot_us, other.longest.snapshot_us);
  refresh.add(other.refresh);
  for (std::size_t i = 0; i < excluded.size(); ++i) excluded[i] += other.excluded[i];
  for (const auto& [name, counts] : other.sites) {
    sites[name].pages += counts.pages;
    sites[name].bytes += counts.bytes;
  }
  for (const auto& [type, count] : other.unwanted_types) unwanted_types[type] += count;
  for (const FailedSeed& seed : other.failed_seeds) add_failed_seed(seed);
  seeds_failed += other.seeds_failed - std::min<std::uint64_t>(other.seeds_failed, other.failed_seeds.size());
}

std::string_view crawl_end_text(CrawlEnd end) {
  switch (end) {
    case CrawlEnd::kNotYet:
      return "running";
    case CrawlEnd::kNothingLeft:
      return "nothing left to fetch";
    case CrawlEnd::kPages:
      return "page budget reached";
    case CrawlEnd::kBytes:
      return "byte budget reached";
    case CrawlEnd::kTime:
      return "time limit reached";
    case CrawlEnd::kImportance:
      return "importance target reached";
    case CrawlEnd::kStopped:
      return "stopped";
    case CrawlEnd::kFailed:
      return "failed";
    case CrawlEnd::kNoDns:
      return "DNS did not answer for any seed";
  }
  return "";
}

std::string crawl_state_text(const std::string& folder, CrawlEnd end) {
  const LockView lock = look_at_lock(folder + "/" + crawl_files::kLock);
  if (lock.holder > 0) return fmt::format("running (pid {})", lock.holder);
  if (!lock.note.empty()) return fmt::format("failed, can be resumed: {}", lock.note);
  if (end == CrawlEnd::kNotYet) return "killed, can be resumed";
  return std::string(crawl_end_text(end));
}

std::string memory_json(const MemoryUse& use) {
  return memory_object(use).dump();
}

std::string status_json(const CrawlStatus& status, CrawlEnd end) {
  nlohmann::json json = counts_json(status.counts);
  json["known"] = status.known;
  json["queued"] = status.queued;
  json["under_way"] = status.under_way;
  json["requisites_pending"] = status.requisites_pending;
  json["hosts"] = status.hosts.known;
  json["hosts_active"] = status.hosts.active;
  json["hosts_waiting"] = status.hosts.waiting;
  json["hosts_given_up"] = status.hosts.given_up;
  json["hosts_at_budget"] = status.hosts.at_budget;
  json["hosts_repeating"] = status.hosts.repeating;
  json["memory"] = memory_object(status.memory);
  json["troubles"] = status.troubles;
  json["seconds"] = status.seconds;
  if (status.guaranteed >= 0) json["importance_covered"] = status.guaranteed;
  json["policy"] = status.policy;
  if (status.sharing.on) {
    json["urls_sent"] = status.sharing.urls_sent;
    json["urls_received"] = status.sharing.urls_received;
    json["parcels_sent"] = status.sharing.messages_sent;
    json["bytes_sent"] = status.sharing.bytes_sent;
    json["partitions"] = status.sharing.partitions;
    json["log_lag_commits"] = status.sharing.unlogged;
  }
  json["end"] = crawl_end_text(end);
  return text_of(json);
}

std::string counts_to_state(const CrawlCounts& counts, CrawlEnd end, const CrawlMoment& moment) {
  nlohmann::json json = counts_json(counts);
  if (moment.memory.resident > 0) json["memory"] = memory_object(moment.memory);
  json["end"] = static_cast<int>(end);
  json["queued"] = moment.queued;
  json["requisites_pending"] = moment.requisites_pending;
  if (moment.lacking) {
    json["pages_incomplete"] = moment.lacking->incomplete;
    json["pages_waiting"] = moment.lacking->waiting;
  }
  if (moment.guaranteed >= 0) json["covered"] = moment.guaranteed;
  return text_of(json);
}

bool counts_from_state(std::string_view state, CrawlCounts& counts, CrawlEnd& end, CrawlMoment* moment) {
  const nlohmann::json json = nlohmann::json::parse(state, nullptr, false);
  if (!json.is_object()) return false;
  counts.pages = number(json, "pages");
  counts.bytes = number(json, "bytes");
  counts.completed = number(json, "completed");
  counts.retries = number(json, "retries");
  counts.robots_fetched = number(json, "robots_fetched");
  counts.sitemap_unreadable = number(json, "sitemap_unreadable");
  counts.links = number(json, "links");
  counts.on_topic = number(json, "on_topic");
  counts.run_ms = number(json, "run_ms");
  counts.rejected = number(json, "turned_away");
  if (const auto worth = json.find("turned_away_worth"); worth != json.end() && worth->is_number())
    counts.rejected_worth = worth->get<double>();
  counts.longest = {number(json, "longest_step_us"), number(json, "longest_refresh_us"),
                    number(json, "longest_snapshot_us")};
  if (const auto refresh = json.find("refresh"); refresh != json.end() && refresh->is_object())
    counts.refresh = visits_of_object(*refresh);
  const std::uint64_t ended = number(json, "end");
  end = ended <= static_cast<std::uint64_t>(CrawlEnd::kNoDns) ? static_cast<CrawlEnd>(ended)
                                                              : CrawlEnd::kNotYet;
  read_outcomes(json, "outcomes", counts.outcomes);
  read_outcomes(json, "requisite_outcomes", counts.requisites.outcomes);
  counts.requisites.bytes = number(json, "requisite_bytes");
  counts.requisites.over_limit = number(json, "requisites_over_limit");
  if (const auto excluded = json.find("excluded"); excluded != json.end() && excluded->is_object()) {
    for (const ExclusionRule& rule : exclusion_table()) {
      counts.excluded[static_cast<std::size_t>(rule.rule)] =
          number(*excluded, std::string(rule.name).c_str());
    }
  }
  if (const auto types = json.find("unwanted_types"); types != json.end() && types->is_object()) {
    for (const auto& [type, count] : types->items()) {
      if (count.is_number_unsigned() && counts.unwanted_types.size() <= kTypesNamed)
        counts.unwanted_types[type] = count.get<std::uint64_t>();
    }
  }
  if (const auto sites = json.find("sites"); sites != json.end() && sites->is_object()) {
    for (const auto& [name, site] : sites->items()) {
      if (site.is_object()) counts.sites[name] = {number(site, "pages"), number(site, "bytes")};
    }
  }
  counts.seeds_failed = number(json, "seeds_failed");
  if (const auto seeds = json.find("failed_seeds"); seeds != json.end() && seeds->is_array()) {
    for (const nlohmann::json& seed : *seeds) {
      if (seed.is_object() && counts.failed_seeds.size() < kFailedSeedsNamed)
        counts.failed_seeds.push_back({text_at(seed, "url"), text_at(seed, "reason")});
    }
  }
  if (moment != nullptr) {
    moment->queued = number(json, "queued");
    moment->requisites_pending = number(json, "requisites_pending");
    if (json.contains("pages_incomplete"))
      moment->lacking = PagesLacking{number(json, "pages_incomplete"), number(json, "pages_waiting")};
    const auto memory = json.find("memory");
    if (memory != json.end() && memory->is_object()) moment->memory = memory_of_object(*memory);
    const auto bound = json.find("covered");
    moment->guaranteed = bound != json.end() && bound->is_number() ? bound->get<double>() : -1;
  }
  return true;
}

}  // namespace bowerbird
