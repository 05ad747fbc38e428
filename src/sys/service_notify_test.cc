#include "sys/service_notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

struct Manager {
  explicit Manager(const std::string& path) : fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    CHECK(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~Manager() { ::close(fd); }
  std::string take() const {
    char text[500];
    const auto n = ::recv(fd, text, sizeof text, 0);
    return n < 0 ? std::string() : std::string(text, static_cast<std::size_t>(n));
  }
  int fd;
};

TEST(ServiceNotify, SaysThatTheServiceIsReadyAliveAndStopping) {
  const TemporaryFolder folder;
  const Manager manager(folder / "notify");
  ServiceNotify notify(folder / "notify", 20'000'000);
  notify.ready("crawling");
  EXPECT_EQ(manager.take(), "READY=1\nSTATUS=crawling");
  notify.alive(20'000'000, "1 page\nmore");
  EXPECT_EQ(manager.take(), "WATCHDOG=1");
  EXPECT_EQ(manager.take(), "STATUS=1 page more");
  notify.alive(25'000'000, "2 pages");  // too soon for both
  EXPECT_EQ(manager.take(), "");
  notify.alive(30'000'000, "3 pages");
  EXPECT_EQ(manager.take(), "WATCHDOG=1");
  notify.stopping();
  EXPECT_EQ(manager.take(), "STATUS=3 pages");
  EXPECT_EQ(manager.take(), "STOPPING=1");
}

TEST(ServiceNotify, WithoutAManagerNothingIsSent) {
  ServiceNotify none("", 1);
  EXPECT_FALSE(none.on());
  none.ready("x");
  none.alive(1, "x");
  ServiceNotify gone("/nowhere/notify", 0);
  gone.ready("x");
}

}  // namespace
}  // namespace bowerbird
