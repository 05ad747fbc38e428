// Snapshots as the JSON of the API (src/dash/assets/live/openapi.json). Pure; threads: any.
#pragma once

#include <nlohmann/json.hpp>

#include "control/snapshot.h"

namespace bowerbird {

nlohmann::json status_object(const LiveSnapshot& snapshot);
nlohmann::json memory_object_of(const MemoryUse& use);
nlohmann::json disk_object(const DiskSpace& disk);
nlohmann::json options_object(const LiveSnapshot& snapshot);
// number: from 1.
nlohmann::json change_object(const Change& change, std::uint64_t number);
nlohmann::json changes_object(const LiveSnapshot& snapshot, std::size_t most);

// One line; invalid UTF-8 is replaced.
std::string dump_json(const nlohmann::json& json);

}  // namespace bowerbird
