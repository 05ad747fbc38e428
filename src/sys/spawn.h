// Starts another program, or this one again, as a process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// The running program, as a program to start.
inline constexpr char kThisProgram[] = "/proc/self/exe";

struct SpawnOptions {
  std::string output = "/dev/null";  // its output is appended to this file; empty: it shares our output
  bool own_group = false;            // it does not receive Ctrl-C: its parent tells it when to end
};

// words[0] is the name of the process. A program without a slash is searched for in PATH. Its input is empty.
Result<pid_t> spawn(const std::string& program, std::vector<std::string> words,
                    const SpawnOptions& options = {});

}  // namespace bowerbird
