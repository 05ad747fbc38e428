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
    while (by_page_.size() <= page) {
      const std::string text = url(static_cast<PageId>(by_page_.size()));
      std::string_view path = text;
      path = path.substr(0, path.find('?'));
      path = path.substr(0, path.rfind('/') + 1);
      const auto next = static_cast<std::uint32_t>(by_hash_.size());
      by_page_.push_back(by_hash_.emplace(keyed_hash(path), next).first->second);
    }
    return by_page_[page];
  }
  std::uint64_t bytes() const { return by_page_.capacity() * sizeof(std::uint32_t) + 64 * by_hash_.size(); }

 private:
  std::vector<std::uint32_t> by_page_;                        // as far as asked for
  std::unordered_map<std::uint64_t, std::uint32_t> by_hash_;  // of scheme, host and path
};

}  // namespace bowerbird
