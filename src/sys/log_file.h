// A log of what a long-running program does, for people and log collectors: levels, as text or JSON lines, to
// a file that is rotated, or to stderr with the level prefixes of journald (sd-daemon(3)).
//
// A line of text is "TIME LEVEL MESSAGE key=value ...", a line of JSON has time, level, message and the
// further fields. Line breaks and other control characters are escaped, so that a message is always one line.
// A file is renamed to NAME.1 (.1 to .2, and so on) when it is larger than the limit. A line that cannot be
// written is lost. Threads: any.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/thread_annotations.h"

namespace bowerbird {

enum class LogLevel : std::uint8_t { kError, kWarning, kInfo, kDebug };
Result<LogLevel> parse_log_level(std::string_view text);

enum class LogFormat : std::uint8_t { kText, kJson };

struct LogOptions {
  std::string file;  // empty: stderr
  LogFormat format = LogFormat::kText;
  LogLevel level = LogLevel::kInfo;
  std::uint64_t bytes = std::uint64_t{16} << 20;  // of a file before it is rotated; 0: never
  unsigned files = 5;                             // that are kept besides the current one
  bool prefixes = false;                          // stderr is journald's
};

struct LogField {
  std::string_view name;
  std::string value;
};

// One line, with its line feed. time_ms: since 1970.
std::string log_line(const LogOptions& options, LogLevel level, std::int64_t time_ms,
                     std::string_view message, std::initializer_list<LogField> fields);

class LogFile {
 public:
  static Result<std::unique_ptr<LogFile>> open(const LogOptions& options);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  void write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

 private:
  explicit LogFile(const LogOptions& options) : options_(options) {}
  Status reopen() REQUIRES(mutex_);
  void rotate() REQUIRES(mutex_);

  LogOptions options_;
  Mutex mutex_;
  int fd_ GUARDED_BY(mutex_) = -1;
  std::uint64_t size_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bowerbird
