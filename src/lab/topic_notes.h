// The similarity of the pages of a crawl folder to a topic, from the words that the crawl stored.
//
// This is the truth that the lab judges by: idf is over all pages of the crawl, not over those before (IS of
// [004]). The words are read twice, once for the idf. Plain data; threads: as a struct.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "parse/topic.h"
#include "store/crawl_reader.h"

namespace bowerbird {

struct TopicNotes {
  // Fails if the crawl stored no words, or the topic has none.
  static Result<TopicNotes> read(const CrawlReader& crawl, std::string_view words);

  // The positions of the links whose text contains a word of the topic, among all links of the page.
  std::span<const std::uint32_t> links_of(PageId page) const;

  Topic topic;
  std::vector<double> similarity;  // by page
  std::vector<bool> on_topic;
  std::unordered_map<PageId, std::vector<std::uint32_t>> links;  // of the pages that have any
};

}  // namespace bowerbird
