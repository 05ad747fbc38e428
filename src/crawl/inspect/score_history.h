// Explains the score of one page: replays the journal and records every change of that score.
//
// Use: pass it to RestoredCrawl::replay_from_beginning. Contributions are in worth, the value of a score
// to the ordering: never negative, 0 for an unknown page. The contribution of a link is the change made
// when its page was crawled. elsewhere() is the sum of all other changes, such as recomputed PageRank or
// RankMass passed on. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

struct LinkContribution {
  PageId from = 0;
  std::uint8_t flags = 0;  // of the link
  double gave = 0;
  bool late = false;  // found when the page was already done
};

class ScoreHistory {
 public:
  ScoreHistory(const CrawlState& state, PageId page) : state_(state), page_(page) {}

  Status operator()(const CrawlEvent& event, const std::function<Status()>& apply);

  // The current score, or the one at its fetch; none: the page was never queued.
  std::optional<Score> score() const { return final_ ? final_ : state_.frontier().score(page_); }
  double worth() const { return final_ ? final_worth_ : worth_of(score()); }
  bool is_seed() const { return seed_.has_value(); }
  double from_seed() const { return seed_.value_or(0); }
  double elsewhere() const { return elsewhere_; }
  const std::vector<LinkContribution>& links() const { return links_; }

 private:
  const StoredLink* link_of(const PageDone* done) const;
  double worth_of(std::optional<Score> score) const;

  const CrawlState& state_;
  PageId page_;
  std::optional<Score> final_;
  double final_worth_ = 0;
  std::optional<double> seed_;
  double elsewhere_ = 0;
  std::vector<LinkContribution> links_;
};

}  // namespace bowerbird
