// Another program, or this one once more, as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// As a program to start: the one that is running.
inline constexpr char kThisProgram[] = "/proc/self/exe";

struct SpawnOptions {
  std::string output = "/dev/null";  // where what it prints is appended; empty: where ours goes
  bool own_group = false;            // Ctrl-C is not for it: whoever starts it tells it when to end
};

// words[0] is what the process is called. A program without a slash is looked for along PATH. It reads
// nothing.
Result<pid_t> spawn(const std::string& program, std::vector<std::string> words,
                    const SpawnOptions& options = {});

}  // namespace bowerbird
