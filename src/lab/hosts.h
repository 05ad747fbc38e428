// Which of a page's links lead to another host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontier/frontier.h"
#include "graph/web.h"

namespace bowerbird {

// Turns the targets of `page` into links, in `links`, and returns how many lead to another host. hosts may be
// null: then all pages are on one host. If hosts are ranges of ids this is two comparisons per link.
inline std::uint32_t flag_hosts(const PageHosts* hosts, PageId page, std::span<const PageId> targets,
                                std::vector<Link>& links) {
  links.resize(targets.size());
  std::uint32_t across = 0;
  const auto fill = [&](const auto& differs) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const bool other = differs(targets[i]);
      links[i] = {targets[i], other};
      across += other ? 1 : 0;
    }
  };
  if (hosts == nullptr) {
    fill([](PageId) { return false; });
  } else if (hosts->contiguous()) {
    const auto [first, last] = hosts->run(page);
    const PageId length = last - first;
    fill([first = first, length](PageId target) { return target - first >= length; });
  } else {
    const HostId own = hosts->host(page);
    fill([hosts, own](PageId target) { return hosts->host(target) != own; });
  }
  return across;
}

}  // namespace bowerbird
