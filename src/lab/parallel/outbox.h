// Links to be sent from one process to another: a batch contains those found on a number of pages, with the
// worth of each page.
#pragma once

#include <span>
#include <vector>

#include "frontier/frontier.h"

namespace bowerbird {

class Outbox {
 public:
  // Its links must follow at once.
  void page(const Visit& visit) { pages_.push_back({visit, links_.size()}); }
  void link(PageId page, bool other_host) { links_.push_back({page, other_host, LinkRoute::kLocal}); }

  bool empty() const { return links_.empty(); }
  std::size_t pages() const { return pages_.size(); }
  std::span<const Link> links() const { return links_; }
  void clear() {
    pages_.clear();
    links_.clear();
  }

  // each(visit, links) for every page, in the order they were crawled.
  template <typename Each>
  void for_each(Each&& each) const {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const std::size_t end = i + 1 < pages_.size() ? pages_[i + 1].first_link : links_.size();
      each(pages_[i].visit, links().subspan(pages_[i].first_link, end - pages_[i].first_link));
    }
  }

 private:
  struct Page {
    Visit visit;
    std::size_t first_link;
  };

  std::vector<Page> pages_;
  std::vector<Link> links_;
};

}  // namespace bowerbird
