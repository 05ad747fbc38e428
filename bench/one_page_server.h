// A server of one page in a process of its own, for benches that measure a client.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "web/http/server.h"

namespace bowerbird {

class OnePage final : public HttpHandler {
 public:
  static constexpr std::size_t kPageBytes = 6000;

  void answer(const HttpRequest&, const Moment&, HttpResponse& response) override {
    response.status = 200;
    response.add_field("content-type") = "text/html";
    response.body.assign(kPageBytes, 'x');
  }
};

class OnePageService final : public HttpService {
 public:
  std::unique_ptr<HttpHandler> make_handler() override { return std::make_unique<OnePage>(); }
};

// What a process tells its parent.
class Pipe {
 public:
  Pipe() { CHECK(::pipe(ends_.data()) == 0); }
  void write(std::string_view text) const {
    CHECK(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(ends_[1]);
  }
  std::string read() const {
    ::close(ends_[1]);
    std::string text;
    std::array<char, 4096> piece;
    for (ssize_t n; (n = ::read(ends_[0], piece.data(), piece.size())) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(n));
    ::close(ends_[0]);
    return text;
  }

 private:
  std::array<int, 2> ends_{};
};

struct TestServer {
  pid_t pid = 0;
  std::string address;
  std::string authority;  // a file
};

inline TestServer start_server(TlsChain chain = TlsChain::kDirect) {
  const Pipe pipe;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ServerOptions options;
    options.port = 0;
    options.addresses = {"127.0.0.1"};
    options.tls = true;
    options.chain = chain;
    options.idle_seconds = 600;
    const auto server = std::move(Server::start(std::make_shared<OnePageService>(), options)).value();
    pipe.write(server->addresses().front() + "\n" + server->authority_pem());
    for (;;) ::pause();
  }
  const std::string told = pipe.read();
  TestServer server{
      pid, told.substr(0, told.find('\n')),
      std::filesystem::temp_directory_path() / ("bowerbird-idle-" + std::to_string(pid) + ".pem")};
  std::ofstream(server.authority) << told.substr(told.find('\n') + 1);
  return server;
}

inline void stop_server(const TestServer& server) {
  ::kill(server.pid, SIGTERM);
  ::waitpid(server.pid, nullptr, 0);
  std::filesystem::remove(server.authority);
}

}  // namespace bowerbird
