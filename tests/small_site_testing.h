// A site with a few files on a free loopback port, for crawls by the real program.
//
// Each connection gets one response; other paths get 404. Threads: one of its own; `files` must not
// change while it runs.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <utility>

namespace bowerbird {

class SmallSite {
 public:
  using Files = std::map<std::string, std::pair<std::string, std::string>>;  // by path: type and body

  explicit SmallSite(Files files) : files_(std::move(files)) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(socket_, 64) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      std::abort();
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~SmallSite() {
    stop_ = true;
    thread_.join();
    ::close(socket_);
  }
  SmallSite(const SmallSite&) = delete;
  SmallSite& operator=(const SmallSite&) = delete;

  std::string url(const std::string& path) const { return fmt::format("http://127.0.0.1:{}{}", port_, path); }

 private:
  void serve() {
    while (!stop_) {
      pollfd waiting{socket_, POLLIN, 0};
      if (::poll(&waiting, 1, 50) <= 0) continue;
      const int connection = ::accept(socket_, nullptr, nullptr);
      if (connection < 0) continue;
      const timeval limit{2, 0};
      ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      answer(connection);
      ::close(connection);
    }
  }
  void answer(int connection) const {
    std::string request;
    char buffer[4096];
    while (request.find("\r\n\r\n") == request.npos) {
      const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
      if (got <= 0) return;
      request.append(buffer, static_cast<std::size_t>(got));
    }
    const std::size_t begin = request.find(' ') + 1;
    const auto file = files_.find(request.substr(begin, request.find(' ', begin) - begin));
    const bool there = file != files_.end();
    const std::string body = there ? file->second.second : "no";
    const std::string reply = fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        there ? "200 OK" : "404 Not Found", there ? file->second.first : "text/plain", body.size(), body);
    std::size_t sent = 0;
    while (sent < reply.size()) {
      const ssize_t put = ::send(connection, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
      if (put <= 0) return;
      sent += static_cast<std::size_t>(put);
    }
  }

  Files files_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace bowerbird
