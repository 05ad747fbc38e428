#include "sys/spawn.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Spawn, StartsAProgramWhoseWordsAndOutputAreGiven) {
  TemporaryFolder folder;
  const std::string log = folder / "log";
  const auto pid = spawn("sh", {"sh", "-c", "echo out; echo err >&2; exit 3"}, {log, true});
  ASSERT_TRUE(pid.ok()) << pid.error().text;
  int status = 0;
  ASSERT_EQ(::waitpid(*pid, &status, 0), *pid);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::ifstream file(log);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "out\nerr\n");
}

TEST(Spawn, AProgramThatIsNotThereIsAnError) {
  const auto pid = spawn("/nowhere/to/be/found", {"found"});
  ASSERT_FALSE(pid.ok());
  EXPECT_EQ(pid.error().text, "found: cannot be started: No such file or directory");
}

}  // namespace
}  // namespace bowerbird
