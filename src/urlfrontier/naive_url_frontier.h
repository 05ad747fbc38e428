// A naive implementation of url_frontier.h for the ordering `backlink`, straight from its contract: the
// reference for its tests. Threads: one.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "urlfrontier/url_frontier.h"

namespace bowerbird {

class NaiveUrlFrontier {
 public:
  struct Page {
    std::string url, queue, payload;
    UrlState state = UrlState::kCollected;
    bool completed = false;  // the ordering has counted it
    bool has_visit = false;  // it has a score of its first visit
    bool known = false;      // not deleted
    std::size_t number = 0;  // in the order of first appearance
    long discovered = -1;    // below 0: not in the ordering's queue
    double score = 0;        // current score; for a completed page, the score at its completion
    Time due = kForever;
    Time until = kForever;  // end of the lease
  };
  struct Queue {
    Duration delay = -1ms;
    Time blocked{}, served{-1ms};
    std::uint64_t limit = 0;
  };

  void advance(Time now) {
    now_ = std::max(now_, now);
    std::vector<Page*> due;
    for (auto& [url, page] : pages_) {
      if (page.known && page.state == UrlState::kLeased && page.until <= now_) put_back(page, now_);
      if (page.known && page.state == UrlState::kScheduled && page.due <= now_) due.push_back(&page);
    }
    std::sort(due.begin(), due.end(), [](const Page* a, const Page* b) {
      return std::pair(a->due, a->number) < std::pair(b->due, b->number);
    });
    for (Page* const page : due) {
      page->state = UrlState::kDue;
      page->discovered = again_++;
    }
  }

  Page* find(const std::string& url) {
    const auto found = pages_.find(url);
    return found != pages_.end() && found->second.known ? &found->second : nullptr;
  }

  Page& intern(const std::string& url, const std::string& queue) {
    Page& page = pages_[url];
    if (page.url.empty()) {
      page.url = url;
      page.queue = queue;
      page.number = pages_.size();
    }
    if (!page.known) {
      page.known = true;
      page.payload.clear();
      page.has_visit = false;
      if (page.completed) {
        page.state = UrlState::kScheduled;
        page.due = now_;
      } else {
        page.state = UrlState::kCollected;
      }
    }
    return page;
  }

  void add(const std::vector<std::string>& urls) {
    for (const std::string& url : urls) enter(intern(url, host(url)));
  }

  void discover(const std::string& parent, std::vector<std::string> links) {
    Page* const from = find(parent);
    for (const std::string& link : links) intern(link, host(link));
    if (from == nullptr) {
      for (const std::string& link : links) enter(pages_[link]);
    } else if (from->completed) {
      count(*from, links);
    } else {
      std::vector<std::string>& all = collected_[parent];
      all.insert(all.end(), links.begin(), links.end());
    }
  }

  std::vector<std::string> take(std::size_t most, std::size_t queues, std::size_t per_queue, Duration lease) {
    std::vector<std::string> taken;
    std::map<std::string, std::size_t> given;
    while (taken.size() < most) {
      Page* best = nullptr;
      for (auto& [url, page] : pages_) {
        wake(page);
        if (!page.known || (page.state != UrlState::kQueued && page.state != UrlState::kDue)) continue;
        const Queue& queue = queues_[page.queue];
        const std::size_t in_process = count_in(page.queue, UrlState::kLeased);
        if (queue.limit > 0 && completed_in(page.queue) + in_process >= queue.limit) continue;
        if (!given.contains(page.queue)) {
          if (queue.blocked > now_ ||
              (queue.served >= Time{} && delay(queue) > 0ms && queue.served + delay(queue) > now_))
            continue;
          if (queues > 0 && given.size() >= queues) continue;
        } else if (per_queue == 0 && delay(queue) > 0ms) {
          continue;
        }
        if (per_queue > 0 && in_process >= per_queue) continue;
        if (best == nullptr || better(page, *best)) best = &page;
      }
      if (best == nullptr) break;
      best->state = UrlState::kLeased;
      best->until = lease > 0ms ? now_ + lease : kForever;
      ++given[best->queue];
      taken.push_back(best->url);
    }
    for (const auto& [queue, number] : given) queues_[queue].served = now_;
    return taken;
  }

  void complete(Page& page, std::vector<std::string> links, Time due) {
    for (const std::string& link : links) intern(link, host(link));
    std::vector<std::string> all = std::move(collected_[page.url]);
    collected_.erase(page.url);
    all.insert(all.end(), links.begin(), links.end());
    std::vector<std::string> distinct;
    for (const std::string& link : all) {
      if (std::find(distinct.begin(), distinct.end(), link) == distinct.end()) distinct.push_back(link);
    }
    for (const std::string& link : distinct) intern(link, host(link));
    if (page.completed) {
      count(page, distinct);
    } else {
      page.completed = page.has_visit = true;
      give(distinct);
    }
    page.state = due < kForever ? UrlState::kScheduled : UrlState::kCompleted;
    page.due = due;
  }

  void put_back(Page& page, Time due) {
    page.state = UrlState::kWaiting;
    page.due = due;
  }

  void remove(Page& page) {
    page.known = false;
    page.has_visit = false;
    if (!page.completed) page.score = 0;
    const auto found = collected_.find(page.url);
    if (found == collected_.end()) return;
    const std::vector<std::string> links = found->second;
    collected_.erase(found);
    for (const std::string& link : links) {
      if (pages_[link].known) enter(pages_[link]);
    }
  }

  // Makes a page queued again whose retry is due, as take() does.
  void wake(Page& page) {
    if (page.known && page.state == UrlState::kWaiting && page.due <= now_) {
      page.state = page.completed ? UrlState::kDue : UrlState::kQueued;
    }
  }

  std::map<std::string, Page>& pages() { return pages_; }
  Queue& queue(const std::string& name) { return queues_[name]; }
  void set_delay(Duration delay) { delay_ = delay; }
  Time now() const { return now_; }
  static std::string host(const std::string& url) { return url.substr(7, url.find('/', 7) - 7); }

 private:
  static double rank(const Page& page) { return page.completed && !page.has_visit ? -1e300 : page.score; }
  static bool better(const Page& a, const Page& b) {
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a.completed != b.completed) return b.completed;
    return a.discovered < b.discovered;
  }
  Duration delay(const Queue& queue) const { return queue.delay >= 0ms ? queue.delay : delay_; }
  std::size_t count_in(const std::string& queue, UrlState state) const {
    std::size_t n = 0;
    for (const auto& [url, page] : pages_)
      n += page.known && page.queue == queue && page.state == state ? 1 : 0;
    return n;
  }
  std::size_t completed_in(const std::string& queue) const {
    std::size_t n = 0;
    for (const auto& [url, page] : pages_) n += page.known && page.queue == queue && page.completed ? 1 : 0;
    return n;
  }
  void enter(Page& page) {
    if (page.completed || page.state != UrlState::kCollected) return;
    page.state = UrlState::kQueued;
    page.score = 0;
    page.discovered = discovered_++;
  }
  void give(const std::vector<std::string>& links) {
    for (const std::string& link : links) {
      Page& page = pages_[link];
      if (page.completed) continue;
      enter(page);
      page.score += 1;
    }
  }
  // The links of a page that was completed before.
  void count(const Page& from, const std::vector<std::string>& links) {
    if (from.has_visit) {
      give(links);
    } else {
      for (const std::string& link : links) enter(pages_[link]);
    }
  }

  std::map<std::string, Page> pages_;
  std::map<std::string, Queue> queues_;
  std::map<std::string, std::vector<std::string>> collected_;
  long discovered_ = 0, again_ = 0;
  Time now_{};
  Duration delay_{};
};

}  // namespace bowerbird
