// A stream of URLs as a crawl offers them to its index of known URLs, for benches: URL i of the stream has
// the id i and the fingerprint nth_fingerprint(i).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/rng.h"

namespace bowerbird {

// Which of the known URLs is offered: 45 % are popular (u^5 over all), 40 % recent, 15 % any.
inline std::uint64_t pick(std::uint64_t known, Rng& rng) {
  const double kind = rng.unit(), u = rng.unit();
  const auto n = static_cast<double>(known);
  if (kind < 0.45) return static_cast<std::uint64_t>(n * u * u * u * u * u);
  if (kind < 0.85) return known - 1 - static_cast<std::uint64_t>(std::min(n, 200'000.0) * u * u);
  return static_cast<std::uint64_t>(n * u);
}

// In a crawl, parsers pass links with their fingerprints.
inline std::uint64_t nth_fingerprint(std::uint64_t i) {
  return draw(5, i);
}

inline std::uint64_t folder_bytes(const std::string& folder) {
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.is_regular_file()) bytes += file.file_size();
  }
  return bytes;
}

}  // namespace bowerbird
