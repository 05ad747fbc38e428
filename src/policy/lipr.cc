// Learned imputed PageRank: the importance that a page will have once more of the web is known.
//
// Imputation: an uncrawled page is assumed to link like the average crawled page of its host, so that
// PageRank of the known graph (policy/lipr_recomputation.h) is not distorted by pages whose links are
// unknown.
//
// Siblings: pages that the same page revealed tend to be of equal worth. The mean rank of the crawled ones
// predicts that of the others. If there are few, it is shrunk towards that of cousins, of the host, of all
// pages. The same holds for pages of one directory, if URLs are known.
//
// Learned gain: the features of a page when it is taken predict how much its rank will still grow. A ridge
// regression (policy/lipr_samples.h), refitted during the crawl, adds that gain, and a small bonus for its
// variance, since a page that may be very good is worth fetching.
//
// Discovery: if siblings revealed many pages, this one may too, and the best pages may be unknown yet.
//
// Ranks, levels and weights are recomputed whenever the crawl has grown by a fifth (by a half, once it is
// large). All recomputations together then cost six times (three times) the last one, so the work is
// proportional to the links. In between, each crawled page adds its share to the rank of its links. A score
// is a logarithm, and may fall while a page waits. So it is recomputed when the page is about to be handed
// out, and a page that has lost more than 0.05 returns to the queue.
//
// No paper: docs/lipr.md.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/rng.h"
#include "graph/link_log.h"
#include "policy/graph_rows.h"
#include "policy/lipr_known.h"
#include "policy/lipr_recomputation.h"
#include "policy/lipr_samples.h"
#include "policy/orderings.h"
#include "policy/reported_score.h"

namespace bowerbird {

namespace {

using lipr::kNoNode;
using lipr::KnownPage;
using lipr::Node;

constexpr double kTolerated = 0.05;
constexpr double kMostSpread = 4;
constexpr double kMostSent = 12;  // absolute value of the score of another process's page
// In larger crawls recomputations are rarer and shorter, because each costs more than it gains.
constexpr std::uint64_t kLarge = 500'000;
constexpr double kLargeGrowth = 1.5;
constexpr unsigned kLargeIterations = 3;
constexpr std::size_t kAhead = 16;  // links whose pages are prefetched
// The expected gain before anything has been learned.
constexpr lipr::Vector kPrior = {0, -.2, .2, 0, 0, -.15, .35, 0, .1, .3};

struct LiprOptions {
  std::uint64_t first = 128;  // pages before the first recomputation; also the minimum between two
  double growth = 1.2;        // growth of the crawl between recomputations
  unsigned iterations = 5;    // per recomputation
  std::uint64_t samples = 200'000;
  double spread = 0.25;  // weight of the expected square in the score
  double bonus = 0.1;    // for the first of many uncrawled siblings
  double reveals = 0.2;  // for pages that may reveal many others
  bool learn = true;
  bool hosts = true;
  bool groups = true;
  bool taken = true;
  lipr::Vector prior = kPrior;
  std::uint64_t seed = 1;  // for sampling snapshots
  lipr::RecomputationOptions recomputation;
};

class Lipr final : public Policy {
 public:
  Lipr(const LiprOptions& options, const PolicyContext& context)
      : options_(options),
        known_(options.hosts ? context.hosts : HostOf(), options.groups ? context.groups : GroupOf(),
               options.taken),
        log_({context.spill, context.graph_bytes}),
        rows_(context.rows),
        recomputation_(options.recomputation),
        samples_(options.samples) {
    model_.gain = options.prior;
    next_recomputation_ = options.first;
  }

  bool wants_links() const override { return true; }
  bool travels() const override { return true; }

  Score seed(const Seed& seed) override {
    Node node = known_.node(seed.page);
    if (node == kNoNode) {
      node = known_.add(seed.page, kNoNode, seed.light ? std::max(base_, seed.share) : 1);
    }
    return seed.light ? score(node) : kSeedScore;
  }

  void crawled(const Visit& visit, std::span<const PageId> all) override {
    Node node = known_.node(visit.page);
    if (node == kNoNode) node = known_.add(visit.page, kNoNode, base_);  // it arrived with its score
    if (options_.learn && !known_[node].is_seed()) samples_.note(known_, node, true);
    known_.crawl(node, static_cast<std::uint32_t>(all.size()));
    pass_on(node, all);
    known_.count_revealed(node);
    scored_for_ = visit.page;
    log_.append(node, row_);
    if (known_.crawled() >= next_recomputation_) recompute();
  }

  void give(const Visit& visit, std::span<OpenLink> links) const override {
    if (visit.received) {
      const double passed = passed_on(visit) / known_.pages_ranked();
      for (OpenLink& link : links) link.score = score_with(link, passed);
      return;
    }
    std::size_t at = 0;
    for (OpenLink& link : links) {
      if (visit.page == scored_for_) {
        while (scored_[at].page != link.page) ++at;
        link.score = scored_[at].score;
      } else {
        link.score = score(known_.node(link.page));
      }
    }
  }

  void given(const Visit& visit, std::span<const OpenLink> links, const Shares&) override {
    if (!visit.received) return;
    const double passed = passed_on(visit);
    for (const OpenLink& link : links) {
      Node node = known_.node(link.page);
      if (node == kNoNode) node = known_.add(link.page, kNoNode, base_);
      KnownPage& page = known_[node];
      if (page.crawled()) continue;
      page = with(page, link, passed / known_.pages_ranked());
      inflow_.push_back({node, static_cast<float>(passed)});
    }
  }

  bool wants_rescore() override { return std::exchange(recomputed_, false); }
  Score rescore(PageId page, Score stored) const override {
    const Node node = known_.node(page);
    return node == kNoNode ? stored : score(node);
  }
  Score confirm(PageId page, Score stored) override {
    if (stored == kSeedScore) return stored;
    const Score now = rescore(page, stored);
    return now < stored - kTolerated ? now : stored;
  }

  bool has_ranks() const override { return true; }
  double rank(PageId page) const override {
    const Node node = known_.node(page);
    return node == kNoNode ? 0 : known_[node].rank;
  }
  bool recompute_ranks() override {
    if (known_.crawled() == last_recomputation_) return false;
    recompute();
    return true;
  }

  std::vector<Account> accounts() const override {
    return {{"recomputations", static_cast<double>(recomputations_)},
            {"recomputed_links", static_cast<double>(recomputed_links_)},
            {"samples", static_cast<double>(samples_.size())},
            {"state_bytes", static_cast<double>(known_.bytes() + recomputation_.bytes())},
            {"graph_bytes", static_cast<double>(log_.use().memory)},
            {"graph_disk_bytes", static_cast<double>(log_.use().disk)}};
  }
  double merit(Score score) const override { return std::exp(std::min(score, 30.0)); }
  // Seeds come first in any case.
  Score scaled(Score score, double factor) const override {
    return score == kSeedScore ? score : score + std::log(factor);
  }
  std::uint64_t bytes() const override {
    return known_.bytes() + log_.bytes() + recomputation_.bytes() + samples_.bytes() +
           scored_.capacity() * sizeof(Scored) + row_.capacity() * sizeof(Node) +
           inflow_.capacity() * sizeof(lipr::Inflow);
  }
  void limit_graph(std::uint64_t bytes) override { log_.limit(bytes); }
  GraphUse graph_use() const override { return graph_use_of(log_); }
  Status status() const override { return log_.status(); }
  std::vector<std::string> take_troubles() override { return log_.take_troubles(); }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  struct Scored {
    PageId page;
    Score score;
  };

  Score score(Node node) const { return score(known_[node], node); }
  Score score(const KnownPage& page, Node node) const;
  Score score_with(const OpenLink& link, double passed) const;
  static KnownPage with(KnownPage page, const OpenLink& link, double passed);
  static double passed_on(const Visit& visit);
  void merge_inflow();
  void pass_on(Node from, std::span<const PageId> links);
  void fetch(std::span<const PageId> links);
  void fetch_parent(Node node) const;
  void recompute();
  void note_open_pages();

  LiprOptions options_;
  lipr::Known known_;
  LinkLog log_;
  CrawledRows rows_;
  lipr::Recomputation recomputation_;
  lipr::Samples samples_;
  lipr::Model model_;
  // by node: one entry per node up to the last recomputation, then in order of arrival
  std::vector<lipr::Inflow> inflow_;
  double base_ = 0;  // rank of a page when it is revealed
  std::uint64_t next_recomputation_ = 0;
  std::uint64_t last_recomputation_ = 0;
  std::uint64_t recomputations_ = 0;
  std::uint64_t recomputed_links_ = 0;  // read by all recomputations together
  bool recomputed_ = false;

  // The links of the page last crawled, and the scores that it gives to uncrawled pages.
  std::vector<Node> row_;
  std::vector<Scored> scored_;
  PageId scored_for_ = kNoPage;
};

// The worth of each link of another process's page, as a multiple of the mean rank. That page's score
// predicts its worth once more is known.
double Lipr::passed_on(const Visit& visit) {
  const double rank =
      visit.score == kSeedScore ? 1 : std::exp(std::clamp(visit.score, -kMostSent, kMostSent));
  return kDamping * rank / std::max(1u, visit.links);
}

// The page after such a link was added.
KnownPage Lipr::with(KnownPage page, const OpenLink& link, double passed) {
  ++page.seen;
  page.across += link.other_host ? 1 : 0;
  page.rank += static_cast<float>(passed);
  return page;
}

Score Lipr::score_with(const OpenLink& link, double passed) const {
  const Node node = known_.node(link.page);
  const KnownPage page = node == kNoNode ? known_.as_new(link.page, kNoNode, base_) : known_[node];
  return score(with(page, link, passed), node);
}

Score Lipr::score(const KnownPage& page, Node node) const {
  if (recomputations_ == 0) return known_.log_rank(page);
  const lipr::Vector x = known_.features(page, node);
  const double spread = std::clamp(lipr::dot(model_.spread, x), 0.0, kMostSpread);
  const Score score = x[lipr::kRank] + lipr::dot(model_.gain, x) + options_.spread * spread;
  if (page.is_seed()) return score;
  const KnownPage& parent = known_[page.parent];
  const std::uint32_t open = parent.open_children();
  return score + options_.bonus * std::log(std::max(1u, open)) / (1 + parent.revealed_crawled) +
         options_.reveals * known_.may_reveal(page);
}

// Puts the nodes of the known links into row_, and prefetches them.
void Lipr::fetch(std::span<const PageId> links) {
  row_.resize(links.size());
  for (std::size_t i = 0; i < std::min(kAhead, links.size()); ++i) known_.prefetch_node(links[i]);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i + kAhead < links.size()) known_.prefetch_node(links[i + kAhead]);
    row_[i] = known_.node(links[i]);
    if (row_[i] != kNoNode) known_.prefetch(row_[i]);
  }
}

void Lipr::fetch_parent(Node node) const {
  if (node == kNoNode || known_[node].crawled() || known_[node].is_seed()) return;
  known_.prefetch(known_[node].parent);
}

// Links are applied one by one, so that a page's score counts the siblings found before it.
void Lipr::pass_on(Node from, std::span<const PageId> links) {
  const double share = kDamping * known_[from].rank / std::max(1.0, static_cast<double>(links.size()));
  const HostId host = known_[from].host;
  scored_.clear();
  fetch(links);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i + kAhead < links.size()) fetch_parent(row_[i + kAhead]);
    Node& node = row_[i];
    if (node == kNoNode) {
      node = known_.add(links[i], from, base_);
      ++known_[from].revealed;
    }
    KnownPage& to = known_[node];
    if (to.crawled()) continue;
    ++to.seen;
    to.across += to.host != host ? 1 : 0;
    to.rank += static_cast<float>(share);
    scored_.push_back({links[i], score(node)});
  }
}

void Lipr::recompute() {
  const std::uint64_t crawled = known_.crawled();
  const bool large = crawled >= kLarge;
  const double growth = large ? std::max(options_.growth, kLargeGrowth) : options_.growth;
  const unsigned iterations = large ? std::min(options_.iterations, kLargeIterations) : options_.iterations;
  next_recomputation_ =
      std::max(crawled + options_.first, static_cast<std::uint64_t>(growth * static_cast<double>(crawled)));
  merge_inflow();
  base_ = recomputation_.run(iterations, known_, log_, inflow_,
                             node_rows(rows_, [this](PageId page) { return known_.node(page); }));
  recomputed_links_ += log_.links() * iterations;
  if (options_.learn) {
    model_ = samples_.fit(known_, options_.prior);
    note_open_pages();
  }
  last_recomputation_ = crawled;
  ++recomputations_;
  recomputed_ = true;
}

// Merges the inflow, so that it takes 8 bytes for each page that other processes link to.
void Lipr::merge_inflow() {
  std::stable_sort(inflow_.begin(), inflow_.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < inflow_.size(); ++i) {
    if (inflow_[i].node == inflow_[last].node) {
      inflow_[last].rank += inflow_[i].rank;
    } else {
      inflow_[++last] = inflow_[i];
    }
  }
  if (!inflow_.empty()) inflow_.resize(last + 1);
}

// Samples about as many uncrawled pages as were crawled since the last recomputation.
void Lipr::note_open_pages() {
  const std::uint64_t crawled = known_.crawled();
  const double open = static_cast<double>(known_.nodes() - crawled);
  const double chance = static_cast<double>(crawled - last_recomputation_) / std::max(1.0, open);
  const std::uint64_t stream = draw(options_.seed, recomputations_);
  for (Node node = 0; node < known_.nodes(); ++node) {
    if (known_[node].crawled() || known_[node].is_seed()) continue;
    if (to_unit(draw(stream, node)) < chance) samples_.note(known_, node, false);
  }
}

void Lipr::save(ByteWriter& out) const {
  known_.save(out);
  log_.save(out);
  samples_.save(out);
  out.put_array(inflow_);
  out.put(model_);
  out.put(base_);
  out.put(next_recomputation_);
  out.put(last_recomputation_);
  out.put(recomputations_);
  out.put(recomputed_links_);
}

void Lipr::load(ByteReader& in) {
  known_.load(in);
  log_.load(in, known_.nodes());
  samples_.load(in, known_.nodes());
  in.get_array(inflow_);
  in.get(model_);
  in.get(base_);
  in.get(next_recomputation_);
  in.get(last_recomputation_);
  in.get(recomputations_);
  in.get(recomputed_links_);
  if (recomputations_ > 0) recomputation_.go_on();
  const auto finite = [](double x) { return std::isfinite(x); };
  const bool good = std::all_of(model_.gain.begin(), model_.gain.end(), finite) &&
                    std::all_of(model_.spread.begin(), model_.spread.end(), finite) && finite(base_);
  const bool sound = std::all_of(inflow_.begin(), inflow_.end(), [&](const lipr::Inflow& one) {
    return one.node < known_.nodes() && std::isfinite(one.rank);
  });
  if (!good || !sound || log_.rows() != known_.crawled()) in.reject();
}

// `without=hosts+bonus`: parts to leave out, to measure what they contribute.
Status leave_out(std::string_view list, LiprOptions& options) {
  while (!list.empty()) {
    const std::size_t plus = list.find('+');
    const std::string_view part = list.substr(0, plus);
    list = plus == std::string_view::npos ? std::string_view() : list.substr(plus + 1);
    if (part == "imputation") {
      options.recomputation.impute = false;
    } else if (part == "levels") {
      options.recomputation.levels = false;
    } else if (part == "learning") {
      options.learn = false;
    } else if (part == "hosts") {
      options.hosts = false;
    } else if (part == "directories") {
      options.groups = false;
    } else if (part == "prior") {
      options.prior = {};
    } else if (part == "spread") {
      options.spread = 0;
    } else if (part == "taken") {
      options.taken = false;
    } else if (part == "bonus") {
      options.bonus = 0;
    } else if (part == "reveals") {
      options.reveals = 0;
    } else {
      return error(
          "lipr: without={}: choose from: imputation, levels, learning, hosts, directories, prior, spread, "
          "taken, bonus and reveals",
          part);
    }
  }
  return {};
}

}  // namespace

MadePolicy make_lipr(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  LiprOptions options;
  options.first = reader.count("first").value_or(options.first);
  options.growth = reader.number("growth", 1.01, 100).value_or(options.growth);
  options.samples = reader.count("samples", 1000).value_or(options.samples);
  options.iterations =
      static_cast<unsigned>(reader.number("iterations", 1, 100).value_or(options.iterations));
  options.recomputation.threads = context.threads;
  options.seed = context.seed;
  BB_TRY_VOID(leave_out(reader.text("without").value_or(""), options));
  BB_TRY_VOID(reader.finish());
  return made<Lipr>(options, context);
}

}  // namespace bowerbird
