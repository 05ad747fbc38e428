// The content of a crawl's archive.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "store/crawl_reader.h"

namespace bowerbird {

// The URL of each record.
inline std::multiset<std::string> stored_urls(const std::string& folder) {
  const auto reader = std::move(CrawlReader::open(folder)).value();
  std::vector<PageId> pages;
  EXPECT_TRUE(reader
                  ->for_each_fetch([&](const FetchEntry& entry) -> Status {
                    pages.push_back(entry.page);
                    return {};
                  })
                  .ok());
  std::multiset<std::string> urls;
  for (const PageId page : pages) urls.insert(std::move(reader->url(page)).value());
  return urls;
}

}  // namespace bowerbird
