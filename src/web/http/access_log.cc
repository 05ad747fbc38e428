#include "web/http/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, 4> kProtocols = {"h1", "h1s", "h2", "h2s"};
constexpr std::size_t kColumns = 12;

void append_visible(std::string_view text, std::string& out) {
  if (text.empty()) out += '-';
  for (const char c : text) {
    if (c > 0x20 && c < 0x7f) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

template <typename T>
void append_number(T number, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits)).push_back('\t');
}

template <typename T>
bool parse_number(std::string_view text, T& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

}  // namespace

void append_access_line(const AccessEntry& entry, std::string& out) {
  append_number(entry.start_us, out);
  append_number(entry.end_us, out);
  append_number(entry.connection, out);
  append_number(entry.port, out);
  out.append(entry.protocol).push_back('\t');
  append_visible(entry.method, out);
  out += '\t';
  append_number(entry.status, out);
  append_number(entry.bytes, out);
  if (entry.page == kNoPage) {
    out += "-\t";
  } else {
    append_number(entry.page, out);
  }
  out.append(entry.fault).push_back('\t');
  append_visible(entry.host, out);
  out += '\t';
  append_visible(entry.target, out);
  out += '\n';
}

Result<AccessEntry> parse_access_line(std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  std::string_view rest = line;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::size_t tab = rest.find('\t');
    if ((tab == rest.npos) != (i + 1 == kColumns)) return error("'{}': not {} columns", line, kColumns);
    columns[i] = rest.substr(0, tab);
    rest.remove_prefix(tab == rest.npos ? rest.size() : tab + 1);
  }
  AccessEntry entry;
  const auto protocol = std::find(kProtocols.begin(), kProtocols.end(), columns[4]);
  if (!parse_number(columns[0], entry.start_us) || !parse_number(columns[1], entry.end_us) ||
      !parse_number(columns[2], entry.connection) || !parse_number(columns[3], entry.port) ||
      protocol == kProtocols.end() || !parse_number(columns[6], entry.status) ||
      !parse_number(columns[7], entry.bytes) ||
      (columns[8] != "-" && !parse_number(columns[8], entry.page)) || columns[9].empty()) {
    return error("'{}': not a line of an access log", line);
  }
  entry.protocol = *protocol;
  entry.method = columns[5];
  entry.host = columns[10];
  entry.target = columns[11];
  entry.fault = columns[9];
  return entry;
}

Result<std::unique_ptr<AccessSink>> AccessSink::open(const std::string& path) {
  const int fd = path == "-" ? ::dup(STDOUT_FILENO)
                             : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return error("cannot write the access log '{}': {}", path, std::strerror(errno));
  auto sink = std::make_unique<AccessSink>([fd](std::string_view lines) {
    while (!lines.empty()) {
      const auto n = ::write(fd, lines.data(), lines.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      lines.remove_prefix(static_cast<std::size_t>(n));
    }
  });
  sink->fd_ = fd;
  return sink;
}

AccessSink::~AccessSink() {
  if (fd_ >= 0) ::close(fd_);
}

void AccessSink::write(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  write_(lines);
}

void AccessLog::add(const AccessEntry& entry) {
  constexpr std::size_t kFull = 1 << 16;
  if (sink_ == nullptr) return;
  append_access_line(entry, lines_);
  if (lines_.size() >= kFull) flush();
}

void AccessLog::flush() {
  if (lines_.empty()) return;
  sink_->write(lines_);
  lines_.clear();
}

}  // namespace bowerbird
