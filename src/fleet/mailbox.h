// Passes data between the crawl's thread and the fleet's threads.
//
// To the crawl: messages, confirmations, the plan, orphaned states, and when to stop. From the crawl: its
// report, and whose orphaned state is durable. No call waits for the network. Threads: any.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "fleet/exchange/exchange.h"
#include "fleet/names.h"

namespace bowerbird {

class Mailbox {
 public:
  // ---- For the crawl
  void set_wake(std::function<void()> wake);
  void take(FleetNews& news);
  void report(MemberReport report);
  void absorbed(const std::string& member);

  // ---- For the fleet's threads
  // Changes the news that the crawl takes next, and wakes the crawl.
  void update(const std::function<void(FleetNews&)>& change);
  void lose(std::string why);
  bool lost() const;
  std::optional<MemberReport> last_report() const;
  // The crawl's report, as other processes see it. Round, machine and folder are filled in elsewhere.
  Heartbeat heartbeat() const;
  // Members whose orphaned state is durable here, until close() says that the broker knows.
  std::vector<std::string> absorbed() const;
  void close(const std::string& absorbed);

 private:
  mutable Mutex mutex_;
  std::function<void()> wake_ GUARDED_BY(mutex_);
  FleetNews news_ GUARDED_BY(mutex_);
  std::optional<MemberReport> report_ GUARDED_BY(mutex_);
  std::vector<std::string> absorbed_ GUARDED_BY(mutex_);
};

}  // namespace bowerbird
