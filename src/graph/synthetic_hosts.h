// Maps pages to hosts for a web that stores nothing per host: some thousand segments, each a run of hosts of
// equal size under one top-level domain, found by a guide table and one division.
//
// Invariant: segments cover the pages [0, pages) and the hosts [0, hosts) in the same order. Threads: const.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "graph/synthetic.h"

namespace bowerbird {

// Ascending starts with a guide for searching: finds starts[i] <= x < starts[i+1] in a step or two.
class StepTable {
 public:
  StepTable() = default;
  // Starts ascend from 0 (equal ones are empty steps); an extra entry at the end is the limit.
  explicit StepTable(std::vector<std::uint32_t> starts);
  std::uint32_t find(std::uint32_t x) const;
  std::uint32_t start(std::uint32_t step) const { return starts_[step]; }
  std::uint32_t steps() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  std::uint32_t limit() const { return starts_.back(); }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> guide_;
  unsigned shift_ = 0;
};

struct HostRange {
  HostId host;
  PageId first;
  std::uint32_t size;
};

class HostLayout {
 public:
  explicit HostLayout(const SyntheticOptions& options);

  PageId pages() const { return pages_.limit(); }
  HostId hosts() const { return hosts_.limit(); }
  HostRange of_page(PageId page) const;
  HostRange of_host(HostId host) const;
  // Its number in synthetic_domains().
  std::uint32_t domain(HostId host) const { return segments_[hosts_.find(host)].domain; }
  // The hosts [first, first + count) around `host` that share a registrable domain.
  struct Site {
    HostId first;
    std::uint32_t count;
  };
  Site site(HostId host) const;

 private:
  struct Segment {
    std::uint32_t size;  // of each host
    std::uint32_t hosts;
    std::uint16_t domain;
    std::uint16_t site_hosts;  // this many adjacent hosts are a site
  };
  std::vector<Segment> plan(const SyntheticOptions& options) const;

  std::vector<Segment> segments_;
  StepTable pages_;
  StepTable hosts_;
};

inline std::uint32_t StepTable::find(std::uint32_t x) const {
  const std::uint32_t* const begin = starts_.data();
  const std::uint32_t* low = begin + guide_[x >> shift_];
  const std::uint32_t* const high = begin + guide_[(x >> shift_) + 1] + 1;
  if (high - low > 8) return static_cast<std::uint32_t>(std::upper_bound(low, high, x) - begin) - 1;
  while (low[1] <= x) ++low;
  return static_cast<std::uint32_t>(low - begin);
}

inline HostRange HostLayout::of_page(PageId page) const {
  const std::uint32_t s = pages_.find(page);
  const std::uint32_t size = segments_[s].size;
  const std::uint32_t index = (page - pages_.start(s)) / size;
  return {hosts_.start(s) + index, pages_.start(s) + index * size, size};
}

inline HostRange HostLayout::of_host(HostId host) const {
  const std::uint32_t s = hosts_.find(host);
  const std::uint32_t size = segments_[s].size;
  return {host, pages_.start(s) + (host - hosts_.start(s)) * size, size};
}

struct SyntheticDomain {
  const char* name;  // a public suffix
  unsigned weight;
};
const std::vector<SyntheticDomain>& synthetic_domains();

}  // namespace bowerbird
