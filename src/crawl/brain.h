// The part of a crawl that decides, and that can be replayed: known URLs, frontier and ordering, distances
// from the seeds.
//
// Problem: after a crash the crawl must go on as if it had never stopped. Every call that moves this state is
// written to the journal with its arguments (time included) before it counts; the state is a function of
// those calls, so that a snapshot and the events behind it give it back exactly. In memory are, for each
// known page, its mark in the frontier, its host and its depth; fingerprints and texts may be on disk.
// Ownership: hosts, texts and store outlive it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/lazy_array.h"
#include "base/result.h"
#include "base/run_array.h"
#include "crawl/hosts.h"
#include "crawl/page_parser.h"
#include "crawl/share.h"
#include "frontier/frontier.h"
#include "policy/rankmass_bound.h"
#include "store/crawl_store.h"
#include "store/known_urls.h"
#include "store/url_texts.h"

namespace bowerbird {

struct BrainOptions {
  std::string policy = "fpr@100";
  std::string strategy = "all";
  std::uint64_t random_seed = 1;
  std::uint64_t expected_pages = 0;
  bool bound = false;  // keep the account of RankMass
  KnownUrlsOptions known;
  std::optional<Topic> topic = {};  // URLs that hold a word of it are told to the ordering
  std::uint64_t queue_bytes = 0;    // what the queue may take in memory; the rest of it goes to `spill`
  std::uint64_t graph_bytes = ~std::uint64_t{0};  // the same for the ordering's growing graph
  SpillStore* spill = nullptr;                    // outlives the brain
  ShareOptions share;
};

// The links of a page that was completed before: `row` counts completed pages, from 0. What a strategy asks
// for when a page that held links back is to give them, and an ordering when its own record of them is
// damaged.
using RowSource = std::function<Status(std::uint64_t row, PageLinks& links)>;

struct BrainSeed {
  PageId page = 0;
  double weight = 1;
  bool sitemap = false;
};

class Brain {
 public:
  // texts: of all pages that are interned, from the moment they are.
  static Result<std::unique_ptr<Brain>> make(const BrainOptions& options, HostTable& hosts, UrlSource& texts);

  // From here on URLs and calls are written there; null: nowhere.
  void record_to(CrawlStore* store);
  bool recording() const { return store_ != nullptr; }
  // Needed where the strategy holds links back (sydney, shallow).
  void read_rows_from(RowSource rows) { rows_ = std::move(rows); }

  // ---- URLs
  PageId pages() const { return known_.size(); }
  PageId find(std::uint64_t fingerprint) { return known_.find(fingerprint); }
  KnownUrls& known() { return known_; }
  const KnownUrls& known() const { return known_; }
  // The id of a canonical URL, new if need be.
  PageId intern(std::uint64_t fingerprint, std::string_view text, std::string_view host);
  PageId intern(std::string_view canonical);
  // Empty where the text cannot be read: then status() says why.
  std::string url(PageId page) const;
  std::string target(PageId page) const;  // its path and query
  HostId host(PageId page) const { return page_host_[page]; }
  std::uint32_t depth(PageId page) const { return depth_[page]; }
  bool is_left_out(PageId page) const { return depth_[page] == kLeftOutDepth; }
  // Whether a link to it was followed, and it was not left out since.
  bool belongs(PageId page) const { return depth_[page] < kLeftOutDepth; }
  // The URLs of the seeds there ever were, and of what they redirect to: by them the scope is made.
  std::vector<std::string> seed_urls() const;
  bool is_sitemap(PageId page) const { return sitemap_.contains(page); }
  std::uint32_t redirects(PageId page) const;
  std::uint32_t tries(PageId page) const;

  // ---- what is decided; all of it is recorded
  // Weights are shares of `total`, or of their own sum if that is 0.
  void seed(std::span<const BrainSeed> seeds, double total = 0);
  // Never a page to be visited again: those give their links here.
  std::optional<PageId> next(Time now);
  // failed: it was not fetched, and nothing of it is covered.
  void complete(PageId page, std::span<const StoredLink> links, bool on_topic = false, bool failed = false);
  // The page in flight does not belong to the crawl any more, and is as if no link to it was followed, until
  // a page is completed that has one.
  void leave_out(PageId page);
  // Links of a page that is done, which were left out then: they enter as seeds of little weight do. What
  // importance is has changed with them, so that the account of it is given up.
  void admit(PageId from, std::span<const StoredLink> links);
  // counted: the page was tried and failed; otherwise it merely was not its turn.
  void retry(PageId page, Time due, bool counted);
  void gate(HostId host, Time opens);

  // ---- where several processes share the crawl (brain_share.cc); null: alone. Recorded too.
  Share* share() { return share_.get(); }
  const Share* share() const { return share_.get(); }
  Place place(PageId page) { return share_ ? share_->place(page, host(page)) : Place::kHere; }
  // Links that others found; the parcel's number is the one that is due.
  void receive(const Parcel& parcel);
  // A partition comes, in these pieces. False where they make no sense together.
  bool adopt(std::span<const Parcel> pieces);
  // Partitions go, with all that is known of their pages; what is in flight among them is forgotten here.
  void give(std::span<const std::uint32_t> partitions);
  void cut();
  void confirm(const ParcelId& id);
  // What the process `member`, which is no more, had still to send: ours to send from now on.
  void absorb(const std::string& member, std::span<const Parcel> parcels);
  // Cross-over: a foreign page enters; false where there is none.
  bool cross();
  // A page of a crawl that is merged into this one: it stands so. Its links, if it has any, come next.
  void settle(PageId page, std::uint32_t depth, bool done, Score score);

  const Frontier& frontier() const { return *frontier_; }
  // What the queue may take from here on; only where it was limited from the start.
  void limit_queue(std::uint64_t bytes) {
    queue_bytes_ = bytes;
    frontier_->limit_queue(bytes);
  }
  // The same for the ordering's growing graph.
  void limit_graph(std::uint64_t bytes) { frontier_->policy().limit_graph(bytes); }
  // What went wrong with what lies on disk since the last call, and what was done about it.
  std::vector<std::string> take_troubles();
  const RankMassBound* bound() const { return bound_ ? bound_.get() : nullptr; }
  Time now() const { return now_; }
  // Memory by part.
  struct Bytes {
    std::uint64_t pages = 0;     // hosts and depths of pages, marks of the known ones
    std::uint64_t frontier = 0;  // with the ordering
    std::uint64_t ordering = 0;  // of that
    std::uint64_t bound = 0;
  };
  Bytes bytes() const;
  // The account of RankMass is given up: it takes memory, and changes nothing.
  void drop_bound() { bound_.reset(); }
  // An error of what is on disk: the crawl cannot go on.
  Status status() const { return status_.ok() ? known_.status() : status_; }

  // ---- state
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);
  // An event of the journal: true if it was one of these.
  Result<bool> replay(const Event& event);

  // Depths that are none: of a page to which no link was followed, and of one that was left out since.
  static constexpr std::uint32_t kUnknownDepth = 255;
  static constexpr std::uint32_t kLeftOutDepth = 254;

 private:
  Brain(HostTable& hosts, UrlSource& texts, const KnownUrlsOptions& known)
      : hosts_(hosts), texts_(texts), known_(known) {}
  void record(std::uint8_t type) {
    if (store_ != nullptr) store_->add_event(type, event_);
  }
  void discover(PageId from, const StoredLink& link);
  void take_followed(std::span<const StoredLink> links);
  Status read_crawled(std::uint64_t row, std::vector<PageId>& pages);
  void visit_again(PageId page);
  bool by_journal() const;
  Result<bool> replay_next(const Job& job);
  void take_links(const Parcel& parcel);
  Result<bool> replay_share(const Event& event);
  PageId take_url(const SentUrl& url);
  void enter(const Visit& visit, std::span<const Link> links);
  void seed_lightly(std::span<const SeedPage> seeds);
  SentUrl tell(PageId page) const;
  // The number of the page's directory. Pages are numbered in the order of their ids, whenever the first one
  // is asked for, so that a restored crawl has the same numbers.
  std::uint32_t directory(PageId page);

  HostTable& hosts_;
  UrlSource& texts_;
  CrawlStore* store_ = nullptr;
  KnownUrls known_;
  RunArray page_host_;
  mutable Status status_;
  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<RankMassBound> bound_;
  std::unique_ptr<Share> share_;
  std::uint64_t expected_pages_ = 0;
  LazyArray<std::uint8_t> depth_;                           // steps from a seed, at most 253
  std::unordered_map<PageId, std::uint8_t> redirect_hops_;  // of pages found by a redirect
  std::unordered_map<PageId, std::uint8_t> tries_;          // of pages that failed before
  std::unordered_map<PageId, char> sitemap_;
  std::vector<std::uint32_t> directory_;                          // by page, as far as asked for
  std::unordered_map<std::uint64_t, std::uint32_t> directories_;  // by hash of scheme, host and path
  Time now_ = 0;
  bool on_topic_next_ = false;  // replay: of the next links
  bool failed_next_ = false;
  PageId settled_ = kNoPage;  // its links come next, and change nothing any more
  std::optional<Topic> topic_;
  std::string event_;
  std::vector<Link> links_;
  std::vector<PageId> targets_;
  RowSource rows_;
  PageLinks row_;
  std::vector<std::string> troubles_;
  std::uint64_t queue_bytes_ = 0;
  bool by_journal_ = false;  // a replay takes the pages that the journal names, whatever their order
};

}  // namespace bowerbird
