#include "sys/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace bowerbird {

std::uint64_t raise_file_limit() {
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 20;  // we never need more
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur == RLIM_INFINITY ? kUnlimited : std::min<std::uint64_t>(limit.rlim_cur, kUnlimited);
}

}  // namespace bowerbird
