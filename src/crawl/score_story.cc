#include "crawl/score_story.h"

#include "crawl/journal_events.h"

namespace bowerbird {

const StoredLink* ScoreStory::link_of(const Event& event) const {
  if (event.type != kLinksEvent) return nullptr;
  for (const StoredLink& link : event.links) {
    if (link.page == page_) return &link;
  }
  return nullptr;
}

double ScoreStory::worth_of(std::optional<Score> score) const {
  return score ? brain_.frontier().policy().merit(*score) : 0;
}

void ScoreStory::take(const Event& event, const StoredLink* link, bool known, double before) {
  const std::optional<Score> after = brain_.frontier().score(page_);
  const double change = after ? worth_of(after) - before : 0;
  if (link != nullptr) {
    const bool late = final_.has_value() && event.page != page_;
    links_.push_back({event.page, link->flags, late ? 0 : change, late});
  } else if (event.type == kEventSeeds && after && !known) {
    seed_ = change;
  } else {
    elsewhere_ += change;
  }
}

}  // namespace bowerbird
