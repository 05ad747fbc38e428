// What `lipr` knows about pages and hosts, and the features of a page.
//
// Pages are numbered densely as they become known, as nodes, so that the result does not depend on page ids
// and siblings are adjacent. Scoring reads little more than the 28 bytes per node; its group, and the node of
// each page id, take 4 bytes each. Threads: one owner; const members from many threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
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

// Levels and the logarithms of large counts are rounded to 1/kSteps.
inline constexpr double kSteps = 1024;
template <typename Stored>
Stored rounded(double value) {
  using Limits = std::numeric_limits<Stored>;
  return static_cast<Stored>(
      std::round(std::clamp(value * kSteps, double{Limits::min()}, double{Limits::max()})));
}

struct KnownPage {
  float rank;   // so far
  Node parent;  // kNoNode: a seed, or another process's page revealed it
  HostId host;
  union {
    std::uint32_t seen;      // links to it, until it is crawled
    std::uint32_t revealed;  // pages that it revealed, afterwards
  };
  union {
    std::uint32_t across;            // links to it from other hosts
    std::uint32_t revealed_crawled;  // crawled pages among those it revealed
  };
  std::uint16_t stored_links;
  std::int16_t stored_level;
  std::uint16_t stored_reveals;
  std::int16_t stored_cousins;

  // Mean log rank of the pages it revealed, shrunk towards that of its cousins.
  double level() const { return stored_level / kSteps; }
  void set_level(double level) { stored_level = rounded<std::int16_t>(level); }
  // The level of its grandchildren, used for children of its children that have no level yet.
  double cousins() const { return stored_cousins / kSteps; }
  void set_cousins(double level) { stored_cousins = rounded<std::int16_t>(level); }
  // Over the crawled pages that it revealed: the mean of ln(1 + pages that each revealed).
  double reveals() const { return stored_reveals / kSteps; }
  void set_reveals(double mean) { stored_reveals = rounded<std::uint16_t>(mean); }
  // Its own links, once it is crawled: exact below kExactLinks, then a logarithm. Known::log_links() reads
  // it.
  static constexpr std::uint32_t kExactLinks = 32767;
  void set_links(std::uint32_t links) {
    const std::uint32_t more =
        links < kExactLinks ? 0 : rounded<std::int16_t>(std::log(static_cast<double>(links) / kExactLinks));
    stored_links = static_cast<std::uint16_t>(1 + std::min(links, kExactLinks) + more);
  }

  bool crawled() const { return stored_links != 0; }
  bool is_seed() const { return parent == kNoNode; }
  std::uint32_t open_children() const { return revealed - revealed_crawled; }
};
static_assert(sizeof(KnownPage) == 28);

struct KnownHost {
  std::uint32_t known = 0;
  std::uint32_t crawled = 0;
  double level = 0;    // mean log rank of its crawled pages, shrunk towards that of all pages
  double reveals = 0;  // sum of ln(1 + pages revealed) over its crawled pages
};

struct KnownGroup {
  HostId host = kNoHost;      // kNoHost until a page of it is known
  std::uint16_t crawled = 0;  // at most kMostCrawled
  std::int16_t stored_level = 0;

  static constexpr std::uint16_t kMostCrawled = 65535;
  // Mean log rank of its crawled pages, shrunk towards that of the host.
  double level() const { return stored_level / kSteps; }
  void set_level(double level) { stored_level = rounded<std::int16_t>(level); }
};
static_assert(sizeof(KnownGroup) == 8);

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

  // How many pages were known at the last recomputation: log ranks are relative to the mean rank then.
  void set_pages_ranked(double pages) { pages_ranked_ = pages; }
  double pages_ranked() const { return pages_ranked_; }
  double log_rank(const KnownPage& page) const {
    return std::log(std::max(double{page.rank}, 1e-30) * pages_ranked_);
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
  double log_links(const KnownPage& page) const {
    const std::uint32_t links = page.stored_links - 1u;
    if (links < KnownPage::kExactLinks) return log_count(links);
    return log_count(KnownPage::kExactLinks) + (links - KnownPage::kExactLinks) / kSteps;
  }
  void join_group(PageId page, HostId host);
  bool fits(const KnownPage& page) const;
  bool groups_fit() const;

  HostOf host_of_;
  GroupOf group_of_;
  bool sibling_taken_;
  LazyArray<std::uint32_t> node_of_;  // by page: node + 1, 0 = none
  LazyArray<KnownPage> pages_;
  std::vector<KnownHost> hosts_;
  LazyArray<std::uint32_t> in_group_;  // by node, where groups are known
  std::vector<KnownGroup> groups_;
  std::uint32_t crawled_ = 0;
  double pages_ranked_ = 1;
  double reveals_ = 0;  // sum over all hosts
  std::array<double, kLogs> logs_;
};

}  // namespace bowerbird::lipr
