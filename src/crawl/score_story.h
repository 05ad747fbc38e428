// Where the score of a page came from: the crawl's decisions are made again from the journal, and every
// change of that one score is written down.
//
// Use: pass it to CrawlRestorer::restore_all. Told in worth, which is what the ordering calls the merit of a
// score: never negative, 0 for a page that is not known yet. What a link gave is the difference that the page
// it stands on made; what an ordering moved between pages besides (PageRank computed anew, RankMass on its
// way) is `elsewhere`. Threads: one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "crawl/brain.h"

namespace bowerbird {

struct LinkGift {
  PageId from = 0;
  std::uint8_t flags = 0;  // of the link
  double gave = 0;
  bool late = false;  // the page was done already
};

class ScoreStory {
 public:
  ScoreStory(const Brain& brain, PageId page) : brain_(brain), page_(page) {}

  template <typename Go>
  Status operator()(const Event& event, Go&& go) {
    const StoredLink* const link = link_of(event);
    const std::optional<Score> before = brain_.frontier().score(page_);
    const double worth_before = worth_of(before);
    if (event.type == kLinksEvent && event.page == page_) {
      final_ = before;
      final_worth_ = worth_before;
    }
    BB_TRY_VOID(go());
    take(event, link, before.has_value(), worth_before);
    return {};
  }

  // Now, or when it was crawled; none where it was never queued.
  std::optional<Score> score() const { return final_ ? final_ : brain_.frontier().score(page_); }
  double worth() const { return final_ ? final_worth_ : worth_of(score()); }
  bool is_seed() const { return seed_.has_value(); }
  double from_seed() const { return seed_.value_or(0); }
  double elsewhere() const { return elsewhere_; }
  const std::vector<LinkGift>& links() const { return links_; }

 private:
  const StoredLink* link_of(const Event& event) const;
  double worth_of(std::optional<Score> score) const;
  void take(const Event& event, const StoredLink* link, bool known, double before);

  const Brain& brain_;
  PageId page_;
  std::optional<Score> final_;
  double final_worth_ = 0;
  std::optional<double> seed_;
  double elsewhere_ = 0;
  std::vector<LinkGift> links_;
};

}  // namespace bowerbird
