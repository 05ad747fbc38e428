// What the pages of a crawl's folder have to do with a topic, from the words that the crawl kept.
//
// The truth the lab judges by: idf is that of all pages of the crawl, not of those before (IS of [004]). The
// words are read twice, once for the idf. Plain data; threads: as a struct.
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
  // Fails where the crawl kept no words, or the topic has none.
  static Result<TopicNotes> read(const CrawlReader& crawl, std::string_view words);

  // The places of the links whose words hold one of the topic's, among all links of the page.
  std::span<const std::uint32_t> links_of(PageId page) const;

  Topic topic;
  std::vector<double> similarity;  // by page
  std::vector<bool> on_topic;
  std::unordered_map<PageId, std::vector<std::uint32_t>> links;  // of the pages that have any
};

}  // namespace bowerbird
