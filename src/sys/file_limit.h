// How many files and sockets this process may have open.
#pragma once

#include <cstdint>

namespace bowerbird {

// Raises the soft limit (ulimit -n) to the hard one, and returns the resulting limit.
std::uint64_t raise_file_limit();

}  // namespace bowerbird
