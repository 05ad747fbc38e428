#include "sys/service_notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace bowerbird {

namespace {

constexpr std::int64_t kStatusEveryUs = 10'000'000;

std::int64_t number_in_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  std::int64_t value = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

ServiceNotify ServiceNotify::from_environment() {
  const char* const socket = std::getenv("NOTIFY_SOCKET");
  const std::int64_t pid = number_in_environment("WATCHDOG_PID");
  const bool ours = pid == 0 || pid == ::getpid();
  ServiceNotify made(socket == nullptr ? "" : socket, ours ? number_in_environment("WATCHDOG_USEC") : 0);
  for (const char* const name : {"NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"}) ::unsetenv(name);
  return made;
}

void ServiceNotify::alive(std::int64_t now_us, std::string_view status) {
  if (!on()) return;
  if (watchdog_us_ > 0 && now_us - fed_us_ >= watchdog_us_ / 2) {
    send("WATCHDOG=1");
    fed_us_ = now_us;
  }
  if (now_us - told_us_ < kStatusEveryUs) return;
  std::string text = std::string("STATUS=").append(status);
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  send(text);
  told_us_ = now_us;
}

// A manager that does not listen is not our problem.
void ServiceNotify::send(const std::string& text) const {
  sockaddr_un address{};
  if (!on() || socket_.size() >= sizeof address.sun_path || (socket_[0] != '/' && socket_[0] != '@')) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_[0] == '@') address.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  ::sendto(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&address), size);
  ::close(fd);
}

}  // namespace bowerbird
