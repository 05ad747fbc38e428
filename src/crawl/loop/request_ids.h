// Ids of requests to the fetcher: pages and requisites by their page id, other requests by their host id.
// Pure.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace bowerbird {

inline constexpr std::uint64_t kRobotsRequest = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kResolveRequest = std::uint64_t{1} << 41;
inline constexpr std::uint64_t kRequisiteRequest = std::uint64_t{1} << 42;
inline bool is_page(std::uint64_t id) {
  return id < kRobotsRequest;
}
inline bool is_resolve(std::uint64_t id) {
  return (id & kResolveRequest) != 0;
}
inline bool is_requisite(std::uint64_t id) {
  return (id & kRequisiteRequest) != 0;
}
inline PageId page_of_requisite(std::uint64_t id) {
  return static_cast<PageId>(id & 0xffffffffu);
}
inline HostId host_of_request(std::uint64_t id) {
  return static_cast<HostId>(id & 0xffffffffu);
}

}  // namespace bowerbird
