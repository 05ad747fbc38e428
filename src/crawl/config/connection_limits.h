// How many connections a crawl may have within the limit of open files.
//
// Problem: with `ulimit -n 1024`, a common default, a crawl of many hosts must not end with "Too many
// open files". A page in flight needs up to two sockets (two addresses may be tried at once, and DNS has
// its own). Idle connections get the rest. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bowerbird {

struct ConnectionLimits {
  std::uint64_t under_way = 0;  // pages
  std::uint64_t idle = 0;       // kept open for the next page of their host
};

// wanted: what the user asked for. files: the limit of open files.
inline ConnectionLimits connection_limits(const ConnectionLimits& wanted, std::uint64_t files) {
  constexpr std::uint64_t kOwnFiles = 64;  // journal, logs, WARC files, spill files, libraries
  const std::uint64_t sockets = files - std::min(kOwnFiles, files / 2);
  ConnectionLimits limits;
  limits.under_way = std::clamp<std::uint64_t>(wanted.under_way, 1, std::max<std::uint64_t>(1, sockets / 3));
  const std::uint64_t busy = 2 * limits.under_way;
  limits.idle = std::min(wanted.idle, sockets > busy ? sockets - busy : 1);
  return limits;
}

}  // namespace bowerbird
