// A name server on loopback: one A record or NXDOMAIN for each name, SERVFAIL for others.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

namespace bowerbird {

class NameServer {
 public:
  NameServer() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~NameServer() {
    ::shutdown(fd_, SHUT_RDWR);
    if (thread_.joinable()) {
      sockaddr_in self{};
      self.sin_family = AF_INET;
      self.sin_port = htons(port_);
      self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      ::sendto(fd_, "", 0, 0, reinterpret_cast<sockaddr*>(&self), sizeof self);
      thread_.join();
    }
    ::close(fd_);
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  void run() {
    thread_ = std::thread([this] { serve(); });
  }
  std::string address() const { return fmt::format("127.0.0.1:{}", port_); }

  struct Record {
    int code;  // 0: an address; 3: no such name; 2: failure
    std::uint8_t last;
    std::uint32_t ttl;
  };
  std::map<std::string, Record> names;
  std::atomic<int> asked{0};

 private:
  void serve() {
    for (;;) {
      std::uint8_t packet[512];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t n = ::recvfrom(fd_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (n < 17) return;
      answer(std::string(reinterpret_cast<char*>(packet), static_cast<std::size_t>(n)), from);
    }
  }
  void answer(std::string packet, const sockaddr_in& to) {
    std::string name;
    std::size_t at = 12;
    while (packet[at] != 0) {
      if (!name.empty()) name += '.';
      name += packet.substr(at + 1, static_cast<std::size_t>(packet[at]));
      at += 1 + static_cast<std::size_t>(packet[at]);
    }
    const bool four = packet[at + 2] == 1;
    packet.resize(at + 5);
    const auto found = names.find(name);
    const Record record = found == names.end() ? Record{2, 0, 0} : found->second;
    if (four) ++asked;
    packet[2] = static_cast<char>(0x81);
    packet[3] = static_cast<char>(0x80 | record.code);
    packet.replace(6, 6, std::string("\0\0\0\0\0\0", 6));
    if (record.code == 0 && four) {
      packet[7] = 1;
      packet += std::string("\xc0\x0c\0\1\0\1", 6);
      for (int shift = 24; shift >= 0; shift -= 8) packet += static_cast<char>(record.ttl >> shift);
      packet += std::string("\0\4\xc0\0\2", 5);
      packet += static_cast<char>(record.last);
    }
    ::sendto(fd_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }

  int fd_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace bowerbird
