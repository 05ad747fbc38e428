#include "control/client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "control/listen.h"
#include "control/status_json.h"
#include "sys/local_socket.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLargestAnswer = std::size_t{256} << 20;

class Connected {
 public:
  explicit Connected(int fd) : fd_(fd) {}
  ~Connected() { ::close(fd_); }
  Connected(const Connected&) = delete;
  Connected& operator=(const Connected&) = delete;

  Status send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return error("the crawl does not accept the request: {}", std::strerror(errno));
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }
  Result<std::string> read_all() const {
    std::string all(std::size_t{1} << 16, '\0');
    std::size_t size = 0;
    for (;;) {
      if (size == all.size()) all.resize(all.size() * 2);
      if (size > kLargestAnswer) return error("the response of the crawl is too large");
      const auto n = ::recv(fd_, all.data() + size, all.size() - size, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return error("the crawl did not answer: {}", std::strerror(errno));
      if (n == 0) break;
      size += static_cast<std::size_t>(n);
    }
    all.resize(size);
    return all;
  }

 private:
  int fd_;
};

void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

}  // namespace

std::string target_of(const Ask& ask) {
  std::string target = (ask.command ? "/api/v1/commands/" : "/api/v1/") + ask.what;
  char separator = '?';
  for (const auto& [name, value] : ask.values) {
    target += separator;
    separator = '&';
    append_escaped(name, target);
    target += '=';
    append_escaped(value, target);
  }
  return target;
}

namespace {

struct RawAnswer {
  int status = 0;
  std::string body;
};

// request: what follows the fields that all requests have.
Result<RawAnswer> exchange(const std::string& folder, const std::string& method, const std::string& target,
                           const std::string& request, int most_seconds) {
  const auto fd = connect_local(folder + "/" + control_files::kSocket);
  if (!fd.ok())
    return error("{}: no running crawl can be reached in this folder ({})", folder, fd.error().text);
  const Connected connected(*fd);
  const timeval patience{most_seconds, 0};
  ::setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(*fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  BB_TRY_VOID(connected.send(
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}", method, target, request)));
  BB_TRY(std::string all, connected.read_all());
  const std::size_t end = all.find("\r\n\r\n");
  if (!all.starts_with("HTTP/1.1 ") || all.size() < 12 || end == all.npos)
    return error("{}: the response of the crawl is not complete", folder);
  RawAnswer answer;
  answer.status = std::atoi(all.substr(9, 3).c_str());
  answer.body = all.substr(end + 4);
  return answer;
}

}  // namespace

Result<Answer> ask_crawl(const std::string& folder, const std::string& method, const std::string& target,
                         const nlohmann::json& body, const std::string& who, int most_seconds) {
  std::string request = fmt::format("X-Bowerbird-Client: {}\r\n", who);
  const std::string text = method == "POST" ? dump_json(body) : std::string();
  if (method == "POST")
    request += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", text.size());
  request.append("\r\n").append(text);
  BB_TRY(const RawAnswer raw, exchange(folder, method, target, request, most_seconds));
  Answer answer;
  answer.status = raw.status;
  answer.json = nlohmann::json::parse(raw.body, nullptr, false);
  if (!answer.json.is_object()) return error("{}: the response of the crawl cannot be read", folder);
  return answer;
}

Result<std::string> read_metrics(const std::string& folder, MetricsFormat format, int most_seconds) {
  const std::string request = fmt::format("Accept: {}\r\n\r\n", metrics_type(format));
  BB_TRY(RawAnswer raw, exchange(folder, "GET", "/metrics", request, most_seconds));
  if (raw.status != 200) return error("{}: the crawl sent no metrics", folder);
  return std::move(raw.body);
}

bool can_ask_crawl(const std::string& folder) {
  const auto fd = connect_local(folder + "/" + control_files::kSocket);
  if (fd.ok()) ::close(*fd);
  return fd.ok();
}

}  // namespace bowerbird
