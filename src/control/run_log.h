// The log of a run (--log), and notifications of the service manager.
//
// Called by the crawl's watcher. Logs changes, failures of hosts and warnings when they happen, a status
// every minute, and at level debug every page. Threads: one, the crawl's.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "crawl/loop/crawler.h"
#include "sys/log_file.h"
#include "sys/service_notify.h"

namespace bowerbird {

// Opens the log of the --log options; null: no log. An error: an invalid option.
Result<std::unique_ptr<LogFile>> open_run_log(const CrawlOptions::Log& options);

class RunLog {
 public:
  // log may be null.
  RunLog(std::unique_ptr<LogFile> log, ServiceNotify notify)
      : log_(std::move(log)), notify_(std::move(notify)) {}

  void begin(const Crawler& crawler);
  void watch(const Crawler& crawler, const CrawlStatus& status);
  void end(const Crawler& crawler, const CrawlStatus& status, std::string_view why);

 private:
  void note_changes(const Crawler& crawler);
  void note_pages(const Crawler& crawler);
  void write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {}) {
    if (log_) log_->write(level, message, fields);
  }

  std::unique_ptr<LogFile> log_;
  ServiceNotify notify_;
  std::uint64_t changes_ = 0;
  std::uint64_t troubles_ = 0;
  std::string failure_, stall_;
  std::uint64_t results_ = 0;  // already written
  std::int64_t status_us_ = 0;
};

}  // namespace bowerbird
