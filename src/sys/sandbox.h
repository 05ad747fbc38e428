// Runs a program over input that is not trusted, and takes what it prints.
//
// Problem: readers of complex formats (PDF) have faults that a file can use. The program therefore runs in a
// process of its own, with limits on memory, processor time, wall time and output, and with a seccomp filter
// that it cannot leave: no network, no other programs, no processes or threads, and files are opened for
// reading only. Its input is standard input, a file in memory; its environment is empty. What the filter does
// not list fails with EPERM. Linux on x86-64 and AArch64; elsewhere nothing is started.
//
// The one execution that starts the program is allowed by file descriptor: kExecFd is closed by it and lies
// above the limit of open files, so that it cannot be opened again.
//
// Threads: any; a caller waits until the program has ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct SandboxLimits {
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of address space
  unsigned cpu_seconds = 20;
  unsigned wall_seconds = 60;
  std::uint64_t output = std::uint64_t{64} << 20;  // bytes
};

// Whether programs can be run this way on this machine.
bool can_sandbox();

// The file of a program along PATH; empty if there is none.
std::string find_program(const std::string& name);

// What the program prints to standard output. An error if it could not be started, failed, or exceeded a
// limit. `program` is a path.
Result<std::string> run_sandboxed(const std::string& program, const std::vector<std::string>& arguments,
                                  std::string_view input, const SandboxLimits& limits = {});

}  // namespace bowerbird
