// For tests: `lipr`, implemented straight from its definition in docs/lipr.md, with maps and searches over
// all pages. Slow and obvious.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "base/rng.h"
#include "frontier/naive_crawl.h"

namespace bowerbird::naive {

class Lipr : public Ordering {
 public:
  using X = std::array<double, 14>;

  double seed(const World& w, PageId p) override {
    pages.resize(w.web->pages());
    known.push_back(p);
    pages[p].acc = 1;
    pages[p].is_known = true;
    groups.emplace(w.web->group_of(p), 0);
    return 1e9;
  }
  double give(const World&, const Moment&, PageId, bool, double old) const override { return old; }

  // Everything that a crawled page causes, link by link.
  void after(World& w, const Moment& moment) override {
    const PageId v = moment.page;
    Page& page = pages[v];
    if (page.par != kNoPage) {
      samples.push_back({v, crawled + 1, LR(v), x(w, v), true});
      ++pages[page.par].nchc;
    }
    crawled += 1;
    page.crawled = true;
    page.lev = kept(page.par == kNoPage ? hlev(host(w, v)) : pages[page.par].clev);
    page.clev = kept(hlev(host(w, v)));
    const double f = 0.85 * page.acc / std::max<double>(1, static_cast<double>(w.O(v)));
    for (const PageId u : w.web->out[v]) {
      if (!pages[u].is_known) {
        known.push_back(u);
        pages[u].is_known = true;
        pages[u].par = v;
        pages[u].acc = base;
        groups.emplace(w.web->group_of(u), kept(hlev(host(w, u))));
        pages[v].nch += 1;
      }
      if (pages[u].crawled) continue;
      pages[u].inl += 1;
      pages[u].xin += host(w, u) != host(w, v) ? 1 : 0;
      pages[u].acc += f;
      w.score[u] = score(w, u);
    }
    const double reveals = std::log1p(page.nch);
    hreveals[host(w, v)] += reveals;
    all_reveals += reveals;
    if (page.par != kNoPage) {
      Page& par = pages[page.par];
      par.reveals = kept(par.reveals + (reveals - par.reveals) / par.nchc);
    }
    if (crawled >= next) recompute(w);
  }

  // The best page returns to the queue while its score has fallen.
  void confirm(World& w, const Crawl& crawl) const {
    for (PageId best = crawl.best(); best != kNoPage && w.score[best] != 1e9; best = crawl.best()) {
      const double now = score(w, best);
      if (!(now < w.score[best] - 0.05)) return;
      w.score[best] = now;
    }
  }

 private:
  struct Page {
    bool is_known = false, crawled = false;
    PageId par = kNoPage;
    double inl = 0, xin = 0, acc = 0, nch = 0, nchc = 0, lev = 0, clev = 0, reveals = 0;
  };
  struct Sample {
    PageId page;
    double t, b;
    X x;
    bool taken;
  };

  // Levels, and what siblings reveal, are rounded to the next 1024th.
  static double kept(double x) { return std::round(x * 1024) / 1024; }
  static HostId host(const World& w, PageId p) { return w.web->host_of(p); }
  double hlev(HostId h) const { return h < hlevs.size() ? hlevs[h] : 0; }
  static bool same_group(const World& w, PageId p, PageId q) {
    return w.web->group_of(p) == w.web->group_of(q);
  }
  double LR(PageId u) const { return std::log(std::max(pages[u].acc, 1e-30) * n); }
  double count(const World& w, HostId h, bool only_crawled) const {
    double all = 0;
    for (const PageId p : known) all += host(w, p) == h && (!only_crawled || pages[p].crawled) ? 1 : 0;
    return all;
  }
  X x(const World& w, PageId u) const {
    const Page& p = pages[u];
    const HostId h = host(w, u);
    X all = {1, LR(u), std::log(std::max(1.0, p.inl)), std::log1p(count(w, h, true)),
             std::log1p(count(w, h, false))};
    all[6] = std::log1p(p.xin);
    const auto group = groups.find(w.web->group_of(u));
    if (group != groups.end()) all[11] = group->second;
    double of_group = 0;
    for (const PageId q : w.order) of_group += pages[q].crawled && same_group(w, q, u) ? 1 : 0;
    all[12] = std::log1p(of_group);
    if (p.par == kNoPage) return all;
    const Page& par = pages[p.par];
    all[5] = std::log1p(static_cast<double>(w.O(p.par)));
    all[7] = LR(p.par);
    all[8] = std::log1p(par.nch - par.nchc);
    all[9] = par.lev;
    all[10] = par.nchc > 0 ? 1 : 0;
    return all;
  }
  static double dot(const X& a, const X& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double score(const World& w, PageId u) const {
    if (!trained) return LR(u);
    const X all = x(w, u);
    const double s = LR(u) + dot(weights, all) + .25 * std::clamp(dot(spread, all), 0.0, 4.0);
    if (pages[u].par == kNoPage) return s;
    const Page& par = pages[pages[u].par];
    const HostId h = host(w, u);
    const auto of_host = hreveals.find(h);
    const double here = ((of_host == hreveals.end() ? 0 : of_host->second) + 10 * all_reveals / crawled) /
                        (count(w, h, true) + 10);
    const double reveals = (par.nchc * par.reveals + 2 * here) / (par.nchc + 2);
    return s + .1 * std::log1p(std::max(0.0, par.nch - par.nchc - 1)) / (1 + par.nchc) + .2 * reveals;
  }

  void recompute(World& w) {
    next = std::max(crawled + 128, std::floor(1.2 * crawled));
    n = static_cast<double>(known.size());
    double sum = 0;
    for (const PageId p : known) sum += pages[p].acc;
    for (const PageId p : known) pages[p].acc = trained ? pages[p].acc / sum : 1 / n;
    for (int i = 0; i < 5; ++i) iterate(w);
    set_levels(w);
    fit();
    trained = true;
    const double chance = (crawled - last) / std::max(1.0, n - crawled);
    for (std::size_t i = 0; i < known.size(); ++i) {
      const PageId u = known[i];
      if (pages[u].crawled || pages[u].par == kNoPage) continue;
      if (to_unit(draw(draw(1, recomputations), i)) < chance)
        samples.push_back({u, crawled, LR(u), x(w, u), false});
    }
    last = crawled;
    ++recomputations;
    for (const PageId p : known) w.score[p] = score(w, p);
  }

  void iterate(const World& w) {
    std::vector<double> got(pages.size());
    double orphan = 0, dangling = 0;
    for (const PageId p : known) {
      if (!pages[p].crawled && count(w, host(w, p), true) == 0) orphan += pages[p].acc;
    }
    for (const PageId v : w.order) {
      double open = 0;
      for (const PageId p : known) open += host(w, p) == host(w, v) && !pages[p].crawled ? pages[p].acc : 0;
      const double y = pages[v].acc + open / count(w, host(w, v), true) + orphan / crawled;
      if (w.O(v) == 0) dangling += y;
      for (const PageId u : w.web->out[v]) got[u] += 0.85 * y / static_cast<double>(w.O(v));
    }
    base = (1 - 0.85 + 0.85 * dangling) / n;
    for (const PageId p : known) pages[p].acc = got[p] + base;
  }

  void set_levels(const World& w) {
    double all = 0;
    for (const PageId p : w.order) all += LR(p);
    HostId hosts = 0;
    for (const PageId p : known) hosts = std::max(hosts, host(w, p) + 1);
    hlevs.assign(hosts, 0);
    for (HostId h = 0; h < hosts; ++h) {
      double sum = 10 * all / crawled;
      for (const PageId p : w.order) sum += host(w, p) == h ? LR(p) : 0;
      hlevs[h] = sum / (count(w, h, true) + 10);
    }
    for (const PageId p : known) {
      double sum = 2 * hlev(host(w, p)), number = 2;
      for (const PageId q : w.order) {
        sum += same_group(w, p, q) ? LR(q) : 0;
        number += same_group(w, p, q) ? 1 : 0;
      }
      groups[w.web->group_of(p)] = kept(sum / number);
    }
    for (const PageId p : known) {
      double sum = 2 * hlev(host(w, p)), number = 2;
      for (const PageId c : w.order) {
        if (pages[c].par == kNoPage || pages[pages[c].par].par != p) continue;
        sum += LR(c);
        number += 1;
      }
      pages[p].clev = kept(sum / number);
    }
    for (const PageId p : known) {
      double sum = 2 * (pages[p].par == kNoPage ? hlev(host(w, p)) : pages[pages[p].par].clev);
      for (const PageId c : w.order) sum += pages[c].par == p ? LR(c) : 0;
      pages[p].lev = kept(sum / (pages[p].nchc + 2));
    }
  }

  void fit() {
    const auto gain = [&](const Sample& s) { return std::clamp(LR(s.page) - s.b, -5.0, 5.0); };
    const auto aged = [&](const Sample& s) {
      X all = s.x;
      all[13] = std::log(crawled / s.t);
      return all;
    };
    const X prior = {0, -.2, .2, 0, 0, -.15, .35, 0, .1, .3};
    weights = solve(prior, [&](auto&& add) {
      for (const Sample& s : samples) add(aged(s), gain(s), s.taken || pages[s.page].crawled ? 1 : .5);
    });
    spread = solve({}, [&](auto&& add) {
      for (const Sample& s : samples) {
        const double missed = gain(s) - dot(weights, aged(s));
        if (s.taken) add(aged(s), std::min(9.0, missed * missed), 1.0);
      }
    });
  }

  // Gaussian elimination with pivots on the normal equations.
  template <typename Samples>
  static X solve(const X& prior, Samples&& samples) {
    double a[14][15] = {};
    for (int i = 0; i < 14; ++i) {
      a[i][i] = i == 0 ? 1e-6 : 200;
      a[i][14] = a[i][i] * prior[static_cast<std::size_t>(i)];
    }
    samples([&](const X& x, double y, double weight) {
      for (std::size_t i = 0; i < 14; ++i) {
        for (std::size_t j = 0; j < 14; ++j) a[i][j] += weight * x[i] * x[j];
        a[i][14] += weight * x[i] * y;
      }
    });
    for (int i = 0; i < 14; ++i) {
      int pivot = i;
      for (int k = i; k < 14; ++k) pivot = std::fabs(a[k][i]) > std::fabs(a[pivot][i]) ? k : pivot;
      std::swap(a[i], a[pivot]);
      for (int k = 0; k < 14; ++k) {
        const double factor = k == i ? 0 : a[k][i] / a[i][i];
        for (int j = i; j < 15; ++j) a[k][j] -= factor * a[i][j];
      }
    }
    X w{};
    for (int i = 0; i < 14; ++i) w[static_cast<std::size_t>(i)] = a[i][14] / a[i][i];
    return w;
  }

  std::vector<PageId> known;  // in the order of their discovery
  std::vector<Page> pages;
  std::vector<double> hlevs;
  std::map<std::uint32_t, double> groups;  // levels
  std::map<HostId, double> hreveals;
  double all_reveals = 0;
  std::vector<Sample> samples;
  double crawled = 0, base = 0, n = 1, next = 128, last = 0;
  std::uint64_t recomputations = 0;
  bool trained = false;
  X weights = {}, spread = {};
};

}  // namespace bowerbird::naive
