#include "lab/topic_notes.h"

#include "parse/similarity.h"

namespace bowerbird {

Result<TopicNotes> TopicNotes::read(const CrawlReader& crawl, std::string_view words) {
  TopicNotes notes;
  BB_TRY(notes.topic, Topic::parse(words));
  if (crawl.pages_with_terms() == 0) {
    return error(
        "this crawl did not store the words of its pages; a topic needs a crawl with --topic or --terms");
  }
  TermStatistics statistics;
  BB_TRY_VOID(crawl.for_each_terms([&](PageId, const PageTerms& terms) -> Status {
    statistics.add(terms);
    return {};
  }));
  notes.similarity.assign(crawl.pages(), 0);
  notes.on_topic.assign(crawl.pages(), false);
  BB_TRY_VOID(crawl.for_each_terms([&](PageId page, const PageTerms& terms) -> Status {
    if (page >= crawl.pages()) return error("terms.log: there is no page {}", page);
    notes.similarity[page] = statistics.similarity(notes.topic, terms);
    notes.on_topic[page] = is_on_topic(notes.topic, terms);
    std::vector<std::uint32_t> places;
    for (const AnchorWord& word : terms.anchors) {
      if (!anchor_on_topic(notes.topic, terms, word)) continue;
      if (places.empty() || places.back() != word.link) places.push_back(word.link);
    }
    if (!places.empty()) notes.links[page] = std::move(places);
    return {};
  }));
  return notes;
}

std::span<const std::uint32_t> TopicNotes::links_of(PageId page) const {
  const auto found = links.find(page);
  if (found == links.end()) return {};
  return found->second;
}

}  // namespace bowerbird
