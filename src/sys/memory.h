// How much memory is available, and how much we use; checked before work that needs much.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// Bytes available without swapping, by the kernel's estimate and the limit of our control group; 0 if
// unknown.
std::uint64_t available_memory();
// The current resident memory of this process, and its peak.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();

// For a process with a memory budget: freed memory is returned to the system sooner, at some cost of time.
// Large blocks (bodies of pages) are not allocated from the heap, where they would leave holes, and threads
// share it.
void keep_heap_small();

// An error with the required size, if that is more than is available.
Status check_memory(std::string_view what, std::uint64_t bytes);

}  // namespace bowerbird
