#include "sys/log_file.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/json_text.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::string_view kLevels[] = {"error", "warning", "info", "debug"};
constexpr int kPriorities[] = {3, 4, 6, 7};  // of syslog

// Control characters, as an escape that people read.
void append_visible(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
}

}  // namespace

Result<LogLevel> parse_log_level(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kLevels); ++i) {
    if (text == kLevels[i]) return static_cast<LogLevel>(i);
  }
  return error("'{}': expected error, warning, info or debug", text);
}

std::string log_line(const LogOptions& options, LogLevel level, std::int64_t time_ms,
                     std::string_view message, std::initializer_list<LogField> fields) {
  const auto at = static_cast<std::size_t>(level);
  const std::string time = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                                       fmt::gmtime(static_cast<std::time_t>(time_ms / 1000)), time_ms % 1000);
  std::string line;
  if (options.prefixes) line += fmt::format("<{}>", kPriorities[at]);
  if (options.format == LogFormat::kJson) {
    line += fmt::format("{{\"time\":\"{}\",\"level\":\"{}\",\"message\":", time, kLevels[at]);
    append_json_string(line, message);
    for (const LogField& field : fields) {
      line += ',';
      append_json_string(line, field.name);
      line += ':';
      append_json_string(line, field.value);
    }
    return line + "}\n";
  }
  // journald adds the time itself.
  if (!options.prefixes) line += fmt::format("{} {:<7} ", time, kLevels[at]);
  append_visible(line, message);
  for (const LogField& field : fields) {
    line.append(" ").append(field.name).append("=");
    append_visible(line, field.value);
  }
  return line + "\n";
}

Result<std::unique_ptr<LogFile>> LogFile::open(const LogOptions& options) {
  std::unique_ptr<LogFile> made(new LogFile(options));
  const MutexLock lock(made->mutex_);
  BB_TRY_VOID(made->reopen());
  return made;
}

LogFile::~LogFile() {
  const MutexLock lock(mutex_);
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

Status LogFile::reopen() {
  if (options_.file.empty()) {
    fd_ = STDERR_FILENO;
    return {};
  }
  fd_ = ::open(options_.file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0) return error("{}: cannot open the log: {}", options_.file, std::strerror(errno));
  struct stat info {};
  size_ = ::fstat(fd_, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
  return {};
}

void LogFile::rotate() {
  ::close(fd_);
  fd_ = -1;
  for (unsigned i = options_.files; i > 0; --i) {
    const std::string from = i == 1 ? options_.file : fmt::format("{}.{}", options_.file, i - 1);
    std::rename(from.c_str(), fmt::format("{}.{}", options_.file, i).c_str());
  }
  if (options_.files == 0) ::unlink(options_.file.c_str());
  const Status opened = reopen();
  if (!opened.ok()) fd_ = -1;
}

void LogFile::write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (level > options_.level) return;
  const std::string line = log_line(options_, level, WallClock().now_us() / 1000, message, fields);
  const MutexLock lock(mutex_);
  const bool is_file = !options_.file.empty();
  if (is_file && options_.bytes > 0 && size_ > 0 && size_ + line.size() > options_.bytes) rotate();
  if (fd_ < 0 && !reopen().ok()) return;
  if (::write(fd_, line.data(), line.size()) > 0) size_ += line.size();
}

}  // namespace bowerbird
