// Converts snapshots to the JSON of the API (src/dash/assets/live/openapi.json). Pure; threads: any.
#pragma once

#include <nlohmann/json.hpp>

#include "control/snapshot.h"
#include "crawl/loop/live_view.h"

namespace bowerbird {

nlohmann::json status_object(const LiveSnapshot& snapshot);
nlohmann::json memory_object_of(const MemoryUse& use);
nlohmann::json disk_object(const DiskSpace& disk);
nlohmann::json options_object(const LiveSnapshot& snapshot);
// number: counts from 1.
nlohmann::json change_object(const Change& change, std::uint64_t number);
nlohmann::json changes_object(const LiveSnapshot& snapshot, std::size_t most);

// null: the time is unknown.
nlohmann::json seconds_until(Time opens, Time now);
// policy: the option.
nlohmann::json queued_object(const QueuedView& view, const std::string& policy, Time now);
nlohmann::json robots_array(const std::vector<RulesView>& rules, Time now);
nlohmann::json excluded_array(const CrawlCounts& counts);
nlohmann::json dead_seeds_array(const CrawlCounts& counts);

// One line. Invalid UTF-8 is replaced.
std::string dump_json(const nlohmann::json& json);

}  // namespace bowerbird
