// tools/setup.sh, which ./run and ./test share, and ./test itself.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
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

// A fake ninja prints one step and then waits; the step must be visible while it waits.
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

// ./test in its own folder, with fakes for everything it calls; each logs its arguments.
class TestScript : public testing::Test {
 protected:
  TestScript() {
    for (const char* folder : {"tools", "bin", "tests"}) std::filesystem::create_directories(root_ / folder);
    for (const char* preset : {"release", "dev", "tsan", "clang", "fuzz"}) {
      std::filesystem::create_directories(root_ / fmt::format("build/{}", preset));
      write_text(root_ / fmt::format("build/{}/build.ninja", preset),
                 "bowerbird_python bowerbird_frontier\n");
    }
    for (const char* name : {"test", "tools/setup.sh", "tools/packages.txt"})
      std::filesystem::copy_file(BOWERBIRD_SOURCE_DIR "/" + std::string(name), root_ / name);
    const std::string note = "#!/bin/sh\necho $(basename $0) \"$@\" >> " + root_ / "calls" + "\n";
    for (const char* name :
         {"bin/ninja", "bin/ctest", "tools/chaos", "tools/layers", "tools/names", "tests/interfaces"})
      script(name, note);
    script("bin/dpkg-query", "#!/bin/sh\necho install ok installed\n");
    script("build/fuzz/one_fuzz", note);
    script("build/fuzz/two_fuzz", note);
  }
  void script(const std::string& name, const std::string& text) const {
    write_text(root_ / name, text);
    std::filesystem::permissions(root_ / name, std::filesystem::perms::owner_all);
  }
  // Returns the exit code; the calls are in calls_, the output in said_.
  int run(const std::string& args) {
    const std::string command =
        fmt::format("PATH={}:$PATH {} {} > {} 2>&1", root_ / "bin", root_ / "test", args, root_ / "said");
    const int code = WEXITSTATUS(std::system(command.c_str()));
    said_ = read_text(root_ / "said");
    calls_ = std::filesystem::exists(root_ / "calls") ? read_text(root_ / "calls") : "";
    return code;
  }

  TemporaryFolder root_;
  std::string said_;
  std::string calls_;
};

TEST_F(TestScript, AnUnknownPartIsAnErrorThatListsThem) {
  for (const char* args : {"--full nosuch", "--full attacks kills", "nosuch"}) {
    EXPECT_EQ(run(args), 64) << args;
    EXPECT_EQ(calls_, "") << args;
    for (const char* part : {"release", "sanitizers", "clang", "kills", "attacks", "fleet", "fuzzing"})
      EXPECT_THAT(said_, testing::HasSubstr(part));
  }
}

TEST_F(TestScript, RunsOnePartOrAll) {
  EXPECT_EQ(run("--full attacks"), 0) << said_;
  EXPECT_THAT(calls_, testing::HasSubstr("HostileServers"));
  EXPECT_THAT(calls_, testing::Not(testing::HasSubstr("build/clang")));
  EXPECT_EQ(run("--full"), 0) << said_;
  for (const char* part : {"build/release", "build/dev", "build/tsan", "build/clang", "CrawlKilled", "^Fleet",
                           "one_fuzz -max_total_time=480", "two_fuzz"})
    EXPECT_THAT(calls_, testing::HasSubstr(part));
}

TEST_F(TestScript, WithoutArgumentsRunsTheQuickTests) {
  EXPECT_EQ(run(""), 0) << said_;
  EXPECT_THAT(calls_, testing::HasSubstr("-LE _full$"));
  EXPECT_THAT(calls_, testing::HasSubstr("bowerbird_python bowerbird_frontier\n"));
  EXPECT_THAT(calls_, testing::HasSubstr("interfaces quick\n"));
  EXPECT_THAT(calls_, testing::Not(testing::HasSubstr("build/tsan")));
}

TEST_F(TestScript, ATestThatFailsEndsIt) {
  script("bin/ctest", "#!/bin/sh\nexit 8\n");
  EXPECT_NE(run("--full kills"), 0);
}

}  // namespace
}  // namespace bowerbird
