// The access log of the test Web, one line per request, so that a test can judge a crawler.
//
//   start_us  end_us  connection  port  protocol  method  status  bytes  page  fault  host  target
//
// separated by tabs. Times are microseconds of the machine's monotonic clock: start when the request was
// complete, end when the last byte of the response was passed to the kernel, or the client disconnected. port
// is the client's. protocol: h1, h1s, h2, h2s (s: over TLS). status 0: no status line was sent. bytes: size
// of the body, as far as it was sent. page: its number, or -. fault: its name, or -. Bytes in host and target
// that are not visible ASCII are written %XX. Lines are approximately in the order of their end times; sort
// by the first column for the order of start times.
//
// Threads: an AccessLog belongs to one thread; its sink may be shared, and gets whole lines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"

namespace bowerbird {

struct AccessEntry {
  std::int64_t start_us = 0;
  std::int64_t end_us = 0;
  std::uint64_t connection = 0;
  std::uint16_t port = 0;
  std::string_view protocol;
  std::string method;
  int status = 0;
  std::uint64_t bytes = 0;
  PageId page = kNoPage;
  std::string fault = "-";
  std::string host;
  std::string target;
};

void append_access_line(const AccessEntry& entry, std::string& out);
// The reverse; `line` without its LF.
Result<AccessEntry> parse_access_line(std::string_view line);

// Receives the lines of all threads.
class AccessSink {
 public:
  using Write = std::function<void(std::string_view lines)>;
  explicit AccessSink(Write write) : write_(std::move(write)) {}
  // Opens a new file, or standard output for "-". Lines that cannot be written are lost.
  static Result<std::unique_ptr<AccessSink>> open(const std::string& path);
  ~AccessSink();
  AccessSink(const AccessSink&) = delete;
  AccessSink& operator=(const AccessSink&) = delete;

  void write(std::string_view lines);

 private:
  std::mutex mutex_;
  Write write_;
  int fd_ = -1;
};

class AccessLog {
 public:
  // sink null: nothing is logged.
  explicit AccessLog(AccessSink* sink) : sink_(sink) {}
  ~AccessLog() { flush(); }
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  bool on() const { return sink_ != nullptr; }
  bool empty() const { return lines_.empty(); }
  void add(const AccessEntry& entry);
  void flush();

 private:
  AccessSink* sink_;
  std::string lines_;
};

}  // namespace bowerbird
