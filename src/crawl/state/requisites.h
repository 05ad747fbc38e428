// What pages need to be displayed: which URLs are requisites, which of them are still to be fetched, and what
// became of the others.
//
// Problem: images, style sheets and frames are fetched for their page, not for themselves. They are URLs of
// the crawl with a page id like any other, but the frontier and its ordering never hear of them, so pages
// come in the same order with and without them. Each is fetched once, for the first page that needs it, its
// *root*: the limits of a page are those of its root. What a style sheet or a frame names belongs to the root
// of the sheet; how deep that may go is limited. Which page needs what is in the journal alone
// (crawl/inspect/completeness.h reads it); how many pages are complete is counted here. In a fleet that
// exchanges links, requisites go to the process that owns their partition, as links do.
// Invariant: a URL is unknown here, pending, ended, or another process's; every change is an event
// (events.h), so that pending ones survive a crash. Memory: a byte per URL of the crawl up to the last
// requisite, about 100 bytes per pending one and per root with pending ones; the crawl hands out no pages
// while too many are pending. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/result.h"
#include "crawl/judge/outcome_table.h"
#include "crawl/judge/requisite_kind.h"
#include "crawl/state/complete_pages.h"

namespace bowerbird {

// Added to the kind of a requisite that another process fetches.
constexpr std::uint8_t kSentAway = 0x80;

struct FoundRequisite {
  PageId page = kNoPage;
  std::uint8_t kind = 0;  // RequisiteKind; and kSentAway
  bool is_sent() const { return (kind & kSentAway) != 0; }
  RequisiteKind plain_kind() const { return static_cast<RequisiteKind>(kind & ~kSentAway); }
  auto fields() { return std::tie(page, kind); }
  friend bool operator==(const FoundRequisite&, const FoundRequisite&) = default;
};

// A page, or a requisite that is pending, needs these.
struct RequisitesFound {
  PageId from = kNoPage;
  bool of_page = true;  // otherwise of a requisite
  std::vector<FoundRequisite> found;
  std::uint64_t left_out = 0;  // further ones, beyond a limit
  std::uint64_t excluded = 0;  // further ones, by --exclude
  auto fields() { return std::tie(from, of_page, found, left_out, excluded); }
};

// A requisite will not be asked for again.
struct RequisiteEnded {
  PageId page = kNoPage;
  std::uint8_t end = 0;     // RequisiteEnd::coded()
  std::uint64_t bytes = 0;  // of the body
  auto fields() { return std::tie(page, end, bytes); }
};

// How a requisite ended.
struct RequisiteEnd {
  // What the response is good for, if the URL comes up as a page too.
  enum class Use : std::uint8_t {
    kRequisite,     // it would have to be read again
    kPage,          // it is the page's
    kUnwantedPage,  // likewise, of a type that is not in --types
    kNotStored,     // it is not in the archive
  };

  // Not fetched: its page has used up its bytes. It is asked for if another page needs it.
  bool over_limit = false;
  Outcome outcome = Outcome::kFetched;
  Use use = Use::kRequisite;

  std::uint8_t coded() const;
  // An error (none): the byte is not one of ours.
  static bool decode(std::uint8_t coded, RequisiteEnd& end);
};

// One that is to be fetched.
struct PendingRequisite {
  PageId page = kNoPage;
  PageId root = kNoPage;    // the page that it is fetched for
  std::uint8_t depth = 1;   // 1: the page itself names it
  std::uint8_t frames = 0;  // that it is in
  std::uint8_t links = 0;   // from a seed to the root, if another process has fetched that
  RequisiteKind kind = RequisiteKind::kLeaf;
};

class Requisites {
 public:
  // Style sheets, frames and redirects in a row that are followed; of them frames.
  static constexpr std::uint8_t kMostDepth = 10;
  static constexpr std::uint8_t kMostFrames = 5;

  // By their age.
  using Pending = std::map<std::uint64_t, PendingRequisite>;
  // What was found and fetched for a page that has pending ones.
  struct RootCounts {
    std::uint64_t found = 0;
    std::uint64_t bytes = 0;
    std::uint64_t pending = 0;
  };

  bool is_known(PageId page) const { return code(page) != kUnknown; }
  bool is_pending(PageId page) const { return code(page) == kPending; }
  // Another process fetches it, or has.
  bool is_elsewhere(PageId page) const { return code(page) == kElsewhere; }
  // Null: it is not pending.
  const PendingRequisite* find(PageId page) const;
  // Whether it has ended, and how.
  bool ended(PageId page, RequisiteEnd& end) const;
  const Pending& pending() const { return pending_; }
  RootCounts counts_of(PageId root) const;
  // The same for what `event` adds to.
  RootCounts counts_for(PageId from, bool of_page) const;
  const CompletePages& complete_pages() const { return complete_; }

  // is_done(page): fetched as a page of the crawl, or given up. Returns those that are to be sent to another
  // process.
  template <typename IsDone>
  std::vector<PendingRequisite> apply(const RequisitesFound& event, IsDone is_done) {
    std::vector<PendingRequisite> sent;
    const PendingRequisite inner = inside(event);
    for (const FoundRequisite& one : event.found) {
      PendingRequisite made = inner;
      made.page = one.page;
      made.kind = one.plain_kind();
      if (made.kind == RequisiteKind::kFrame) ++made.frames;
      if (code(one.page) == kUnknown && made.kind == RequisiteKind::kLeaf && is_done(one.page)) {
        set(one.page, RequisiteEnd{}.coded());
      } else if (one.is_sent()) {
        if (code(one.page) != kUnknown) continue;
        set(one.page, kElsewhere);
        sent.push_back(made);
      } else if (is_wanted(one.page)) {
        add(made);
      }
    }
    count_found(inner.root, event.found.size());
    count_complete(event);
    return sent;
  }
  void apply(const RequisiteEnded& event);

  // ---- Those of a partition that moves, or that another process has found
  // found: requisites of its root that are known so far. One that is done as a page is not fetched again.
  void arrive(const PendingRequisite& one, std::uint64_t found, bool is_done);
  // It has ended there; false: `end` is not one of ours.
  bool arrive_ended(PageId page, std::uint8_t end);
  // It is another process's from here on. Returns how it ended; 0: it has not, and was pending.
  std::uint8_t leave(PageId page);
  // What has arrived since the last call and is pending.
  std::vector<PageId> take_arrived() { return std::exchange(arrived_, {}); }

  bool fits(const RequisitesFound& event, std::uint64_t pages) const;
  bool fits(const RequisiteEnded& event, std::uint64_t pages) const;

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in, std::uint64_t pages);

 private:
  static constexpr std::uint8_t kUnknown = 0;
  static constexpr std::uint8_t kPending = 1;
  static constexpr std::uint8_t kOverLimit = 2;
  static constexpr std::uint8_t kElsewhere = 255;

  std::uint8_t code(PageId page) const { return page < codes_.size() ? codes_[page] : kUnknown; }
  void set(PageId page, std::uint8_t code) {
    codes_.grow_to(std::size_t{page} + 1);
    codes_[page] = code;
  }
  PendingRequisite inside(const RequisitesFound& event) const;
  bool is_wanted(PageId page) const {
    return code(page) == kUnknown || code(page) == kOverLimit || code(page) == kElsewhere;
  }
  CompletePages::Need need(PageId page) const;
  void add(const PendingRequisite& one);
  void drop_pending(PageId page, std::uint64_t bytes);
  void count_complete(const RequisitesFound& event);
  void count_found(PageId root, std::uint64_t found);

  LazyArray<std::uint8_t> codes_;  // by page: the above, or RequisiteEnd::coded()
  Pending pending_;
  std::unordered_map<PageId, std::uint64_t> ages_;      // of those pending
  std::unordered_map<PageId, RootCounts> root_counts_;  // of roots with pending ones
  std::uint64_t next_age_ = 0;
  CompletePages complete_;
  std::vector<PageId> arrived_;  // not part of the state
};

}  // namespace bowerbird
