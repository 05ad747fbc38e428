// Runs a command in this process and returns its output, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cmd/commands.h"

namespace bowerbird {

// `bowerbird ARGS...`: standard output followed by standard error.
inline std::string output_of_command(std::vector<const char*> args, int expected_code = kExitOk) {
  App app;
  add_all_commands(app);
  args.insert(args.begin(), "bowerbird");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(app.run(static_cast<int>(args.size()), args.data()), expected_code);
  std::fflush(stdout);
  const std::string error = testing::internal::GetCapturedStderr();
  return testing::internal::GetCapturedStdout() + error;
}

}  // namespace bowerbird
