#include "crawl/inspect/score_history.h"

#include "policy/reported_score.h"

namespace bowerbird {

const StoredLink* ScoreHistory::link_of(const PageDone* done) const {
  if (done == nullptr) return nullptr;
  for (const StoredLink& link : done->links) {
    if (link.page == page_) return &link;
  }
  return nullptr;
}

// kSeedScore only says that seeds come first, so its worth is 0.
double ScoreHistory::worth_of(std::optional<Score> score) const {
  return score && *score != kSeedScore ? state_.frontier().policy().merit(*score) : 0;
}

Status ScoreHistory::operator()(const CrawlEvent& event, const std::function<Status()>& apply) {
  const PageDone* const done = std::get_if<PageDone>(&event);
  const StoredLink* const link = link_of(done);
  const std::optional<Score> before = state_.frontier().score(page_);
  const double worth_before = worth_of(before);
  if (done != nullptr && done->page == page_) {
    final_ = before;
    final_worth_ = worth_before;
  }
  BB_TRY_VOID(apply());
  const std::optional<Score> after = state_.frontier().score(page_);
  const double change = after ? worth_of(after) - worth_before : 0;
  if (link != nullptr) {
    const bool late = final_.has_value() && done->page != page_;
    links_.push_back({done->page, link->flags, late ? 0 : change, late});
  } else if ((std::holds_alternative<SeedsAdded>(event) || std::holds_alternative<SitemapsFound>(event)) &&
             after && !before) {
    seed_ = change;
  } else {
    elsewhere_ += change;
  }
  return {};
}

}  // namespace bowerbird
