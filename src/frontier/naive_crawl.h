// For tests: every ordering and strategy, implemented straight from its definition with flat arrays and
// searches over all pages. Slow and obvious, to compare the real ones with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "frontier/crawl_testing.h"
#include "policy/mass.h"

namespace bowerbird::naive {

using testing_web::TestWeb;

// The state of a crawl that orderings can read.
struct World {
  const TestWeb* web = nullptr;
  std::vector<PageId> seeds;
  double expected = 0;
  std::vector<int> number;  // discovery number, -1 = undiscovered
  std::vector<bool> crawled;
  std::vector<PageId> order;  // of the crawl
  std::vector<double> score;  // of discovered pages
  std::size_t O(PageId v) const { return web->out[v].size(); }
  double k() const { return std::max(1.0, std::floor(expected / 40)); }
};

// The page v at the moment of its crawl.
struct Moment {
  PageId page = 0;
  double score = 0;
  double links = 0, inter = 0;
  double crawled = 0;
};

class Ordering {
 public:
  virtual ~Ordering() = default;
  virtual bool judges() const { return true; }
  virtual double seed(const World& world, PageId page) = 0;
  virtual double give(const World& world, const Moment& v, PageId u, bool is_new, double old) const = 0;
  // After a page was crawled and its links entered; may change any score.
  virtual void after(World& /*world*/, const Moment& /*v*/) {}
  // Before a page is chosen.
  virtual void before(World& /*world*/) {}
};

class Bfs : public Ordering {
 public:
  bool judges() const override { return false; }
  double seed(const World& w, PageId p) override { return -w.number[p]; }
  double give(const World& w, const Moment&, PageId u, bool, double) const override { return -w.number[u]; }
};

class Dfs : public Ordering {
 public:
  bool judges() const override { return false; }
  double seed(const World& w, PageId p) override { return -w.number[p]; }
  double give(const World& w, const Moment&, PageId u, bool is_new, double old) const override {
    return is_new ? 1 + w.number[u] : old;
  }
};

class Backlink : public Ordering {
 public:
  double seed(const World&, PageId) override { return 0; }
  double give(const World&, const Moment&, PageId, bool is_new, double old) const override {
    return is_new ? 1 : old + 1;
  }
};

class Location : public Ordering {
 public:
  double seed(const World& w, PageId p) override { return w.web->hints(p).location; }
  double give(const World& w, const Moment&, PageId u, bool, double) const override {
    return w.web->hints(u).location;
  }
};

class Omniscient : public Ordering {
 public:
  double seed(const World& w, PageId p) override { return w.web->truth()[p]; }
  double give(const World& w, const Moment&, PageId u, bool, double) const override {
    return w.web->truth()[u];
  }
};

class Opic : public Ordering {
 public:
  double seed(const World&, PageId) override { return 1; }
  double give(const World&, const Moment& v, PageId, bool is_new, double old) const override {
    return is_new ? 1 + v.score / v.links : old + v.score / v.links;
  }
};

// Scores are negated distances.
class Fica : public Ordering {
 public:
  double seed(const World&, PageId) override { return 0; }
  double give(const World& w, const Moment& v, PageId, bool is_new, double old) const override {
    const double through = std::log10(v.links) + 0.5 * -v.score;
    const double alpha = std::exp(-0.1 * std::floor(v.crawled / w.k()));
    return is_new ? -through : -((1 - alpha) * -old + alpha * through);
  }
};

class Ieca : public Ordering {
 public:
  double seed(const World&, PageId) override { return -0.3; }
  double give(const World& w, const Moment& v, PageId, bool is_new, double old) const override {
    const double x = -v.score;
    double delta = 0.35;
    for (int i = 1; i <= v.crawled; ++i) {
      const double c = i;
      if (std::fmod(c, w.k()) == 0) delta = 0.35 - 0.28 * c / w.expected;
    }
    if (is_new) return -((1 - delta) * x + std::log10(v.links));
    const double alpha = std::exp(-0.1 * std::floor(v.crawled / w.k()));
    const double d = -old;
    double f = 0;
    if (x != 0) f = (d > 0) == (x > 0) ? d / x : (d - x) / std::fabs(x);
    const double log_term = f > 0 ? std::log10(f) : 0;
    return -((1 - delta) * ((1 - alpha) * d + alpha * ((1 - delta) * x + std::log10(v.links))) -
             delta * log_term);
  }
};

// Masses as in the product, to compare orders exactly.
class Fpr : public Ordering {
 public:
  explicit Fpr(double m) : m_(m) {}
  double seed(const World& w, PageId) override {
    return mass::from_value((1 - 0.85) * (1 / static_cast<double>(w.seeds.size())));
  }
  double give(const World& w, const Moment& v, PageId u, bool is_new, double old) const override {
    const bool inter = w.web->host_of(u) != w.web->host_of(v.page);
    const double total = (v.links - v.inter) + m_ * v.inter;
    const double share = mass::times(v.score, (inter ? 0.85 * m_ : 0.85) / total);
    return is_new ? share : mass::plus(old, share);
  }

 private:
  double m_;
};

// Masses as plain numbers, to compare choices: log2, so that they are comparable with the product's.
class PlainFpr : public Ordering {
 public:
  explicit PlainFpr(double m) : m_(m) {}
  double seed(const World& w, PageId) override { return 0.15 / static_cast<double>(w.seeds.size()); }
  double give(const World& w, const Moment& v, PageId u, bool is_new, double old) const override {
    const bool inter = w.web->host_of(u) != w.web->host_of(v.page);
    const double total = (v.links - v.inter) + m_ * v.inter;
    return (is_new ? 0 : old) + 0.85 * v.score / total * (inter ? m_ : 1);
  }

 private:
  double m_;
};

// PageRank on the known graph, by its definition. By page; 0 for unknown ones.
inline std::vector<double> known_pagerank(const World& w) {
  std::vector<bool> known(w.web->pages());
  for (const PageId p : w.seeds) known[p] = true;
  for (const PageId v : w.order) {
    for (const PageId u : w.web->out[v]) known[u] = true;
  }
  const auto n = static_cast<double>(std::count(known.begin(), known.end(), true));
  std::vector<double> r(known.size());
  for (PageId p = 0; p < r.size(); ++p) r[p] = known[p] ? 1 / n : 0;
  for (int i = 0; i < 100; ++i) {
    double dangling = 0;
    for (PageId p = 0; p < r.size(); ++p) dangling += !w.crawled[p] || w.O(p) == 0 ? r[p] : 0;
    std::vector<double> next(r.size());
    for (PageId p = 0; p < r.size(); ++p) next[p] = known[p] ? 0.15 / n + 0.85 * dangling / n : 0;
    for (const PageId v : w.order) {
      for (const PageId u : w.web->out[v]) next[u] += 0.85 * r[v] / static_cast<double>(w.O(v));
    }
    r = next;
  }
  return r;
}

class PageRankOrdering : public Ordering {
 public:
  explicit PageRankOrdering(bool partial) : partial_(partial) {}
  double seed(const World&, PageId) override { return 0; }
  double give(const World&, const Moment& v, PageId, bool is_new, double old) const override {
    const double gain = partial_ && !r_.empty() ? r_[v.page] / v.links : 0;
    return is_new ? gain : old + gain;
  }
  void after(World& w, const Moment& v) override {
    if (std::fmod(v.crawled, w.k()) != 0) return;
    r_ = known_pagerank(w);
    for (PageId p = 0; p < w.web->pages(); ++p) {
      if (w.number[p] >= 0) w.score[p] = r_[p];
    }
  }

 private:
  bool partial_;
  std::vector<double> r_;
};

// held: a mass by page.
class RankMassBase : public Ordering {
 public:
  double seed(const World& w, PageId p) override {
    held.resize(w.web->pages(), mass::kZero);
    held[p] = mass::from_value((1 - 0.85) * (1 / static_cast<double>(w.seeds.size())));
    return held[p];
  }
  double give(const World&, const Moment&, PageId u, bool, double) const override { return held[u]; }
  void pass(const World& w, PageId v) {
    const double x = held[v];
    held[v] = mass::kZero;
    total += mass::to_value(x);
    for (const PageId u : w.web->out[v]) {
      held[u] = mass::plus(held[u], mass::times(x, 0.85 / static_cast<double>(w.O(v))));
    }
  }
  void show(World& w) const {
    for (PageId p = 0; p < w.web->pages(); ++p) w.score[p] = held[p];
  }
  std::vector<double> held;
  double total = 0;
};

class RankMass : public RankMassBase {
 public:
  void after(World& w, const Moment& v) override {
    pass(w, v.page);
    show(w);
  }
  void before(World& w) override {
    for (;;) {
      PageId best = kNoPage;
      for (PageId p = 0; p < w.web->pages(); ++p) {
        if (w.number[p] < 0 || (w.crawled[p] && !(held[p] > mass::from_value(1e-15)))) continue;
        if (best == kNoPage || held[p] > held[best] ||
            (held[p] == held[best] && w.number[p] < w.number[best])) {
          best = p;
        }
      }
      bool left = false;
      for (PageId p = 0; p < w.web->pages(); ++p) left |= w.number[p] >= 0 && !w.crawled[p];
      if (!left || best == kNoPage || !w.crawled[best]) return show(w);
      pass(w, best);
    }
  }
};

class WindowedRankMass : public RankMassBase {
 public:
  explicit WindowedRankMass(double percent) : percent_(percent) {}
  void after(World& w, const Moment& v) override {
    if (left_ < 0) left_ = static_cast<double>(w.seeds.size());
    if (--left_ > 0) return;
    for (const PageId p : w.order) pass(w, p);
    show(w);
    double queue = 0;
    for (PageId p = 0; p < w.web->pages(); ++p) queue += w.number[p] >= 0 && !w.crawled[p] ? 1 : 0;
    left_ = std::min(std::max(1.0, std::floor(percent_ / 100 * v.crawled)), queue);
  }

 private:
  double percent_;
  double left_ = -1;
};

// The two queues of [004] over an ordering whose scores are small integers. Hot pages are found by going
// through the crawl from its beginning.
class Similar : public Ordering {
 public:
  Similar(std::shared_ptr<Ordering> order, double within) : order_(std::move(order)), within_(within) {}
  double seed(const World& w, PageId p) override { return order_->seed(w, p) + raise(w, p); }
  double give(const World& w, const Moment& v, PageId u, bool is_new, double old) const override {
    Moment inside = v;
    inside.score -= v.score > kHot / 2 ? kHot : 0;
    return order_->give(w, inside, u, is_new, old - (old > kHot / 2 ? kHot : 0)) + raise(w, u);
  }

 private:
  static constexpr double kHot = 1e6;

  double raise(const World& w, PageId u) const {
    bool hot = w.web->hints(u).on_topic;
    std::vector<double> distance(w.web->pages(), std::numeric_limits<double>::infinity());
    std::vector<bool> crawled(w.web->pages());
    for (const PageId v : w.order) {
      crawled[v] = true;
      if (w.web->on_topic(v)) distance[v] = 0;
      for (const PageId to : w.web->out[v]) {
        if (crawled[to]) continue;
        distance[to] = std::min(distance[to], distance[v] + 1);
        if (to == u) hot = hot || w.web->on_topic(v, u) || distance[v] + 1 <= within_;
      }
    }
    return hot ? kHot : 0;
  }

  std::shared_ptr<Ordering> order_;
  double within_;
};

struct Strategy {
  std::string kind = "all";  // sydney, shallow, truncated
  std::size_t t = 0;
  double budget = std::numeric_limits<double>::infinity();
};

struct Outcome {
  std::vector<PageId> order;
  std::uint64_t links_only = 0, dropped = 0, peak = 0;
};

// One crawl, run() to its end, or page by page with best() and visit() (strategy `all` only).
class Crawl {
 public:
  Crawl(const TestWeb& web, const std::vector<PageId>& seeds, Ordering& ordering, Strategy strategy = {})
      : ordering_(ordering), strategy_(std::move(strategy)) {
    w_.web = &web;
    w_.seeds = seeds;
    w_.expected = static_cast<double>(web.reachable(seeds).size());
    w_.number.assign(web.pages(), -1);
    w_.crawled.assign(web.pages(), false);
    w_.score.assign(web.pages(), 0);
    for (const PageId p : seeds) {
      if (static_cast<double>(primary()) >= strategy_.budget) {
        ++outcome_.dropped;
        continue;
      }
      discover(p);
      w_.score[p] = ordering_.seed(w_, p);
    }
    note_peak();
  }

  Outcome run() {
    for (;;) {
      ordering_.before(w_);
      if (primary() == 0 && round_.empty()) {
        if (secondary_.empty()) break;
        round_.swap(secondary_);
      }
      const PageId page = best();
      const Held* again = best_of_round();
      if (again != nullptr && (page == kNoPage || better(again->moment.page, again->moment.score, page))) {
        const Held held = *again;
        round_.erase(round_.begin() + (again - round_.data()));
        ++outcome_.links_only;
        links_enter(held.moment, held.given, false);
      } else {
        visit(page);
      }
    }
    outcome_.order = w_.order;
    return outcome_;
  }

  World& world() { return w_; }
  PageId best() const {
    PageId best = kNoPage;
    for (PageId p = 0; p < w_.web->pages(); ++p) {
      if (w_.number[p] < 0 || w_.crawled[p]) continue;
      if (best == kNoPage || better(p, w_.score[p], best)) best = p;
    }
    return best;
  }
  void visit(PageId v) {
    w_.crawled[v] = true;
    w_.order.push_back(v);
    Moment moment;
    moment.page = v;
    moment.score = w_.score[v];
    moment.links = static_cast<double>(w_.O(v));
    for (const PageId u : w_.web->out[v]) moment.inter += w_.web->host_of(u) != w_.web->host_of(v) ? 1 : 0;
    moment.crawled = static_cast<double>(w_.order.size());
    links_enter(moment, {}, true);
    ordering_.after(w_, moment);
  }

 private:
  struct Held {
    Moment moment;
    std::set<PageId> given;  // links that have had their share, or never will
  };

  void discover(PageId p) { w_.number[p] = next_number_++; }
  bool better(PageId p, double score, PageId than) const {
    return score > w_.score[than] || (score == w_.score[than] && w_.number[p] < w_.number[than]);
  }
  const Held* best_of_round() const {
    const Held* best = nullptr;
    for (const Held& held : round_) {
      const bool first = best == nullptr || held.moment.score > best->moment.score ||
                         (held.moment.score == best->moment.score &&
                          w_.number[held.moment.page] < w_.number[best->moment.page]);
      if (first) best = &held;
    }
    return best;
  }
  std::size_t primary() const {
    std::size_t count = round_.size();
    for (PageId p = 0; p < w_.web->pages(); ++p) count += w_.number[p] >= 0 && !w_.crawled[p] ? 1 : 0;
    return count;
  }
  void note_peak() { outcome_.peak = std::max<std::uint64_t>(outcome_.peak, primary() + secondary_.size()); }

  // The links of v that have had no share yet and may get one.
  void links_enter(const Moment& v, std::set<PageId> given, bool first) {
    std::vector<PageId> new_pages;
    for (const PageId u : w_.web->out[v.page]) {
      if (w_.number[u] < 0) new_pages.push_back(u);
    }
    const auto depth = w_.web->hints(v.page).depth;
    const bool samples = strategy_.kind != "all" && !(strategy_.kind == "shallow" && depth > 2);
    const std::size_t most = samples ? strategy_.t : new_pages.size();
    const double room = std::max(0.0, strategy_.budget - static_cast<double>(primary() + secondary_.size()));
    const bool postpone = first && new_pages.size() > most && ordering_.judges() && below_median(v.score);
    const auto enter =
        postpone
            ? 0
            : static_cast<std::size_t>(std::min(static_cast<double>(std::min(most, new_pages.size())), room));
    const std::set<PageId> chosen = choose(v, new_pages, enter);
    const bool hold =
        new_pages.size() > most && strategy_.kind != "truncated" && room > static_cast<double>(enter);
    for (const PageId u : w_.web->out[v.page]) {
      const bool is_new = w_.number[u] < 0;
      if (is_new && chosen.count(u) == 0) continue;
      if (w_.crawled[u] || given.count(u) != 0) continue;
      if (is_new) discover(u);
      w_.score[u] = ordering_.give(w_, v, u, is_new, is_new ? 0 : w_.score[u]);
      given.insert(u);
    }
    if (hold) {
      secondary_.push_back({v, given});
    } else {
      outcome_.dropped += new_pages.size() - chosen.size();
    }
    note_peak();
  }
  std::set<PageId> choose(const Moment& v, const std::vector<PageId>& new_pages, std::size_t count) const {
    std::vector<std::pair<double, int>> ranked;  // worst first when sorted: (-score, position)
    const std::uint64_t stream = draw(1, w_.order.size() + outcome_.links_only);
    for (std::size_t i = 0; i < new_pages.size(); ++i) {
      const double s =
          ordering_.judges() ? ordering_.give(w_, v, new_pages[i], true, 0) : to_unit(draw(stream, i));
      ranked.emplace_back(-s, static_cast<int>(i));
    }
    std::sort(ranked.begin(), ranked.end());
    std::set<PageId> chosen;
    for (std::size_t i = 0; i < count; ++i)
      chosen.insert(new_pages[static_cast<std::size_t>(ranked[i].second)]);
    return chosen;
  }
  bool below_median(double score) const {
    std::size_t larger = 0, all = 0;
    for (PageId p = 0; p < w_.web->pages(); ++p) {
      if (w_.number[p] < 0 || w_.crawled[p]) continue;
      ++all;
      larger += w_.score[p] > score ? 1 : 0;
    }
    return larger > all / 2;
  }

  World w_;
  Ordering& ordering_;
  Strategy strategy_;
  int next_number_ = 0;
  std::vector<Held> secondary_, round_;
  Outcome outcome_;
};

}  // namespace bowerbird::naive
