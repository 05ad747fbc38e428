// How many pages have all their requisites: counted while the crawl runs, so that nobody has to read the
// journal for it (crawl/inspect/completeness.h does, to name what is missing).
//
// Problem: a page is complete when each of its requisites, and each that those need in turn, has a final
// response in the archive. Style sheets are shared by many pages, may name each other in circles, and a
// requisite that one page had no room for may be fetched for another. So each requisite without a final
// response has a list of the pages that wait for it, and what style sheets and frames name is kept.
// Invariant: a page is in waiting() if all it lacks is still to be fetched, in incomplete() if it lacks
// anything else, and in neither otherwise. What another process of a fleet fetches is not counted.
// Memory: a bit per page up to the last incomplete one, 16 bytes for each pair of a page and a requisite that
// it waits for, 4 bytes for each requisite of a style sheet or frame. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"

namespace bowerbird {

class CompletePages {
 public:
  enum class Need : std::uint8_t {
    kThere,      // it has a final response, or is fetched elsewhere
    kPending,    // it is still to be fetched
    kOverLimit,  // its page had no room for it; another one may
    kMissing,    // it will not come
  };
  // What is known of a requisite.
  using NeedOf = std::function<Need(PageId)>;

  // A page was fetched and needs these; lacks: and others that will not be fetched.
  void page_found(PageId page, std::span<const PageId> needs, bool lacks, const NeedOf& need_of);
  // The same for a style sheet or a frame.
  void part_found(PageId part, std::span<const PageId> needs, bool lacks, const NeedOf& need_of);
  void changed(PageId requisite, Need before, Need after);

  std::uint64_t incomplete() const { return incomplete_; }
  std::uint64_t waiting() const { return waiting_; }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  // The input is rejected if it does not fit.
  void load(ByteReader& in, std::uint64_t pages, const NeedOf& need_of);

 private:
  enum class Verdict : std::uint8_t { kComplete, kWaiting, kIncomplete };
  // A page that may still change.
  struct Open {
    std::uint32_t turn = 0;  // of the response that it is about
    std::uint32_t pending = 0;
    std::uint32_t over_limit = 0;
    bool lacks = false;

    Verdict verdict() const {
      if (lacks || over_limit > 0) return Verdict::kIncomplete;
      return pending > 0 ? Verdict::kWaiting : Verdict::kComplete;
    }
  };
  struct Waiter {
    PageId page = kNoPage;
    std::uint32_t turn = 0;
  };
  struct Part {
    std::vector<PageId> needs;
    bool lacks = false;
  };

  void follow(PageId page, Open& open, std::span<const PageId> needs, const NeedOf& need_of);
  void count(Verdict verdict, int by);
  void count_again(PageId page, Verdict before);
  bool is_lacking(PageId page) const { return page < lacking_.size() && lacking_[page]; }

  std::unordered_map<PageId, Part> parts_;
  std::unordered_map<PageId, std::vector<Waiter>> waiters_;  // by requisite
  std::unordered_map<PageId, Open> open_;
  std::vector<bool> lacking_;  // pages that are incomplete for good
  std::uint64_t incomplete_ = 0;
  std::uint64_t waiting_ = 0;
  std::uint64_t waiter_count_ = 0;
  std::uint64_t need_count_ = 0;
  std::uint32_t turn_ = 0;
};

}  // namespace bowerbird
