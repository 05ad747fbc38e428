// Hints of the newest pages: what an ordering is told about their URLs.
//
// Problem: an ordering that judges URLs asks for the hints of each new link when a page is completed.
// Reading 100,000 URLs back at that time would block the loop for long. So hints are derived when a URL
// becomes known, which is spread over several turns. They are kept for as many of the newest pages as one
// page can have links. Hints are a function of the URL, so it does not affect the crawl order which ones
// are kept. Threads: one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "policy/policy.h"

namespace bowerbird {

class RecentHints {
 public:
  void add(PageId page, const PageHints& hints) {
    if (entries_.empty()) entries_.resize(kKept);
    entries_[page % kKept] = {page, hints};
  }
  // Null: not kept.
  const PageHints* find(PageId page) const {
    if (entries_.empty() || entries_[page % kKept].page != page) return nullptr;
    return &entries_[page % kKept].hints;
  }
  std::uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  static constexpr PageId kKept = 1 << 17;
  struct Entry {
    PageId page = kNoPage;
    PageHints hints;
  };
  std::vector<Entry> entries_;  // by page, modulo kKept
};

}  // namespace bowerbird
