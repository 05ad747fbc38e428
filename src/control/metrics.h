// A snapshot in the text formats of Prometheus: 0.0.4, or OpenMetrics 1.0. docs/formats/metrics.md lists
// the metrics. Pure; threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "control/snapshot.h"

namespace bowerbird {

enum class MetricsFormat : std::uint8_t { kPrometheus, kOpenMetrics };

// Counters of the server.
struct ServerCounts {
  std::array<std::uint64_t, 6> codes{};  // responses, by the first digit of their status
  std::uint64_t streams = 0;             // open now
  std::map<std::string, std::uint64_t> commands;
  double cpu_seconds = 0;
  std::int64_t process_start_ms = 0;
};

std::string metrics_text(const LiveSnapshot& snapshot, const ServerCounts& server, MetricsFormat format);
// The format that the Accept header requests.
MetricsFormat metrics_format(std::string_view accept);
std::string_view metrics_type(MetricsFormat format);

}  // namespace bowerbird
