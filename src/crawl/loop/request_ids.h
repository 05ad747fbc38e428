// How requests to the fetcher are numbered: pages by their id, others by their host's.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace bowerbird {

inline constexpr std::uint64_t kRobotsRequest = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kResolveRequest = std::uint64_t{1} << 41;
inline bool is_page(std::uint64_t id) {
  return id < kRobotsRequest;
}
inline bool is_resolve(std::uint64_t id) {
  return (id & kResolveRequest) != 0;
}
inline HostId host_of_request(std::uint64_t id) {
  return static_cast<HostId>(id & 0xffffffffu);
}

}  // namespace bowerbird
