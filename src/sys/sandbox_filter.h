// The seccomp filter of sandbox.h.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace bowerbird {

// The file descriptor of the program to start.
inline constexpr int kExecFd = 200;

// Empty where the processor is not known. To be built before fork(), because it allocates.
std::vector<sock_filter> sandbox_filter();

}  // namespace bowerbird
