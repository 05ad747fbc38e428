// Options for crawls of a fake Web: no delays, no threads, no fsync.
#pragma once

#include <string>

#include "crawl/config/options.h"

namespace bowerbird {

inline CrawlOptions quick_crawl_options(const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  options.identity.contact = "tests@bowerbird.example";
  options.order.policy = "bfs";
  options.scope.mode = ScopeMode::kAny;
  options.network.allow_net = {"127.0.0.0/8"};
  options.politeness.delay = Seconds(0);
  options.storage.durable = false;
  options.parsers = 0;
  options.network_threads = 0;
  return options;
}

}  // namespace bowerbird
