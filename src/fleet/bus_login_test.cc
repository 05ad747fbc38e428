// Ways to log in to a real NATS server.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "fleet/bus.h"
#include "fleet/local_server.h"
#include "sys/spawn.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A server with these arguments, until the end of the test.
struct GuardedServer {
  TemporaryFolder folder;
  int port = 0;
  pid_t pid = 0;

  explicit GuardedServer(std::vector<std::string> more) {
    port = free_loopback_port();
    std::vector<std::string> words = {"nats-server", "-js",       "-sd", folder / "data",
                                      "-a",          "127.0.0.1", "-p",  std::to_string(port)};
    words.insert(words.end(), more.begin(), more.end());
    pid = spawn(nats_server_program(), std::move(words), {folder / "log", true}).value();
  }
  ~GuardedServer() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  // Connects as soon as the server answers.
  Status login(const std::string& scheme, const std::string& user, const std::string& files = "") const {
    const std::string url = fmt::format("{}://{}127.0.0.1:{}{}", scheme, user, port, files);
    for (int i = 0;; ++i) {
      const auto bus = Bus::connect(url);
      if (bus.ok()) return {};
      if (i == 100 || bus.error().kind != ErrorKind::kRetry) return bus.error();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
};

TEST(BusLogin, ByUserAndPassword) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  const GuardedServer server({"--user", "me", "--pass", "word"});
  EXPECT_TRUE(server.login("nats", "me:word@").ok());
  const Status refused = server.login("nats", "me:guessed@");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNeedsUser);
  EXPECT_EQ(refused.error().text.find("guessed"), std::string::npos) << "a password is not repeated";
}

TEST(BusLogin, ByToken) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  const GuardedServer server({"--auth", "token"});
  EXPECT_TRUE(server.login("nats", "token@").ok());
  EXPECT_FALSE(server.login("nats", "").ok());
}

TEST(BusLogin, OverTlsWithTheCertificatesOfItsIssuer) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  const std::string make = fmt::format(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout {0}/key.pem -out "
      "{0}/cert.pem -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null",
      folder.path());
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "openssl is not installed";
  const GuardedServer server(
      {"--tls", "--tlscert", folder / "cert.pem", "--tlskey", folder / "key.pem", "--auth", "token"});
  const Status login = server.login("tls", "token@", "?ca=" + (folder / "cert.pem"));
  EXPECT_TRUE(login.ok()) << login.error().text;
  EXPECT_FALSE(Bus::connect(fmt::format("tls://token@127.0.0.1:{}", server.port)).ok())
      << "nobody vouches for its certificate";
}

}  // namespace
}  // namespace bowerbird
