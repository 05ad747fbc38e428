// An ordering: it gets the discovered and crawled pages, and returns scores. The frontier always takes the
// uncrawled page with the largest score, and among equals the one discovered first.
//
// The frontier stores the score of an uncrawled page and passes it back whenever a link to that page appears.
// An ordering that needs only one number per page (most do) therefore stores nothing per page: it has seed()
// and give(), which only calculate. Other state (ranks, the growing graph, an account) is its own; it is
// updated in crawled() and given(), and reported in bytes().
//
// For each crawled page v the frontier calls, in this order:
//   crawled(v, all links)   the ordering takes note of v;
//   give(v, links)          the new scores of the links that might enter the queue, or are in it;
//   given(v, links, ...)    the links that did get their score;
//   wants_rescore()         whether pages beyond those links have changed.
// A strategy may hold links of v back. When they enter later, give() and given() are called again with the
// Visit as it was when v was crawled, so that the worth of a link does not depend on when it enters.
//
// Invariants: no URL, no clock, no I/O; the same calls in the same order give the same scores, bit for bit. A
// score is never NaN. Numbers in brackets, such as [003], are the references at the end of docs/policies.md.
// Threads: one owner.
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

// What a page's URL shows without fetching it.
struct PageHints {
  float location = 0;       // IL: the larger the better
  std::uint16_t depth = 0;  // slashes in the path below the root
  bool on_topic = false;    // it contains a word of the topic
};

struct Seed {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  double share = 0;              // its weight divided by the weights of all seeds of this call
  PageHints hints;
  // Found during the crawl, not given by the user: treated as if a page with 1 / share links linked to it. It
  // competes with other discovered pages.
  bool light = false;
};

// A link from the page being crawled to a page that is not crawled yet.
struct OpenLink {
  PageId page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  bool is_new = false;           // this link discovers the page
  bool other_host = false;
  bool on_topic = false;  // its text contains a word of the topic
  PageHints hints;        // filled in for new links if the ordering wants them
  Score score = 0;        // in: the score so far (0 if new); out: the new one
};

// The page being crawled, at the moment of its crawl.
struct Visit {
  PageId page = 0;
  std::uint32_t discovered = 0;
  Score score = 0;
  std::uint32_t links = 0;       // O(v): distinct links, to crawled pages too
  std::uint32_t other_host = 0;  // of those, links to other hosts
  std::uint64_t crawled = 0;     // pages crawled so far, this one included
  std::uint64_t known = 0;       // pages discovered so far, before this page's links
  bool on_topic = false;         // its content is about the topic
  // crawled by another process, which sent its links; its id is meaningless here
  bool received = false;
};

// What happened to the links of a visit, for orderings that keep an account.
struct Shares {
  bool first = true;         // v has just been crawled; false when links that were held back enter
  std::uint32_t held = 0;    // links that are now held back
  std::uint32_t away = 0;    // links whose share goes to another process
  std::uint32_t closed = 0;  // links that get nothing, now or later: to crawled pages, or rejected
  std::uint64_t queued = 0;  // uncrawled pages in the queue, including those that enter now
};

// A figure of an ordering that reports show.
struct Account {
  std::string_view name;
  double value = 0;
};

// The size of an ordering's growing graph.
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
  // Whether hints must be filled in, and whether crawled() needs the links.
  virtual bool wants_hints() const { return false; }
  virtual bool wants_links() const { return false; }

  // Whether the scores of a page's links follow from its Visit alone, so that another process of a fleet can
  // compute them from a message. If not, links that another process found enter as seeds of little weight.
  virtual bool travels() const { return !wants_links(); }

  // Called once for each seed, in the given order, before anything is crawled (in a live crawl, more may
  // follow).
  virtual Score seed(const Seed& seed) = 0;

  // v has been crawled. `all`: every distinct link of v, if wants_links().
  virtual void crawled(const Visit& /*visit*/, std::span<const PageId> /*all*/) {}
  // Sets the score of each link, in the order of out(v). A self-link is not included, since v is crawled. May
  // be called for links that will not enter, so it is const.
  virtual void give(const Visit& visit, std::span<OpenLink> links) const = 0;
  // These links have entered the queue with these scores, or were in it.
  virtual void given(const Visit& /*visit*/, std::span<const OpenLink> /*links*/, const Shares& /*shares*/) {}

  // Called after the seeds and after each given(): true if scores of pages beyond its links have changed. The
  // frontier then calls rescore(page, old score) for every uncrawled page and rebuilds the queue.
  virtual bool wants_rescore() { return false; }
  virtual Score rescore(PageId /*page*/, Score score) const { return score; }

  // Called before a page is handed out, with the best page of the queue, repeatedly until it returns false:
  // an ordering that moves scores between crawls (full RankMass) does one step and emits the new scores of
  // the uncrawled pages that changed.
  using Emit = std::function<void(PageId page, Score score)>;
  virtual bool advance(PageId /*best*/, Score /*score*/, const Emit& /*emit*/) { return false; }

  // Called when `page` is about to be handed out with its stored score. If it returns a lower score, the page
  // returns to the queue with it and the next best is looked for; otherwise the page is handed out.
  virtual Score confirm(PageId /*page*/, Score stored) { return stored; }

  // The score as a number for weighted sums: never negative, larger is better.
  virtual double merit(Score score) const { return score; }
  // The score of a page that is worth `factor` times as much; factor > 0. Larger factors give larger scores.
  virtual Score scaled(Score score, double factor) const {
    return score >= 0 ? score * factor : score / factor;
  }
  // The score of a page without its priority (priorities.h).
  virtual Score plain(PageId /*page*/, Score score) const { return score; }

  // Whether it computes ranks of all known pages, and the last one of a page; 0: it has none yet.
  virtual bool has_ranks() const { return false; }
  virtual double rank(PageId /*page*/) const { return 0; }
  // Recomputes the ranks now, if pages were crawled since it last did; then wants_rescore() is true. For a
  // crawl that goes on refreshing when there is nothing new: the next recomputation may be far away.
  virtual bool recompute_ranks() { return false; }

  virtual std::vector<Account> accounts() const { return {}; }
  // Memory used by the ordering itself, in addition to the item in the queue.
  virtual std::uint64_t bytes() const { return 0; }

  // The growing graph, for orderings that have one and can put it on disk: its memory limit, its size,
  // whether the limit can be kept, and errors since the last call.
  virtual void limit_graph(std::uint64_t /*bytes*/) {}
  virtual GraphUse graph_use() const { return {}; }
  virtual Status status() const { return {}; }
  virtual std::vector<std::string> take_troubles() { return {}; }

  // All state, so that a new object of the same spec continues exactly as before after load(). Orderings
  // without state need not override these.
  virtual void save(ByteWriter& /*out*/) const {}
  virtual void load(ByteReader& /*in*/) {}
};

}  // namespace bowerbird
