// The last results of a host, from the log of the crawl.
//
// Only reads; threads: any.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace bowerbird {

inline constexpr std::size_t kHostHistory = 50, kHostErrors = 20;

// Adds the latest committed results of the host to json["history"] and json["errors"], newest first, up to
// the limits above; URLs that are listed already are skipped. At most `most_bytes` at the end of the log are
// read.
void add_logged_results(const std::string& folder, const std::string& host, std::uint64_t most_bytes,
                        nlohmann::json& json);

}  // namespace bowerbird
