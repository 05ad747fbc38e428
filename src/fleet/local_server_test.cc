#include "fleet/local_server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "fleet/bus.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(LocalServer, APidFileThatNamesAnotherProgramEndsNothing) {
  TemporaryFolder folder;
  LocalServer::end_leftover(folder / "none");
  std::ofstream(folder / "pid") << ::getpid();
  LocalServer::end_leftover(folder / "");
  std::ofstream(folder / "pid") << "nonsense";
  LocalServer::end_leftover(folder / "");
}

TEST(LocalServer, RunsUntilItIsStoppedAndCanBeStartedWhereItWas) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  auto server = LocalServer::start(folder / "nats");
  ASSERT_TRUE(server.ok()) << server.error().text;
  EXPECT_TRUE((*server)->running());
  const int port = (*server)->port();
  EXPECT_NE((*server)->url().find(std::to_string(port)), std::string::npos);
  ASSERT_TRUE(Bus::connect((*server)->url()).ok());
  (*server)->stop();
  EXPECT_FALSE((*server)->running());
  auto again = LocalServer::start(folder / "nats", port);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ((*again)->port(), port);
}

TEST(LocalServer, AFolderThatCannotBeMadeIsAnError) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_FALSE(LocalServer::start(folder / "file/nats").ok());
}

}  // namespace
}  // namespace bowerbird
