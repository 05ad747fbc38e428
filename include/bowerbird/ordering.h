// Interface for your own ordering, which says how important discovered pages are. Header only, so a
// plug-in links to nothing.
//
// The frontier takes the uncrawled page with the largest score, and among equals the one found first. It
// stores the score of an uncrawled page and passes it back with each further link to that page, so an
// ordering that needs one number per page stores nothing. For each crawled page it calls crawled(), then
// score() for the links to uncrawled pages. With the same calls in the same order, an ordering must
// return the same scores. A score must not be NaN. Threads: an object is used by one thread at a time;
// several objects may be used at the same time.
//
// A plug-in is a shared library with one line: BOWERBIRD_PLUGIN({"mine", "one line about it",
// make_mine}). Build it with -fPIC -shared; use it with `bowerbird lab --plugin ./mine.so` or `bowerbird
// crawl --plugin ./mine.so`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bowerbird/version.h"

BOWERBIRD_BEGIN

// The page that is being crawled.
struct Visit {
  std::uint32_t page = 0;
  std::uint32_t links = 0;       // distinct links, including those to crawled pages
  std::uint32_t other_host = 0;  // links to other hosts
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  double score = 0;
  std::uint64_t crawled = 0;  // pages crawled so far, including this one
  std::uint64_t known = 0;    // pages discovered so far, without this page's links
};

// A link from that page to a page that is not crawled yet.
struct Link {
  std::uint32_t page = 0;
  std::uint32_t discovered = 0;  // number of pages discovered before this one
  double score = 0;              // in: the score so far (0 if new); out: the new score
  bool is_new = false;           // the page is discovered by this link
  bool other_host = false;
};

// Information for an ordering when it is created.
struct OrderingContext {
  std::uint64_t expected_pages = 0;  // page budget; lab: reachable pages; 0: unknown
  std::uint64_t random_seed = 1;
  std::string parameters;  // "2" for `mine@2`, "k=50,x=1" for `mine:k=50,x=1`
  std::function<std::uint32_t(std::uint32_t page)> host_of;  // host of a discovered page; empty: unknown
};

class Ordering {
 public:
  virtual ~Ordering() = default;

  // The first score of a seed. share: its weight relative to the sum of all seeds.
  virtual double seed(std::uint32_t page, double share) = 0;
  // Sets the score of each link; links are in their order on the page. May be called for links that do
  // not enter the queue, so it must not change the ordering.
  virtual void score(const Visit& visit, std::span<Link> links) const = 0;

  // The page was crawled. links: all its distinct links, if wants_links().
  virtual void crawled(const Visit& /*visit*/, std::span<const std::uint32_t> /*links*/) {}
  virtual bool wants_links() const { return false; }

  // Called after each crawled page: whether scores of pages other than its links have changed. If so,
  // rescore() is called for every uncrawled page.
  virtual bool wants_rescore() { return false; }
  virtual double rescore(std::uint32_t /*page*/, double score) const { return score; }

  // The complete state of the ordering, for crawls that are resumed. An ordering with its own state must
  // override both. load() returns false if the bytes are invalid.
  virtual void save(std::string& /*bytes*/) const {}
  virtual bool load(std::string_view bytes) { return bytes.empty(); }
  virtual std::uint64_t bytes() const { return 0; }  // memory of its own
};

struct OrderingEntry {
  const char* name;     // for --policies and --policy: letters, digits and hyphens
  const char* summary;  // one line
  // Throws std::exception if the parameters are invalid.
  std::unique_ptr<Ordering> (*make)(const OrderingContext& context);
};

struct Plugin {
  std::uint32_t interface;      // BOWERBIRD_INTERFACE; the first field in every version
  std::uint32_t context_bytes;  // sizes of the structs that are passed, as an additional check
  std::uint32_t link_bytes;
  std::uint32_t visit_bytes;
  const OrderingEntry* orderings;
  std::size_t count;
};

BOWERBIRD_END

#define BOWERBIRD_PLUGIN(...)                                                                           \
  extern "C" __attribute__((visibility("default"))) const ::bowerbird::v1::Plugin* bowerbird_plugin() { \
    static const ::bowerbird::v1::OrderingEntry entries[] = {__VA_ARGS__};                              \
    static const ::bowerbird::v1::Plugin plugin = {BOWERBIRD_INTERFACE,                                 \
                                                   sizeof(::bowerbird::v1::OrderingContext),            \
                                                   sizeof(::bowerbird::v1::Link),                       \
                                                   sizeof(::bowerbird::v1::Visit),                      \
                                                   entries,                                             \
                                                   sizeof entries / sizeof entries[0]};                 \
    return &plugin;                                                                                     \
  }
