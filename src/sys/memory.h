// How much memory there is, and how much we use: asked before work that would need more than there is.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// Bytes that can be had without swapping, by the kernel's estimate and the limit of our control group; 0 if
// unknown.
std::uint64_t available_memory();
// Bytes of this process in memory now, and the most there ever were.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();

// For a process that has to keep to a budget: what is freed goes back to the system sooner, at some cost of
// time. Long pieces (bodies of pages) are never cut from the heap, where they would leave holes, and threads
// share it.
void keep_heap_small();

// An error that says what needs how much, if that is more than is available.
Status check_memory(std::string_view what, std::uint64_t bytes);

}  // namespace bowerbird
