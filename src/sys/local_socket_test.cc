#include "sys/local_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(LocalSocket, WorksInAFolderWhosePathIsTooLongForASocket) {
  const TemporaryFolder folder;
  std::filesystem::path deep = folder / "a";
  for (int i = 0; i < 5; ++i) deep /= std::string(60, 'b');
  std::filesystem::create_directories(deep);
  const std::string path = deep / "control.sock";
  const auto listener = listen_local(path);
  ASSERT_TRUE(listener.ok()) << listener.error().text;
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto client = connect_local(path);
  ASSERT_TRUE(client.ok()) << client.error().text;
  const int accepted = ::accept(*listener, nullptr, nullptr);
  EXPECT_TRUE(peer_is_trusted(accepted));
  ::close(accepted);
  ::close(*client);
  EXPECT_FALSE(listen_local(path).ok());  // somebody listens
  ::close(*listener);
  const auto again = listen_local(path);  // the old one is stale
  ASSERT_TRUE(again.ok()) << again.error().text;
  ::close(*again);
  remove_local(path);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(LocalSocket, ALinkOrAFileIsNeitherFollowedNorReplaced) {
  const TemporaryFolder folder;
  const std::string target = folder / "target.sock";
  const auto listener = listen_local(target);
  ASSERT_TRUE(listener.ok());
  const std::string link = folder / "control.sock";
  std::filesystem::create_symlink(target, link);
  EXPECT_FALSE(connect_local(link).ok());
  EXPECT_FALSE(listen_local(link).ok());
  remove_local(link);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::ofstream(folder / "file.sock") << "mine";
  EXPECT_FALSE(listen_local(folder / "file.sock").ok());
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "file.sock"));
  ::close(*listener);
}

TEST(LocalSocket, ASocketWithoutAListenerIsAnError) {
  const TemporaryFolder folder;
  EXPECT_FALSE(connect_local(folder / "control.sock").ok());
  EXPECT_FALSE(listen_local(folder / "missing/control.sock").ok());
}

}  // namespace
}  // namespace bowerbird
