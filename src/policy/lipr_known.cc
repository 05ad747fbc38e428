#include "policy/lipr_known.h"

#include <algorithm>
#include <utility>

namespace bowerbird::lipr {

Known::Known(HostOf host_of, GroupOf group_of, bool sibling_taken)
    : host_of_(std::move(host_of)), group_of_(std::move(group_of)), sibling_taken_(sibling_taken) {
  for (std::size_t i = 0; i < kLogs; ++i) logs_[i] = std::log1p(static_cast<double>(i));
}

KnownPage Known::as_new(PageId page, Node parent, double rank) const {
  KnownPage one{};
  one.rank = static_cast<float>(rank);
  one.parent = parent;
  one.host = host_of_ ? host_of_(page) : 0;
  return one;
}

Node Known::add(PageId page, Node parent, double rank) {
  const KnownPage one = as_new(page, parent, rank);
  if (one.host >= hosts_.size()) hosts_.resize(std::size_t{one.host} + 1);
  ++hosts_[one.host].known;
  if (group_of_) join_group(page, one.host);
  pages_.push_back(one);
  node_of_.grow_to(std::size_t{page} + 1);
  node_of_[page] = nodes();
  return nodes() - 1;
}

// A new group starts with the level of its host.
void Known::join_group(PageId page, HostId host) {
  const std::uint32_t group = group_of_(page);
  if (group >= groups_.size()) groups_.resize(std::size_t{group} + 1);
  if (groups_[group].host == kNoHost) {
    groups_[group].host = host;
    groups_[group].set_level(hosts_[host].level);
  }
  in_group_.push_back(group);
}

void Known::crawl(Node node, std::uint32_t links) {
  KnownPage& page = pages_[node];
  KnownHost& host = hosts_[page.host];
  if (!page.is_seed()) ++pages_[page.parent].revealed_crawled;
  page.set_level(page.is_seed() ? host.level : pages_[page.parent].cousins());
  page.set_reveals(0);
  page.set_cousins(host.level);
  page.set_links(links);
  page.revealed = 0;
  page.revealed_crawled = 0;
  ++host.crawled;
  if (group_of_) {
    KnownGroup& group = groups_[in_group_[node]];
    if (group.crawled < KnownGroup::kMostCrawled) ++group.crawled;
  }
  ++crawled_;
}

void Known::count_revealed(Node node) {
  const KnownPage& page = pages_[node];
  const double reveals = log_count(page.revealed);
  hosts_[page.host].reveals += reveals;
  reveals_ += reveals;
  if (page.is_seed()) return;
  KnownPage& parent = pages_[page.parent];
  parent.set_reveals(parent.reveals() + (reveals - parent.reveals()) / parent.revealed_crawled);
}

double Known::may_reveal(const KnownPage& page) const {
  const KnownHost& host = hosts_[page.host];
  const KnownPage& parent = pages_[page.parent];
  const double of_host = (host.reveals + kHostPull * reveals_ / crawled_) / (host.crawled + kHostPull);
  return (parent.revealed_crawled * parent.reveals() + kPull * of_host) / (parent.revealed_crawled + kPull);
}

Vector Known::features(Node node) const {
  return features(pages_[node], node);
}

Vector Known::features(const KnownPage& page, Node node) const {
  const KnownHost host = page.host < hosts_.size() ? hosts_[page.host] : KnownHost{};
  Vector x{};
  x[kOne] = 1;
  x[kRank] = log_rank(page);
  x[kLinksSeen] = page.seen > 0 ? log_count(page.seen - 1) : 0;
  x[kHostCrawled] = log_count(host.crawled);
  x[kHostKnown] = log_count(host.known);
  x[kAcrossSeen] = log_count(page.across);
  if (!page.is_seed()) {
    const KnownPage& parent = pages_[page.parent];
    x[kParentLinks] = log_links(parent);
    x[kParentRank] = log_rank(parent);
    x[kSiblingsOpen] = log_count(parent.open_children());
    x[kSiblingLevel] = parent.level();
    x[kSiblingTaken] = sibling_taken_ && parent.revealed_crawled > 0 ? 1 : 0;
  }
  if (group_of_ && node == kNoNode) {
    x[kGroupLevel] = host.level;
  } else if (group_of_) {
    const KnownGroup& group = groups_[in_group_[node]];
    x[kGroupLevel] = group.level();
    x[kGroupCrawled] = log_count(group.crawled);
  }
  return x;
}

std::uint64_t Known::bytes() const {
  return node_of_.size() * sizeof(std::uint32_t) + pages_.size() * sizeof(KnownPage) +
         in_group_.size() * sizeof(std::uint32_t) + hosts_.capacity() * sizeof(KnownHost) +
         groups_.capacity() * sizeof(KnownGroup) + sizeof logs_;
}

void Known::save(ByteWriter& out) const {
  out.put(pages_ranked_);
  out.put(reveals_);
  out.put_array(hosts_);
  out.put_array(pages_.view());
  out.put_array(node_of_.view());
  out.put_array(groups_);
  out.put_array(in_group_.view());
}

bool Known::fits(const KnownPage& page) const {
  const bool linked = page.is_seed() || (page.parent < nodes() && pages_[page.parent].crawled());
  const bool counted = !page.crawled() || page.revealed_crawled <= page.revealed;
  return linked && counted && page.host < hosts_.size() && std::isfinite(page.rank);
}

bool Known::groups_fit() const {
  bool good = in_group_.size() == (group_of_ ? pages_.size() : 0);
  for (const std::uint32_t group : in_group_.view()) good = good && group < groups_.size();
  for (const KnownGroup& group : groups_) {
    const bool unused = group.host == kNoHost && group.crawled == 0;
    good = good && (unused || group.host < hosts_.size());
  }
  return good;
}

void Known::load(ByteReader& in) {
  in.get(pages_ranked_);
  in.get(reveals_);
  in.get_array(hosts_);
  const auto get_lazily = [&in]<typename T>(LazyArray<T>& array) {
    in.each<T>([&](const T& item) { array.push_back(item); });
  };
  get_lazily(pages_);
  get_lazily(node_of_);
  in.get_array(groups_);
  get_lazily(in_group_);

  bool good = std::isfinite(pages_ranked_) && pages_ranked_ > 0 && std::isfinite(reveals_);
  for (const KnownPage& page : pages_.view()) {
    good = good && fits(page);
    crawled_ += page.crawled() ? 1 : 0;
  }
  for (const KnownHost& host : hosts_)
    good = good && std::isfinite(host.level) && std::isfinite(host.reveals);
  for (const std::uint32_t entry : node_of_.view()) good = good && entry <= nodes();
  if (!good || !groups_fit()) in.reject();
}

}  // namespace bowerbird::lipr
