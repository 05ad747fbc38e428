// An ordering: it hears what is discovered and crawled, and answers with scores. The frontier always takes
// the uncrawled page with the largest score, the earlier discovered one among equals.
//
// The score of an uncrawled page is kept by the frontier and handed back here whenever a link to that page
// appears, so that an ordering whose whole knowledge of a page is one number (most are) keeps nothing per
// page: it has seed() and give(), both of them mere arithmetic. What else an ordering needs (ranks, the
// growing graph, an account) it keeps itself, hears of in crawled() and given(), and reports in bytes().
//
// For each crawled page v the frontier calls, in this order:
//   crawled(v, all links)   the ordering takes note of v;
//   give(v, links)          the new scores of the links that might enter the queue, or are in it;
//   given(v, links, ...)    the links that did get their score;
//   wants_rescore()         whether pages beyond those links have changed.
// A strategy may hold links of v back. When they enter at last, give() and given() are called again with the
// Visit as it was when v was crawled, so that what a link is worth was decided then.
//
// Invariants: no URL, no clock, no I/O; the same calls in the same order give the same scores, bit for bit. A
// score is never NaN. Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"

namespace bowerbird {

using Score = double;

// The share of its importance that a page passes on; d in the papers.
inline constexpr double kDamping = 0.85;

// What a page's URL tells without fetching it.
struct PageHints {
  float location = 0;       // IL: the larger the better
  std::uint16_t depth = 0;  // slashes in the path below the root
  bool on_topic = false;    // it holds a word of the topic
};

struct Seed {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  double share = 0;              // its weight over the weights of all seeds of this call
  PageHints hints;
  // Found while the crawl runs, not given by the user: as if a page with 1 / share links linked to it. It
  // competes with other discovered pages.
  bool light = false;
};

// A link from the page being crawled to a page that is not crawled yet.
struct OpenLink {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  bool is_new = false;           // this link discovers the page
  bool other_host = false;
  bool on_topic = false;  // its words hold one of the topic's
  PageHints hints;        // filled in for new links where the ordering wants them
  Score score = 0;        // in: the score so far (0 if new); out: the new one
};

// The page being crawled, at the moment of its crawl.
struct Visit {
  PageId page = 0;
  std::uint32_t discovered = 0;
  Score score = 0;
  std::uint32_t links = 0;       // O(v): distinct links, to crawled pages too
  std::uint32_t other_host = 0;  // of those, to other hosts
  std::uint64_t crawled = 0;     // pages crawled so far, this one included
  std::uint64_t known = 0;       // pages discovered so far, before this page's links
  bool on_topic = false;         // what it says is about the topic
  bool received = false;         // another process crawled it and tells of its links; its id means nothing
};

// What became of the links of a visit, for orderings that keep an account.
struct Shares {
  bool first = true;         // v has just been crawled; false when links that were held back enter
  std::uint32_t held = 0;    // links that are held back from now on
  std::uint32_t away = 0;    // links whose share goes to another process
  std::uint32_t closed = 0;  // links that get nothing, now or later: to crawled pages, or turned away
  std::uint64_t queued = 0;  // uncrawled pages in the queue, those that enter now among them
};

// A figure that an ordering keeps and the reports show.
struct Account {
  std::string_view name;
  double value = 0;
};

// Of an ordering's growing graph.
struct GraphUse {
  std::uint64_t links_on_disk = 0;
  std::uint64_t disk = 0;  // bytes

  void add(const GraphUse& other) {
    links_on_disk += other.links_on_disk;
    disk += other.disk;
  }
};

class Policy {
 public:
  virtual ~Policy() = default;

  // False for orderings whose score says nothing about worth (bfs, dfs, random): a strategy then samples
  // links at random instead of taking the best.
  virtual bool judges() const { return true; }
  // Whether hints are to be filled in, and whether crawled() is to be told the links.
  virtual bool wants_hints() const { return false; }
  virtual bool wants_links() const { return false; }

  // Whether a Visit is all that another process needs to give a link of that page its score. Where it is not,
  // links that another process found enter as seeds of little weight.
  virtual bool travels() const { return !wants_links(); }

  // Called once for each seed, in the order given, before anything is crawled (live, more may follow later).
  virtual Score seed(const Seed& seed) = 0;

  // v is crawled. `all`: every distinct link of v, where wants_links().
  virtual void crawled(const Visit& /*visit*/, std::span<const PageId> /*all*/) {}
  // Sets the score of each link, in the order of out(v). A self-link is not among them: v is crawled. May be
  // asked of links that are not going to enter, so it changes nothing.
  virtual void give(const Visit& visit, std::span<OpenLink> links) const = 0;
  // These links, with these scores, have entered the queue or were in it.
  virtual void given(const Visit& /*visit*/, std::span<const OpenLink> /*links*/, const Shares& /*shares*/) {}

  // Called after the seeds and after each given(): true when scores of pages beyond its links have changed.
  // The frontier then asks rescore(page, old score) of every uncrawled page and orders the queue anew.
  virtual bool wants_rescore() { return false; }
  virtual Score rescore(PageId /*page*/, Score score) const { return score; }

  // Called before a page is handed out, with the best page of the queue, again and again until it answers
  // false: an ordering that moves scores between crawls (full RankMass) does one step of it and emits the new
  // scores of the uncrawled pages it changed.
  using Emit = std::function<void(PageId page, Score score)>;
  virtual bool advance(PageId /*best*/, Score /*score*/, const Emit& /*emit*/) { return false; }

  // Asked when `page` is about to be handed out with its stored score: a lower answer puts it back with that
  // score and the best is looked for again; the same or a higher one lets it go.
  virtual Score confirm(PageId /*page*/, Score stored) { return stored; }

  // A score as a plain number that is the larger the better and never negative, for weighted sums.
  virtual double merit(Score score) const { return score; }

  virtual std::vector<Account> accounts() const { return {}; }
  // Memory held by the ordering itself, besides the item in the queue.
  virtual std::uint64_t bytes() const { return 0; }

  // The growing graph, of those that have one and may put it on disk: what it may take in memory from here
  // on, what is elsewhere, whether the limit can be kept, and what went wrong since the last call.
  virtual void limit_graph(std::uint64_t /*bytes*/) {}
  virtual GraphUse graph_use() const { return {}; }
  virtual Status status() const { return {}; }
  virtual std::vector<std::string> take_troubles() { return {}; }

  // All state, so that load() into a fresh object of the same spec goes on exactly as before. Orderings
  // without state leave these as they are.
  virtual void save(ByteWriter& /*out*/) const {}
  virtual void load(ByteReader& /*in*/) {}
};

}  // namespace bowerbird
