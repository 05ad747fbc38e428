// The requisites of pages: which URLs are requisites, which are still to be fetched, and how the others
// ended.
//
// Problem: images, style sheets and frames are fetched for a page, not for themselves. They have page ids
// like all URLs of the crawl, but they never enter the frontier, so the order of pages is the same with
// and without them. Each is fetched once, for the first page that needs it, its *root*; the limits per
// page apply to the root. The requisites of a style sheet or a frame belong to the root of the sheet, and
// their depth is limited. Which page needs which requisite is only in the journal
// (crawl/inspect/completeness.h reads it); the number of complete pages is counted here. A frame in scope is
// fetched as a page; it is *awaited* until the page is done. In a fleet that
// exchanges links, requisites go to the process that owns their partition, like links. Invariant: a URL
// is unknown here, awaited, pending, ended, or left to another process. Every change is an event (events.h),
// so pending requisites survive a crash. Memory: a byte per URL of the crawl up to the last requisite, and
// about 100 bytes per pending requisite and per root with pending ones; the crawl starts no pages while
// too many are pending. Threads: one, the crawl's.
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

// Flag added to the kind of a requisite that another process fetches.
constexpr std::uint8_t kSentAway = 0x80;

struct FoundRequisite {
  PageId page = kNoPage;
  std::uint8_t kind = 0;  // a RequisiteKind, perhaps with kSentAway
  bool is_sent() const { return (kind & kSentAway) != 0; }
  RequisiteKind plain_kind() const { return static_cast<RequisiteKind>(kind & ~kSentAway); }
  auto fields() { return std::tie(page, kind); }
  friend bool operator==(const FoundRequisite&, const FoundRequisite&) = default;
};

// A page, or a pending requisite, has these requisites.
struct RequisitesFound {
  PageId from = kNoPage;
  bool of_page = true;  // false: `from` is a requisite
  std::vector<FoundRequisite> found;
  std::uint64_t left_out = 0;  // further ones, beyond a limit
  std::uint64_t excluded = 0;  // further ones, by --exclude
  auto fields() { return std::tie(from, of_page, found, left_out, excluded); }
};

// A requisite has ended: it is not requested again.
struct RequisiteEnded {
  PageId page = kNoPage;
  std::uint8_t end = 0;     // RequisiteEnd::coded()
  std::uint64_t bytes = 0;  // of the body
  auto fields() { return std::tie(page, end, bytes); }
};

// How a requisite ended.
struct RequisiteEnd {
  // How the response can be used if the URL is also a page of the crawl.
  enum class Use : std::uint8_t {
    kRequisite,     // not at all: the page has to be fetched again
    kPage,          // it is the response of the page
    kUnwantedPage,  // likewise, with a type that is not in --types
    kNotStored,     // it is not in the archive
  };

  // Not fetched because its page has used up its bytes. It is requested if another page needs it.
  bool over_limit = false;
  Outcome outcome = Outcome::kFetched;
  Use use = Use::kRequisite;

  std::uint8_t coded() const;
  // False: the byte is not a valid code.
  static bool decode(std::uint8_t coded, RequisiteEnd& end);
};

// A requisite that is still to be fetched.
struct PendingRequisite {
  PageId page = kNoPage;
  PageId root = kNoPage;    // the page for which it is fetched
  PageId from = kNoPage;    // the page, style sheet or frame that names it; kNoPage: known to another process
  std::uint8_t depth = 1;   // 1: referred to by the page itself
  std::uint8_t frames = 0;  // how many frames it is nested in
  std::uint8_t links = 0;   // from a seed to the root, if another process fetched the root
  RequisiteKind kind = RequisiteKind::kLeaf;
};

class Requisites {
 public:
  // Limits of style sheets, frames and redirects in a row, and of frames among them.
  static constexpr std::uint8_t kMostDepth = 10;
  static constexpr std::uint8_t kMostFrames = 5;

  // By age, oldest first.
  using Pending = std::map<std::uint64_t, PendingRequisite>;
  // Counts for a page that has pending requisites.
  struct RootCounts {
    std::uint64_t found = 0;
    std::uint64_t bytes = 0;
    std::uint64_t pending = 0;
  };

  bool is_known(PageId page) const { return code(page) != kUnknown; }
  bool is_pending(PageId page) const { return code(page) == kPending; }
  // Another process fetches or has fetched it.
  bool is_elsewhere(PageId page) const { return code(page) == kElsewhere; }
  // A frame that is fetched as a page of the crawl, which is not done yet.
  bool is_awaited(PageId page) const { return code(page) == kAwaited; }
  // Null: it is not pending.
  const PendingRequisite* find(PageId page) const;
  // Whether it has ended; `end` is how.
  bool ended(PageId page, RequisiteEnd& end) const;
  const Pending& pending() const { return pending_; }
  RootCounts counts_of(PageId root) const;
  // The counts of the root to which requisites of `from` belong.
  RootCounts counts_for(PageId from, bool of_page) const;
  const CompletePages& complete_pages() const { return complete_; }

  // is_done(page): whether it was fetched as a page of the crawl, or given up. Returns the requisites to
  // be sent to another process.
  template <typename IsDone>
  std::vector<PendingRequisite> apply(const RequisitesFound& event, IsDone is_done) {
    std::vector<PendingRequisite> sent;
    const PendingRequisite inner = inside(event);
    for (const FoundRequisite& one : event.found) {
      PendingRequisite made = inner;
      made.page = one.page;
      made.kind = one.plain_kind();
      if (made.kind == RequisiteKind::kPage) {
        // A page that is done without a body in the archive is fetched as a requisite.
        if (one.is_sent()) continue;
        if (code(one.page) == kUnknown && !is_done(one.page)) set(one.page, kAwaited);
        if (code(one.page) != kOverLimit) continue;
        made.kind = RequisiteKind::kFrame;
      }
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

  // ---- Requisites of a partition that moves, or that another process has found
  // found: number of requisites of its root so far. One that is done as a page is not fetched again.
  void arrive(const PendingRequisite& one, std::uint64_t found, bool is_done);
  // It has ended at the other process. False: `end` is not a valid code.
  bool arrive_ended(PageId page, std::uint8_t end);
  // It moves to another process. Returns the code of its end; 0: it was pending.
  std::uint8_t leave(PageId page);
  // Pending requisites that arrived since the last call.
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
  static constexpr std::uint8_t kAwaited = 254;
  static constexpr std::uint8_t kElsewhere = 255;

  std::uint8_t code(PageId page) const { return page < codes_.size() ? codes_[page] : kUnknown; }
  void set(PageId page, std::uint8_t code) {
    codes_.grow_to(std::size_t{page} + 1);
    codes_[page] = code;
  }
  PendingRequisite inside(const RequisitesFound& event) const;
  bool is_wanted(PageId page) const {
    return code(page) == kUnknown || code(page) == kOverLimit || code(page) >= kAwaited;
  }
  CompletePages::Need need(PageId page) const;
  void add(const PendingRequisite& one);
  void drop_pending(PageId page, std::uint64_t bytes);
  void count_complete(const RequisitesFound& event);
  void count_found(PageId root, std::uint64_t found);

  LazyArray<std::uint8_t> codes_;  // by page: one of the above, or RequisiteEnd::coded()
  Pending pending_;
  std::unordered_map<PageId, std::uint64_t> ages_;      // by pending requisite
  std::unordered_map<PageId, RootCounts> root_counts_;  // by root with pending requisites
  std::uint64_t next_age_ = 0;
  CompletePages complete_;
  std::vector<PageId> arrived_;  // not part of the state
};

}  // namespace bowerbird
