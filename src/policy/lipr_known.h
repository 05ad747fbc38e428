// What `lipr` knows about pages and hosts, and the features of a page.
//
// Pages are numbered densely as they become known, as nodes, so that the result does not depend on page ids
// and siblings are adjacent. Scoring reads little more than the 32 bytes per node; 4 to 8 more, and 4 per
// page id, are stored separately. Threads: one owner; const members from many threads.
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

// All are logarithms: of ranks as multiples of the mean rank, of counts plus one.
enum Feature : std::size_t {
  kOne,
  kRank,         // of the page, as known so far
  kLinksSeen,    // to the page (the count itself)
  kHostCrawled,  // pages of its host
  kHostKnown,
  kParentLinks,  // of its parent, the page that revealed it
  kAcrossSeen,   // the links seen from other hosts
  kParentRank,
  kSiblingsOpen,  // uncrawled pages that the parent revealed
  kSiblingLevel,  // mean rank of the crawled ones
  kSiblingTaken,  // 1 if there is a crawled one, else 0
  kGroupLevel,    // mean rank of the crawled pages of its directory, if directories are known
  kGroupCrawled,
  kAge,  // growth of the crawl since then
  kFeatures
};
using Vector = std::array<double, kFeatures>;

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) sum += a[i] * b[i];
  return sum;
}

// The weight, in pages, with which each level is shrunk towards the next wider one.
inline constexpr double kHostPull = 10;
inline constexpr double kPull = 2;

struct KnownPage {
  double rank;  // so far
  Node parent;  // kNoNode: a seed, or another process's page revealed it
  HostId host;
  std::uint32_t links;  // its own links plus 1; 0 = not crawled
  union {
    std::uint32_t seen;      // links to it, until it is crawled
    std::uint32_t revealed;  // pages that it revealed, afterwards
  };
  union {
    std::uint32_t across;            // links to it from other hosts
    std::uint32_t revealed_crawled;  // crawled pages among those it revealed
  };
  std::int16_t level_kept;     // in units of 1/kKept
  std::uint16_t reveals_kept;  // likewise

  // Mean log rank of the pages it revealed, shrunk towards that of its cousins.
  double level() const { return level_kept / kKept; }
  void set_level(double level) { level_kept = static_cast<std::int16_t>(kept(level, -32768, 32767)); }
  // Over the crawled pages that it revealed: the mean of ln(1 + pages that each revealed).
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
  double level = 0;    // mean log rank of its crawled pages, shrunk towards that of all pages
  double reveals = 0;  // sum of ln(1 + pages revealed) over its crawled pages
};

struct KnownGroup {
  HostId host = kNoHost;  // kNoHost until a page of it is known
  std::uint32_t crawled = 0;
  float level = 0;  // mean log rank of its crawled pages, shrunk towards that of the host
};

class Known {
 public:
  // sibling_taken: whether that feature is used.
  Known(HostOf host_of, GroupOf group_of, bool sibling_taken = true);

  // kNoNode if the page is not known.
  Node node(PageId page) const { return page < node_of_.size() ? node_of_[page] - 1 : kNoNode; }
  Node add(PageId page, Node parent, double rank);
  // The entry that add() would create.
  KnownPage as_new(PageId page, Node parent, double rank) const;
  // Marks the page as crawled: it now counts the pages it reveals instead of the links to it.
  void crawl(Node node, std::uint32_t links);
  // Call when all links of the page just crawled have been counted.
  void count_revealed(Node node);

  Node nodes() const { return static_cast<Node>(pages_.size()); }
  std::uint32_t crawled() const { return crawled_; }
  KnownPage& operator[](Node node) { return pages_[node]; }
  const KnownPage& operator[](Node node) const { return pages_[node]; }
  KnownHost& host(HostId host) { return hosts_[host]; }
  const KnownHost& host(HostId host) const { return hosts_[host]; }
  HostId hosts() const { return static_cast<HostId>(hosts_.size()); }
  // The groups of pages, and the group of a node; empty if groups are not known.
  std::span<KnownGroup> groups() { return groups_; }
  std::uint32_t group_of(Node node) const { return in_group_[node]; }
  // The level of a page's grandchildren, used for children of its children that have no level yet.
  float& cousins(Node node) { return cousins_[node]; }

  // How many pages were known at the last recomputation: log ranks are relative to the mean rank then.
  void set_pages_ranked(double pages) { pages_ranked_ = pages; }
  double pages_ranked() const { return pages_ranked_; }
  double log_rank(const KnownPage& page) const {
    return std::log((page.rank > 1e-30 ? page.rank : 1e-30) * pages_ranked_);
  }
  // How many pages it may reveal, from its siblings, shrunk towards the pages of its host: a mean of ln(1 +
  // pages). Not for seeds.
  double may_reveal(const KnownPage& page) const;
  Vector features(Node node) const;
  // The features if the page had this entry; `node` is its node, or kNoNode if it has none yet.
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
  double reveals_ = 0;  // sum over all hosts
  std::array<double, kLogs> logs_;
};

}  // namespace bowerbird::lipr
