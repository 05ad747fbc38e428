// Questions that only the crawl's thread can answer, in steps of a few milliseconds.
//
// Threads: step() is called by the crawl's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control/backend.h"
#include "control/link_search.h"
#include "crawl/loop/crawler.h"

namespace bowerbird {

// Counts pages by host. Counting takes a while, so it is done in steps, and the result is reused for some
// time.
class Census {
 public:
  // True: the counts are complete and at most a few seconds old.
  bool step(const Crawler& crawler, std::int64_t deadline_us);
  std::uint32_t queued(HostId host) const { return host < queued_.size() ? queued_[host] : 0; }
  std::uint32_t known(HostId host) const { return host < known_.size() ? known_[host] : 0; }

 private:
  PageId next_ = 0;
  std::int64_t done_us_ = 0;  // 0: not counted
  std::vector<std::uint32_t> queued_, known_;
  std::vector<std::uint32_t> new_queued_, new_known_;
};

// Keeps the best queued pages of a host.
class BestOfHost {
 public:
  BestOfHost(HostId host, std::size_t most) : host_(host), most_(most) {}
  void look_at(const CrawlState& state, PageId page);
  std::vector<QueueItem> take();  // best first

 private:
  HostId host_;
  std::size_t most_;
  std::vector<QueueItem> best_;  // a heap: the worst is the first
};

class Question {
 public:
  virtual ~Question() = default;
  // True: it is answered.
  virtual bool step(const Crawler& crawler, Census& census, std::int64_t deadline_us) = 0;
  Answer take_answer() { return std::move(answer_); }

 protected:
  Answer answer_;
};

// For the asks "next", "hosts", "host" and "problems"; null for others. incoming: links to the broken pages.
std::unique_ptr<Question> make_question(const Ask& ask, const std::shared_ptr<const LiveSnapshot>& snapshot,
                                        std::shared_ptr<const IncomingByPage> incoming);

}  // namespace bowerbird
