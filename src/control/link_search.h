// Finds the pages that link to some pages of a running crawl, in its committed links.
//
// All links have to be read, so a helper thread does this seldom, and the result is used until the next
// search. Threads: want() from the crawl's, the rest from any.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "base/thread_annotations.h"
#include "store/crawl_reader.h"

namespace bowerbird {

struct IncomingLinks {
  std::uint64_t links = 0;
  std::vector<PageId> from;  // the first ones
};
using IncomingByPage = std::map<PageId, IncomingLinks>;

// Finds the links to these pages, in one pass over all links.
Result<IncomingByPage> find_incoming(const CrawlReader& crawl, const std::vector<PageId>& pages,
                                     std::size_t most_from);

class LinkSearch {
 public:
  LinkSearch(std::string folder, std::size_t most_from) : folder_(std::move(folder)), most_from_(most_from) {}

  // Later searches are for these pages. True: a search is due, and the caller lets a helper call search().
  bool want(std::vector<PageId> pages);
  void search();
  // No helper had room for the search.
  void give_up();
  // The result of the last search; never null.
  std::shared_ptr<const IncomingByPage> found() const;

 private:
  const std::string folder_;
  const std::size_t most_from_;
  mutable Mutex mutex_;
  std::vector<PageId> wanted_ GUARDED_BY(mutex_);
  bool searching_ GUARDED_BY(mutex_) = false;
  std::int64_t next_us_ GUARDED_BY(mutex_) = 0;  // when another search is due
  std::shared_ptr<const IncomingByPage> found_ GUARDED_BY(mutex_) = std::make_shared<IncomingByPage>();
};

}  // namespace bowerbird
