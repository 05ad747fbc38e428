#include "sys/sandbox.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string error_of(const Result<std::string>& result) {
  return result.ok() ? "" : result.error().text;
}

TEST(Sandbox, GivesInputAndTakesOutput) {
  const auto result = run_sandboxed(find_program("cat"), {}, "some input");
  ASSERT_TRUE(result.ok()) << error_of(result);
  EXPECT_EQ(*result, "some input");
}

TEST(Sandbox, LimitsOutput) {
  SandboxLimits limits;
  limits.output = 1000;
  EXPECT_NE(error_of(run_sandboxed(find_program("cat"), {"/dev/zero"}, "", limits)).find("printed more"),
            std::string::npos);
}

TEST(Sandbox, LimitsTimeFull) {
  SandboxLimits limits;
  limits.wall_seconds = 1;
  EXPECT_NE(error_of(run_sandboxed(find_program("sleep"), {"30"}, "", limits)).find("took more"),
            std::string::npos);
  limits.wall_seconds = 30;
  limits.cpu_seconds = 1;
  EXPECT_NE(error_of(run_sandboxed(find_program("sha256sum"), {"/dev/zero"}, "", limits)).find("signal"),
            std::string::npos);
}

TEST(Sandbox, LimitsMemory) {
  SandboxLimits limits;
  limits.memory = 64 << 20;
  // One line without end.
  EXPECT_NE(error_of(run_sandboxed(find_program("sort"), {"/dev/zero"}, "", limits)), "");
}

TEST(Sandbox, WritesNoFilesAndStartsNoPrograms) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of(run_sandboxed(find_program("touch"), {folder / "x"}, "")), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  EXPECT_NE(error_of(run_sandboxed(find_program("env"), {"true"}, "")), "");
  // A shell cannot fork either.
  EXPECT_NE(error_of(run_sandboxed(find_program("sh"), {"-c", "/bin/echo x; exit $?"}, "")), "");
}

TEST(Sandbox, HasNoNetwork) {
  const std::string bash = find_program("bash");
  if (bash.empty()) GTEST_SKIP() << "no bash";
  EXPECT_NE(error_of(run_sandboxed(bash, {"-c", "exec 3<>/dev/udp/127.0.0.1/9 || exit 1"}, "")), "");
}

TEST(Sandbox, ReportsProgramsThatAreMissing) {
  EXPECT_NE(error_of(run_sandboxed("/nowhere/program", {}, "")), "");
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
}

}  // namespace
}  // namespace bowerbird
