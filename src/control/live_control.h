// The API server of a running crawl, in its own thread: shows the crawl and executes commands.
//
// Use: start() before run(); watch() from the crawl's watcher; end() after run(). The server runs until
// it is destroyed. Threads: one, the crawl's.
#pragma once

#include <memory>
#include <string>

#include "control/listen.h"
#include "control/loop_backend.h"

namespace bowerbird {

class LiveControl {
 public:
  // The Unix socket is in the crawl's folder. A port is opened only if the options say so.
  static Result<std::unique_ptr<LiveControl>> start(Crawler& crawler);
  ~LiveControl();

  CrawlRequest watch(const CrawlStatus& status);
  void end(CrawlEnd end, const CrawlStatus& status);
  // Shown to the user; empty: no port is open.
  const std::string& url() const { return server_->url; }
  // Why there is no Unix socket; empty: there is one.
  const std::string& warning() const { return warning_; }

 private:
  explicit LiveControl(const std::string& folder) : backend_(folder) {}

  LoopBackend backend_;
  std::unique_ptr<ControlServer> server_;
  std::string warning_;
};

}  // namespace bowerbird
