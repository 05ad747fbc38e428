// The pages of each host, if only the host of each page is known (graph/web.h).
//
// Hosts that are runs in ascending order, as in procedural webs, cost nothing: a host is found by bisection.
// Others are listed once, 4 bytes per page. Lifetime: the PageHosts outlive this. Threads: const.
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "graph/web.h"
#include "web/site/addresses.h"

namespace bowerbird {

class HostRanges {
 public:
  static Result<HostRanges> make(const PageHosts& hosts, PageId pages, const Progress& progress);
  HostPages pages_of(HostId host) const;

 private:
  HostRanges(const PageHosts& hosts, PageId pages) : hosts_(&hosts), pages_(pages) {}
  bool looks_ascending() const;

  const PageHosts* hosts_;
  PageId pages_;
  std::vector<std::uint64_t> begin_;  // empty: bisection
  std::vector<PageId> list_;
};

}  // namespace bowerbird
