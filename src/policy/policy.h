// An ordering: it hears what is discovered and crawled, and answers with scores. The frontier always takes
// the uncrawled page with the largest score, the earlier discovered one among equals.
//
// The score of an uncrawled page is kept by the frontier and handed back here whenever a link to that page
// appears, so that an ordering whose whole knowledge of a page is one number (most are) keeps nothing per
// page. What else an ordering needs (ranks, the growing graph) it keeps itself and reports in bytes().
//
// Invariants: no URL, no clock, no I/O; the same calls in the same order give the same scores, bit for bit. A
// score is never NaN. Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/bytes.h"
#include "base/ids.h"

namespace bowerbird {

using Score = double;

// What a page's URL tells without fetching it.
struct PageHints {
  float location = 0;       // IL: the larger the better
  std::uint16_t depth = 0;  // slashes in the path below the root
};

struct Seed {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  double share = 0;              // its weight over the weights of all seeds of this call
  PageHints hints;
};

// A link from the page being crawled to a page that is not crawled yet.
struct OpenLink {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  bool fresh = false;            // this link discovers the page
  bool other_host = false;
  PageHints hints;  // filled in for fresh links where the ordering needs them
  Score score = 0;  // in: the score so far (0 if fresh); out: the new one
};

// The page being crawled.
struct Visit {
  PageId page = 0;
  Score score = 0;               // at the moment of its crawl
  std::uint32_t links = 0;       // O(v): distinct links, to crawled pages too
  std::uint32_t other_host = 0;  // of those, to other hosts
  std::uint64_t crawled = 0;     // pages crawled so far, this one included
  std::uint64_t known = 0;       // pages discovered so far, before this page's links
  std::uint64_t queued = 0;      // uncrawled pages in the queue, this page not among them
};

class Policy {
 public:
  virtual ~Policy() = default;

  // Called once for each seed, in the order given, before anything is crawled (live, more may follow later).
  virtual Score seed(const Seed& seed) = 0;

  // v is crawled. `open`: its links to uncrawled pages, in the order of out(v); set each one's score. `all`:
  // every distinct link of v, for orderings that keep the graph. A self-link is not open: v is crawled.
  virtual void crawled(const Visit& visit, std::span<OpenLink> open, std::span<const PageId> all) = 0;

  // Called after each crawled(): true when scores of pages beyond `open` have changed. The frontier then asks
  // rescore(page, old score) of every page in the queue and orders it anew.
  virtual bool wants_rescore() { return false; }
  virtual Score rescore(PageId /*page*/, Score score) { return score; }

  // Called before a page is handed out, with the best score in the queue, again and again until it answers
  // false: an ordering that moves scores between crawls (full RankMass) does one step of it and emits the new
  // scores of the uncrawled pages it changed.
  using Emit = std::function<void(PageId page, Score score)>;
  virtual bool settle(Score /*best*/, const Emit& /*emit*/) { return false; }

  // Asked when `page` is about to be handed out with its stored score: a lower answer puts it back with that
  // score and the next best is tried; the same or a higher one lets it go.
  virtual Score confirm(PageId /*page*/, Score stored) { return stored; }

  // Memory held by the ordering itself, besides the 8 bytes of a score in the queue.
  virtual std::uint64_t bytes() const { return 0; }

  // All state, so that load() into a fresh object of the same spec goes on exactly as before.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

}  // namespace bowerbird
