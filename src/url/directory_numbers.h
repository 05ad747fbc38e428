// The number of the directory that a page is in, for orderings that group pages by it.
//
// Directories are numbered in the order of page ids, whichever page is asked for first, so that a restored
// crawl has the same numbers. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/keyed_hash.h"

namespace bowerbird {

class DirectoryNumbers {
 public:
  // url: the canonical URL of any page up to the one asked for.
  std::uint32_t number(PageId page, const std::function<std::string(PageId)>& url) {
    while (by_page_.size() <= page) append(url(static_cast<PageId>(by_page_.size())));
    return by_page_[page];
  }
  // A new page, while its URL is at hand. Does nothing until somebody has asked for the page before it.
  void add(PageId page, std::string_view url) {
    if (page > 0 && by_page_.size() == page) append(url);
  }
  std::uint64_t bytes() const { return by_page_.capacity() * sizeof(std::uint32_t) + 64 * by_hash_.size(); }

 private:
  void append(std::string_view url) {
    std::string_view path = url.substr(0, url.find('?'));
    path = path.substr(0, path.rfind('/') + 1);
    const auto next = static_cast<std::uint32_t>(by_hash_.size());
    by_page_.push_back(by_hash_.emplace(keyed_hash(path), next).first->second);
  }

  std::vector<std::uint32_t> by_page_;                        // as far as asked for
  std::unordered_map<std::uint64_t, std::uint32_t> by_hash_;  // of scheme, host and path
};

}  // namespace bowerbird
