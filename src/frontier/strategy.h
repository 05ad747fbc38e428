// Which new links of a page enter the queue now, which wait, and which are dropped.
//
// C. Castillo, A. Nelli and A. Panconesi, Crawling the Web with limited memory [002]. P is the queue of the
// frontier. S, stored here, contains the crawled pages some of whose new links were held back. A page of S
// costs 64 bytes, however many links are held back: they are read again when the page is visited again.
//   all           every new link enters;
//   sydney@t      of more than t new links, t enter and the page goes to S; when P is empty, S becomes P;
//   shallow@t     as sydney for pages of depth 0 to 2; deeper pages give all their links;
//   truncated@t   as sydney without S: links that do not enter are lost.
// With :budget=N (or a share, 5%, of the expected pages) |P| + |S| never exceeds N, in memory and on disk
// together. What does not fit is dropped, worst first if the ordering judges. Pages that are being fetched or
// visited keep their entries, since they may return. Dropped links stay undiscovered and may be found again.
// The t links are a random sample, or the t best if the ordering judges by worth. If it does, a page with
// more than t new links and a score below the median of P gives none of them at its first visit.
//
// Invariant: a link gets its share of the score once. SecondaryPage::given_below says which links had theirs.
// Threads: one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "frontier/score_queue.h"
#include "policy/policy.h"

namespace bowerbird {

// A page of S.
struct SecondaryPage {
  Visit visit;                    // when it was crawled
  std::uint32_t given_below = 0;  // links to pages with smaller discovery numbers have had their share
  std::uint32_t held = 0;         // links that have not

  QueueItem item() const { return {visit.page, visit.discovered, visit.score}; }
};

// The decision about the new links of one page.
struct Admission {
  std::uint32_t enter = 0;
  std::uint32_t held = 0;
  std::uint32_t lost = 0;
};

class Strategy {
 public:
  // expected_pages: for a budget in percent. seed: for the samples.
  static Result<Strategy> make(std::string_view spec, std::uint64_t expected_pages, std::uint64_t seed);

  // Whether the page's depth matters (shallow).
  bool wants_depth() const { return kind_ == Kind::kShallow; }
  // Whether every new link enters: the common case, in which admit() need not be called.
  bool admits_all() const { return kind_ == Kind::kAll && !budget_; }
  // The maximum number of new links of a page of this depth.
  std::uint32_t sample_size(std::uint16_t depth) const;

  // How many entries the budget has left after P with the pages in flight, S, and the pages being visited
  // again.
  std::uint64_t room(std::uint64_t primary) const;
  // A page has `new_links` links to new pages, not yet counted in P and S. postpone: none may enter now.
  Admission admit(std::uint32_t new_links, std::uint16_t depth, std::uint64_t primary, bool postpone) const;
  // Keeps `count` of the new links and all others, in order. by_score: the best, otherwise a random sample
  // that depends only on the seed and `step`. Returns how many links remain at the front of `links`.
  std::size_t sample(std::span<OpenLink> links, std::uint32_t count, bool by_score, std::uint64_t step);

  void hold(const SecondaryPage& page) { secondary_.push_back(page); }
  // S becomes the list of pages to visit again, best first. Only when that list is empty.
  void start_round();
  // Pages still to visit again in this round; they count in P.
  std::uint64_t left_in_round() const { return round_.size() - round_at_; }
  const SecondaryPage& best_of_round() const { return round_[round_at_]; }
  // Takes the next page for a visit; complete it with finish_visit().
  PageId take_from_round();
  std::optional<SecondaryPage> finish_visit(PageId page);
  const SecondaryPage* visiting(PageId page) const;
  // In S, to be visited again, or being visited.
  std::vector<SecondaryPage> all_held() const;

  std::uint64_t secondary() const { return secondary_.size(); }
  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  enum class Kind { kAll, kSydney, kShallow, kTruncated };

  Kind kind_ = Kind::kAll;
  std::uint32_t t_ = 0;
  std::optional<std::uint64_t> budget_;
  std::uint64_t seed_ = 1;

  std::vector<SecondaryPage> secondary_;  // S
  std::vector<SecondaryPage> round_;      // S when P became empty, best first
  std::size_t round_at_ = 0;
  std::vector<SecondaryPage> visiting_;                       // handed out
  std::vector<std::pair<QueueItem, std::uint32_t>> ranking_;  // scratch of sample()
};

}  // namespace bowerbird
