#include "sys/memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "base/units.h"

namespace bowerbird {

namespace {

// The kilobytes of a "Name:  123 kB" line, in bytes; 0 if there is none.
std::uint64_t proc_field(const char* file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  }
  return 0;
}

// A number alone in a file ("max" and a missing file count as no limit).
std::uint64_t number_in(const char* file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? value : 0;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = proc_field("/proc/meminfo", "MemAvailable:");
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
  if (limit > 0 && limit > used) available = std::min(available, limit - used);
  rlimit address_space{};
  if (::getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t mapped = proc_field("/proc/self/status", "VmSize:");
    available = std::min<std::uint64_t>(
        available, address_space.rlim_cur > mapped ? address_space.rlim_cur - mapped : 1);
  }
  return available;
}

std::uint64_t resident_memory() {
  return proc_field("/proc/self/status", "VmRSS:");
}

std::uint64_t peak_resident_memory() {
  return proc_field("/proc/self/status", "VmHWM:");
}

void keep_heap_small() {
  constexpr int kLong = 128 << 10;
  ::mallopt(M_MMAP_THRESHOLD, kLong);  // by default it would rise with the longest piece that was freed
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLong);
  ::mallopt(M_ARENA_MAX, 2);
}

Status check_memory(std::string_view what, std::uint64_t bytes) {
  const std::uint64_t available = available_memory();
  if (available == 0 || bytes <= available) return {};
  return error("{} needs about {} of memory, and only {} are available", what, format_bytes(bytes),
               format_bytes(available));
}

}  // namespace bowerbird
