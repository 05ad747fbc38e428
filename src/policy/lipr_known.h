// What `lipr` knows of pages and hosts, and what it concludes from: the features of a page.
//
// Pages are numbered densely as they become known, as nodes, so that nothing depends on how the ids of pages
// are spread and siblings stand side by side. 32 bytes a node are nearly all that scoring looks at; 4 to 8
// more, and 4 per page id, are kept beside them. Threads: one owner; const members from many threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "policy/registry.h"

namespace bowerbird::lipr {

using Node = std::uint32_t;
inline constexpr Node kNoNode = 0xffffffffu;

// Logarithms, all of them: ranks as multiples of the mean rank, counts plus one.
enum Feature : std::size_t {
  kOne,
  kRank,         // of the page, as far as it is known
  kLinksSeen,    // to the page (of the count itself)
  kHostCrawled,  // pages of its host
  kHostKnown,
  kParentLinks,  // of the page that revealed it: its parent
  kAcrossSeen,   // of the links seen, from other hosts
  kParentRank,
  kSiblingsOpen,  // pages that the parent revealed and that are not crawled
  kSiblingLevel,  // the mean rank of those that are
  kSiblingTaken,  // whether there is one: 1 or 0
  kGroupLevel,    // the mean rank of the crawled pages of its directory, where directories are known
  kGroupCrawled,
  kAge,  // how far the crawl has grown since
  kFeatures
};
using Vector = std::array<double, kFeatures>;

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) sum += a[i] * b[i];
  return sum;
}

// How many pages' worth of the next wider level each level is drawn towards.
inline constexpr double kHostPull = 10;
inline constexpr double kPull = 2;

struct KnownPage {
  double rank;  // so far
  Node parent;  // kNoNode: a seed, or another process's page revealed it
  HostId host;
  std::uint32_t links;  // its own, plus 1; 0 = not crawled
  union {
    std::uint32_t seen;      // links to it, until it is crawled
    std::uint32_t revealed;  // pages that it revealed, from then on
  };
  union {
    std::uint32_t across;            // of the links to it, from other hosts
    std::uint32_t revealed_crawled;  // of the pages that it revealed, crawled
  };
  std::int16_t level_kept;     // in parts of 1/kKept
  std::uint16_t reveals_kept;  // likewise

  // Mean log rank of what it revealed, drawn towards that of its cousins.
  double level() const { return level_kept / kKept; }
  void set_level(double level) { level_kept = static_cast<std::int16_t>(kept(level, -32768, 32767)); }
  // Of the pages that it revealed and that are crawled: how many each revealed, the mean of ln(1 + count).
  double reveals() const { return reveals_kept / kKept; }
  void set_reveals(double mean) { reveals_kept = static_cast<std::uint16_t>(kept(mean, 0, 65535)); }

  bool crawled() const { return links != 0; }
  bool is_seed() const { return parent == kNoNode; }
  std::uint32_t open_children() const { return revealed - revealed_crawled; }

 private:
  static constexpr double kKept = 1024;
  static double kept(double value, double least, double most) {
    return std::round(std::min(most, std::max(least, value * kKept)));
  }
};
static_assert(sizeof(KnownPage) == 32, "two to a cache line");

struct KnownHost {
  std::uint32_t known = 0;
  std::uint32_t crawled = 0;
  double level = 0;    // mean log rank of its crawled pages, drawn towards that of all
  double reveals = 0;  // the sum over them of ln(1 + pages revealed)
};

struct KnownGroup {
  HostId host = kNoHost;  // until a page of it is known
  std::uint32_t crawled = 0;
  float level = 0;  // mean log rank of its crawled pages, drawn towards that of the host
};

class Known {
 public:
  // sibling_taken: whether that feature is used.
  Known(HostOf host_of, GroupOf group_of, bool sibling_taken = true);

  // kNoNode if the page is not known.
  Node node(PageId page) const { return page < node_of_.size() ? node_of_[page] - 1 : kNoNode; }
  Node add(PageId page, Node parent, double rank);
  // What add() would make of it.
  KnownPage as_new(PageId page, Node parent, double rank) const;
  // The page is crawled from here on: it no longer counts the links to it, but what it reveals.
  void crawl(Node node, std::uint32_t links);
  // All links of the page just crawled are counted.
  void count_revealed(Node node);

  Node nodes() const { return static_cast<Node>(pages_.size()); }
  std::uint32_t crawled() const { return crawled_; }
  KnownPage& operator[](Node node) { return pages_[node]; }
  const KnownPage& operator[](Node node) const { return pages_[node]; }
  KnownHost& host(HostId host) { return hosts_[host]; }
  const KnownHost& host(HostId host) const { return hosts_[host]; }
  HostId hosts() const { return static_cast<HostId>(hosts_.size()); }
  // The groups of pages, and the one of a node; empty where they are not known.
  std::span<KnownGroup> groups() { return groups_; }
  std::uint32_t group_of(Node node) const { return in_group_[node]; }
  // The level of a page's grandchildren, for the children of its children that have none yet.
  float& cousins(Node node) { return cousins_[node]; }

  // How many pages were known at the last recomputation: log ranks are relative to the mean rank then.
  void set_pages_ranked(double pages) { pages_ranked_ = pages; }
  double pages_ranked() const { return pages_ranked_; }
  double log_rank(const KnownPage& page) const {
    return std::log((page.rank > 1e-30 ? page.rank : 1e-30) * pages_ranked_);
  }
  // How much a page may reveal, by what its siblings did, drawn towards what the pages of its host do: a mean
  // of ln(1 + pages). It is no seed.
  double may_reveal(const KnownPage& page) const;
  Vector features(Node node) const;
  // As if the page were this; `node` is its node, or kNoNode where it has none yet.
  Vector features(const KnownPage& page, Node node) const;

  void prefetch_node(PageId page) const { __builtin_prefetch(node_of_.data() + page); }
  void prefetch(Node node) const { __builtin_prefetch(pages_.data() + node, 1); }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr std::size_t kLogs = 4096;
  // ln(1 + count)
  double log_count(std::uint32_t count) const {
    return count < kLogs ? logs_[count] : std::log1p(static_cast<double>(count));
  }
  void join_group(PageId page, HostId host);
  bool fits(const KnownPage& page) const;
  bool groups_fit() const;

  HostOf host_of_;
  GroupOf group_of_;
  bool sibling_taken_;
  LazyArray<std::uint32_t> node_of_;  // by page: node + 1, 0 = none
  LazyArray<KnownPage> pages_;
  LazyArray<float> cousins_;
  std::vector<KnownHost> hosts_;
  LazyArray<std::uint32_t> in_group_;  // by node, where groups are known
  std::vector<KnownGroup> groups_;
  std::uint32_t crawled_ = 0;
  double pages_ranked_ = 1;
  double reveals_ = 0;  // the sum of all hosts'
  std::array<double, kLogs> logs_;
};

}  // namespace bowerbird::lipr
