// tools/setup.sh, which ./run and ./test share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>

#include "process.h"

namespace bowerbird {
namespace {

// The next line, or nothing if none arrives within 20 seconds.
std::string next_line(std::FILE* from) {
  pollfd arrived = {::fileno(from), POLLIN, 0};
  char line[256];
  if (::poll(&arrived, 1, 20'000) != 1 || std::fgets(line, sizeof line, from) == nullptr) return {};
  return line;
}

// A stand-in for ninja prints one step and then waits; the step must be visible while it waits.
TEST(BuildScript, ShowsTheProgressOfABuildAtOnce) {
  TemporaryFolder root;
  std::filesystem::create_directories(root / "build/release");
  write_text(root / "build/release/build.ninja", "");
  const std::string go = root / "go";
  ASSERT_EQ(::mkfifo(go.c_str(), 0600), 0);
  write_text(root / "ninja", "#!/bin/sh\necho 'ninja: Entering directory'\necho '[1/2] first'\nread go < " +
                                 go + "\necho '[2/2] second'\nexit 3\n");
  std::filesystem::permissions(root / "ninja", std::filesystem::perms::owner_all);
  const std::string script = "PATH=" + root.path() + ":$PATH root=" + root.path() + " sh -c '. " +
                             BOWERBIRD_SOURCE_DIR "/tools/setup.sh; build release all' 2>&1";
  std::FILE* output = ::popen(script.c_str(), "r");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(next_line(output), "[1/2] first\n");
  write_text(go, "go\n");
  EXPECT_EQ(next_line(output), "[2/2] second\n");
  EXPECT_EQ(WEXITSTATUS(::pclose(output)), 70);
}

}  // namespace
}  // namespace bowerbird
