// Topic flags for links and pages in the lab.
#pragma once

#include <vector>

#include "frontier/frontier.h"
#include "graph/web.h"

namespace bowerbird {

// Marks those of the page's links, which are ascending, whose text contains a word of the topic; null: none.
inline void flag_topic(const WebTopic* topic, PageId page, std::vector<Link>& links, LinkBuffer& buffer) {
  if (topic == nullptr) return;
  std::size_t at = 0;
  for (const PageId target : topic->anchors->out(page, buffer)) {
    while (at < links.size() && links[at].page < target) ++at;
    if (at < links.size() && links[at].page == target) links[at].on_topic = true;
  }
}

inline bool is_on_topic(const WebTopic* topic, PageId page) {
  return topic != nullptr && topic->on_topic[page];
}

}  // namespace bowerbird
