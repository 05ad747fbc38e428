// Popular URLs that belong to other processes and are not sent again, because their owners have received them
// often enough [001, replication, learned during the crawl].
//
// It counts the links to remote pages. Whenever the number of crawled pages has doubled, the pages with the
// most links so far, all of which have been sent before, become popular. Threads: one owner.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"

namespace bowerbird {

struct LinkedPage {
  PageId page = 0;
  std::uint32_t links = 0;
};
// Keeps the `count` pages with the most links, ties by lower id; in no particular order.
void keep_most_linked(std::vector<LinkedPage>& pages, std::uint64_t count);

class PopularPages {
 public:
  // Learns up to `count` pages; 0: none.
  explicit PopularPages(std::uint64_t count = 0) : count_(count) {}

  bool on() const { return count_ > 0; }
  bool knows(PageId page) const { return known_.contains(page); }
  void saw(PageId page) {
    if (count_ > 0) ++links_[page];
  }
  // Everything seen so far has been sent.
  void sent(std::uint64_t crawled);

  std::uint64_t bytes() const { return 32 * links_.size() + 24 * known_.size(); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 1;
  std::unordered_map<PageId, std::uint32_t> links_;
  std::unordered_set<PageId> known_;
};

}  // namespace bowerbird
