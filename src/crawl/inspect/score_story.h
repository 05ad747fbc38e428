// Where the score of a page came from: the crawl's decisions are made again from the journal, and every
// change of that one score is written down.
//
// Use: pass it to RestoredCrawl::replay_from_beginning. Told in worth, which is what the ordering calls the
// merit of a score: never negative, 0 for a page that is not known yet. What a link gave is the difference
// that the page it stands on made; what an ordering moved between pages besides (PageRank computed anew,
// RankMass on its way) is `elsewhere`. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

struct LinkGift {
  PageId from = 0;
  std::uint8_t flags = 0;  // of the link
  double gave = 0;
  bool late = false;  // the page was done already
};

class ScoreStory {
 public:
  ScoreStory(const CrawlState& state, PageId page) : state_(state), page_(page) {}

  Status operator()(const CrawlEvent& event, const std::function<Status()>& apply);

  // Now, or when it was crawled; none where it was never queued.
  std::optional<Score> score() const { return final_ ? final_ : state_.frontier().score(page_); }
  double worth() const { return final_ ? final_worth_ : worth_of(score()); }
  bool is_seed() const { return seed_.has_value(); }
  double from_seed() const { return seed_.value_or(0); }
  double elsewhere() const { return elsewhere_; }
  const std::vector<LinkGift>& links() const { return links_; }

 private:
  const StoredLink* link_of(const PageDone* done) const;
  double worth_of(std::optional<Score> score) const;

  const CrawlState& state_;
  PageId page_;
  std::optional<Score> final_;
  double final_worth_ = 0;
  std::optional<double> seed_;
  double elsewhere_ = 0;
  std::vector<LinkGift> links_;
};

}  // namespace bowerbird
