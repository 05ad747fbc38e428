// Counts the pages that have all their requisites, while the crawl runs, without reading the journal
// (crawl/inspect/completeness.h reads it, to name what is missing).
//
// Problem: a page is complete if each of its requisites, and each of theirs, has a final response in the
// archive. Style sheets are shared by many pages and may refer to each other in cycles, and a requisite
// that was over the limit of one page may be fetched for another. So each requisite without a final
// response has a list of the pages that wait for it, and the requisites of style sheets and frames are
// kept. Invariant: a page is in waiting() if everything it lacks is still to be fetched, in incomplete()
// if it lacks anything else, and in neither otherwise. Requisites that another process of a fleet fetches
// are not counted. Memory: a bit per page up to the last incomplete one, 16 bytes for each pair of a page
// and a requisite that it waits for, 4 bytes for each requisite of a style sheet or frame. Threads: one,
// the crawl's.
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
    kThere,      // has a final response, or another process fetches it
    kPending,    // still to be fetched
    kOverLimit,  // over the limit of its page; another page may fetch it
    kMissing,    // will not be fetched
  };
  // Looks a requisite up.
  using NeedOf = std::function<Need(PageId)>;

  // A page was fetched and has these requisites. lacks: it has others that will not be fetched.
  void page_found(PageId page, std::span<const PageId> needs, bool lacks, const NeedOf& need_of);
  // The same for a style sheet or a frame.
  void part_found(PageId part, std::span<const PageId> needs, bool lacks, const NeedOf& need_of);
  void changed(PageId requisite, Need before, Need after);

  std::uint64_t incomplete() const { return incomplete_; }
  std::uint64_t waiting() const { return waiting_; }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  // The reader fails if the input does not fit.
  void load(ByteReader& in, std::uint64_t pages, const NeedOf& need_of);

 private:
  enum class Verdict : std::uint8_t { kComplete, kWaiting, kIncomplete };
  // A page whose verdict may still change.
  struct Open {
    std::uint32_t turn = 0;  // of the page's last response
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
  std::vector<bool> lacking_;  // pages that stay incomplete
  std::uint64_t incomplete_ = 0;
  std::uint64_t waiting_ = 0;
  std::uint64_t waiter_count_ = 0;
  std::uint64_t need_count_ = 0;
  std::uint32_t turn_ = 0;
};

}  // namespace bowerbird
