// The part of a crawl that decides, and that can be replayed: known URLs, frontier and ordering, distances
// from the seeds.
//
// Problem: after a crash the crawl must go on as if it had never stopped. Every call that moves this state is
// written to the journal with its arguments (time included) before it counts; the state is a function of
// those calls, so that a snapshot and the events behind it give it back exactly. Ownership: hosts and store
// outlive it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "crawl/hosts.h"
#include "crawl/page_parser.h"
#include "frontier/frontier.h"
#include "policy/rankmass_bound.h"
#include "store/crawl_store.h"
#include "url/url_table.h"

namespace bowerbird {

struct BrainOptions {
  std::string policy = "fpr@100";
  std::string strategy = "all";
  std::uint64_t random_seed = 1;
  std::uint64_t expected_pages = 0;
  bool bound = false;  // keep the account of RankMass
};

struct BrainSeed {
  PageId page = 0;
  double weight = 1;
  bool sitemap = false;
};

class Brain {
 public:
  static Result<std::unique_ptr<Brain>> make(const BrainOptions& options, HostTable& hosts);

  // From here on URLs and calls are written there; null: nowhere.
  void record_to(CrawlStore* store) { store_ = store; }

  // ---- URLs
  PageId find(std::uint64_t fingerprint) const { return urls_.find(fingerprint); }
  const UrlTable& urls() const { return urls_; }
  // The id of a canonical URL, new if need be.
  PageId intern(std::uint64_t fingerprint, std::string_view text, std::string_view host, bool https,
                std::string_view target);
  PageId intern(std::string_view canonical);
  std::string url(PageId page) const;
  HostId host(PageId page) const { return urls_.host(page); }
  std::uint32_t depth(PageId page) const { return depth_[page]; }
  bool is_sitemap(PageId page) const { return sitemap_.contains(page); }
  std::uint32_t redirects(PageId page) const;
  std::uint32_t tries(PageId page) const;

  // ---- what is decided; all of it is recorded
  void seed(std::span<const BrainSeed> seeds);
  std::optional<Job> next(Time now);
  void complete(PageId page, std::span<const StoredLink> links);
  // counted: the page was tried and failed; otherwise it merely was not its turn.
  void retry(PageId page, Time due, bool counted);
  void gate(HostId host, Time opens);

  const Frontier& frontier() const { return *frontier_; }
  const RankMassBound* bound() const { return bound_ ? bound_.get() : nullptr; }
  Time now() const { return now_; }
  std::uint64_t bytes() const;

  // ---- state
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);
  // An event of the journal: true if it was one of these.
  Result<bool> replay(const Event& event);

  static constexpr std::uint32_t kUnknownDepth = 255;

 private:
  explicit Brain(HostTable& hosts) : hosts_(hosts) {}
  void record(std::uint8_t type) {
    if (store_ != nullptr) store_->add_event(type, event_);
  }
  void discover(PageId from, const StoredLink& link);
  // The number of the page's directory. Pages are numbered in the order of their ids, whenever the first one
  // is asked for, so that a restored crawl has the same numbers.
  std::uint32_t directory(PageId page);

  HostTable& hosts_;
  CrawlStore* store_ = nullptr;
  UrlTable urls_;
  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<RankMassBound> bound_;
  std::vector<std::uint8_t> depth_;                         // steps from a seed, at most 254
  std::unordered_map<PageId, std::uint8_t> redirect_hops_;  // of pages found by a redirect
  std::unordered_map<PageId, std::uint8_t> tries_;          // of pages that failed before
  std::unordered_map<PageId, char> sitemap_;
  std::vector<std::uint32_t> directory_;                          // by page, as far as asked for
  std::unordered_map<std::uint64_t, std::uint32_t> directories_;  // by hash of scheme, host and path
  Time now_ = 0;
  std::string event_;
  std::vector<Link> links_;
  std::vector<PageId> targets_;
};

}  // namespace bowerbird
