// The integer ids of pages, hosts and processes. Pages and hosts are dense: 0, 1, 2 ...
#pragma once

#include <cstdint>

namespace bowerbird {

using PageId = std::uint32_t;
using HostId = std::uint32_t;

inline constexpr PageId kNoPage = 0xffffffffu;
inline constexpr HostId kNoHost = 0xffffffffu;
// The largest values are reserved for marks.
inline constexpr std::uint64_t kMaxPages = 0xfffffff0u;

}  // namespace bowerbird
