// The refresh queue by its definition, for tests to compare with: every choice looks at every page. Times are
// days.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/ids.h"
#include "policy/change_rate.h"
#include "policy/refresh_rules.h"
#include "policy/registry.h"

namespace bowerbird {

struct NaiveRefresh {
  struct Page {
    double importance = 0, rate = 0, since = 0;
    bool is_new = false, in_flight = false;
    ChangeHistory history = {};
  };

  const RefreshRule* rule = nullptr;
  HostOf host_of = {};
  bool learn = true, host_rates = true;
  double shortest = 0;
  std::map<PageId, Page> pages = {};
  std::map<HostId, ChangeHistory> hosts = {};
  std::map<HostId, double> known_rate = {};  // the rate of the host that its pages know
  std::set<HostId> closed = {};
  ChangeHistory all = {};
  double overall = 0.05;

  HostId host(PageId page) const { return host_of ? host_of(page) : 0; }

  double prior(HostId of) const {
    const double overall_now = overall_rate(all);
    const auto found = hosts.find(of);
    return host_rates ? change_rate(found == hosts.end() ? ChangeHistory() : found->second, overall_now)
                      : overall_now;
  }

  void add(PageId page, double importance, double day, bool is_new) {
    known_rate.try_emplace(host(page), overall_rate(all));
    pages[page] = {importance, learn ? prior(host(page)) : 0, day, is_new};
  }

  double value(const Page& page, double day) const {
    if (page.is_new && rule->new_page != nullptr) return rule->new_page(page.importance, page.rate);
    return rule->value(page.importance, page.rate, day - page.since);
  }
  bool eligible(PageId id, const Page& page, double day) const {
    return !page.in_flight && !closed.contains(host(id)) && (page.is_new || day - page.since >= shortest);
  }

  // Ties go to the lower number.
  std::optional<PageId> best(double day) const {
    std::optional<PageId> found;
    double most = 0;
    for (const auto& [id, page] : pages) {
      if (!eligible(id, page, day)) continue;
      if (const double v = value(page, day); v > most) {
        found = id;
        most = v;
      }
    }
    return found;
  }

  void visited(PageId id, double day, bool changed) {
    Page& page = pages[id];
    page.in_flight = false;
    const double interval = day - page.since;
    page.since = day;
    if (page.is_new) {
      page.is_new = false;
      return;
    }
    if (!learn) return;
    for (ChangeHistory* const history : {&page.history, &hosts[host(id)], &all}) {
      changed ? history->add_change(interval) : history->add_unchanged(interval);
    }
    page.rate = change_rate(page.history, prior(host(id)));
    if (host_rates) update_rate(host(id));
  }

  void update_rate(HostId visited_host) {
    const auto moved = [](double now, double before) { return std::abs(now - before) > 0.1 * before; };
    const bool everyone = moved(overall_rate(all), overall);
    if (everyone) overall = overall_rate(all);
    for (auto& [id, rate] : known_rate) {
      if (!everyone && id != visited_host) continue;
      const double now = prior(id);
      if (!moved(now, rate)) continue;
      rate = now;
      for (auto& [number, page] : pages) {
        if (host(number) == id) page.rate = change_rate(page.history, now);
      }
    }
  }
};

}  // namespace bowerbird
