// The state of a UrlFrontier, and how its events change it. The calls are in url_frontier_calls.cc, the
// events in url_frontier_apply.cc, the choice of the next URLs in url_frontier_take.cc, the folder in
// url_frontier_disk.cc. Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/lazy_array.h"
#include "frontier/frontier.h"
#include "store/spill_folder.h"
#include "url/directory_numbers.h"
#include "url/url.h"
#include "urlfrontier/priority_policy.h"
#include "urlfrontier/revisit_queue.h"
#include "urlfrontier/url_events.h"
#include "urlfrontier/url_frontier.h"
#include "urlfrontier/url_journal.h"
#include "urlfrontier/url_record.h"
#include "urlfrontier/url_table.h"

namespace bowerbird {

// The folder of a frontier. Empty without a folder.
struct UrlFrontierDisk {
  std::unique_ptr<DiskLock> lock;
  std::unique_ptr<SpillFolder> spill, dates, scores;  // with a memory limit
  std::uint64_t snapshots = 0;                        // number of the last one
  std::uint64_t snapshot_bytes = 0;                   // its size
  std::string about;                                  // in the header of each journal segment

  bool limited() const { return spill != nullptr; }
};

// The number of records in a journal segment, and how many are current.
struct SegmentUse {
  std::uint64_t records = 0;
  std::uint64_t current = 0;
};

class UrlFrontier::Impl {
 public:
  explicit Impl(const UrlFrontierOptions& options)
      : options_(options), journal_(*options_.disk, options_.folder, options_.durable) {}

  // url_frontier_disk.cc
  Status open();
  Status close();
  Status commit();

  // url_frontier_calls.cc
  Status begin(Time now);
  Status finish();
  std::optional<PageId> intern(const UrlInput& input, PutResult& result);
  PageId find(std::string_view url);
  Result<std::vector<PutResult>> add(std::span<const UrlInput> seeds, Time now);
  Result<std::vector<PutResult>> discover(std::string_view parent, std::span<const UrlInput> links, Time now);
  Result<std::vector<PutResult>> complete(PageId page, const Completion& done);
  Result<UrlStatus> describe(PageId page);
  UrlFrontierStats stats() const;
  template <typename E>
  void decide(E event) {
    record(event);
    CHECK(apply(event));
  }
  // For an event that has already happened.
  template <typename E>
  void record(const E& event) {
    if (!options_.folder.empty()) put_event(call_.frame, event);
    call_.changed = true;
  }
  void write_record(PageId page, const UrlRecord& record);
  Result<UrlRecord> record_of(PageId page) const;
  QueueId queue_named(std::string_view name);
  QueueChanged settings_of(QueueId queue) const;

  bool is_known(PageId page) const { return page != kNoPage && page < urls_->size() && !is_removed(page); }
  bool is_removed(PageId page) const {
    return page / 64 < removed_.size() && (removed_[page / 64] >> page % 64 & 1) != 0;
  }
  bool is_leased(PageId page) const { return leases_.contains(page); }
  UrlState state(PageId page) const;

  // url_frontier_take.cc
  Result<std::vector<TakenUrl>> take(Time now, const TakeOptions& options);
  std::optional<Time> next_opening() const;

  // url_frontier_apply.cc. False: the event does not fit the state, so the journal is damaged.
  bool apply(const QueueAdded& event);
  bool apply(const UrlAdded& event);
  bool apply(const SeedsEntered& event);
  bool apply(const LinksFound& event);
  bool apply(const UrlTaken& event);
  bool apply(const UrlCompleted& event);
  bool apply(const UrlRetried& event);
  bool apply(const UrlsRemoved& event);
  bool apply(const UrlScheduled& event);
  bool apply(const QueueChanged& event);
  bool apply(const SettingsChanged& event);
  bool apply(const LeaseChanged& event);
  bool apply(const PriorityGiven& event);
  bool apply(const PageDemoted& event);
  bool apply(const RecordWritten&) { return false; }
  bool advance(Time now);
  Duration delay_of(const UrlQueue& queue) const { return queue.delay >= 0ms ? queue.delay : delay_; }
  // When the queue may be asked; opening_of() ignores limits of take().
  Time gate_of(QueueId queue) const;
  Time opening_of(QueueId queue) const;
  void update_gate(QueueId queue);
  void update_gates();

 private:
  friend class UrlFrontier;
  struct Candidate {
    QueueItem item;
    bool again = false;  // it was completed before

    PageId page() const { return item.page(); }
    bool better_than(const Candidate& other) const;
  };

  // url_frontier_calls.cc
  void note_put(PageId page, const UrlInput& input, bool is_new);

  // url_frontier_apply.cc
  bool all_pages(const std::vector<PageId>& pages) const;
  bool bring_back(PageId page);
  void distinct(std::vector<PageId>& pages);
  std::vector<Link> links_of(PageId from, const std::vector<PageId>& pages) const;
  void hide(PageId page);
  void schedule_again(PageId page, Time due);
  void forget_again(PageId page);
  void enter_light(const std::vector<PageId>& pages);
  void add_late(PageId parent, const std::vector<PageId>& links);
  bool put_in_flight(PageId page);
  void end_lease(PageId page);
  void put_back(PageId page, Time due);
  bool remove_one(PageId page, std::vector<PageId>& from_main);
  void set_location(PageId page, RecordAt at);

  // url_frontier_take.cc
  std::optional<Candidate> best();
  std::optional<Candidate> best_of(QueueId id);
  bool group();
  bool may_take(QueueId id, const TakeOptions& options);
  void take_from(const std::unordered_map<QueueId, std::size_t>& queues, const TakeOptions& options,
                 std::vector<Candidate>& chosen);
  void take_best(const TakeOptions& options, std::vector<Candidate>& chosen);
  void take_of_queue(QueueId queue, const TakeOptions& options, std::vector<Candidate>& chosen);
  void lease(const Candidate& candidate, const TakeOptions& options);
  void forget_full(std::size_t per_queue);

  // url_frontier_disk.cc
  Status make_folder();
  Status make_parts();
  Status restore(std::uint32_t from);
  Status load_snapshot(std::uint32_t& from);
  Status replay_frame(std::string_view frame, RecordAt at);
  Status end_orphaned_leases();
  Status save(ByteWriter& out) const;
  Status load(ByteReader& in);
  Status snapshot();
  Status rewrite_old_records();
  void warn(std::string text) { warnings_.push_back(std::move(text)); }

  UrlFrontierOptions options_;
  UrlFrontierDisk disk_;
  UrlJournal journal_;
  std::unique_ptr<UrlTable> urls_;
  QueueTable queues_;
  mutable DirectoryNumbers directories_;
  std::unique_ptr<Frontier> main_;        // URLs that were never completed
  PriorityPolicy* priorities_ = nullptr;  // its ordering
  std::unique_ptr<RevisitQueue> revisits_;

  LazyArray<RecordAt> records_;  // by page, as far as there are records
  std::unordered_map<std::uint32_t, SegmentUse> segments_;
  LazyArray<std::uint64_t> removed_;  // a bit per page
  std::unordered_map<PageId, Time> leases_;
  std::set<std::pair<Time, PageId>> ends_;  // ends of leases
  std::unordered_map<PageId, std::vector<PageId>> collected_;

  UrlFrontierStats counts_;
  bool active_ = true;
  Duration delay_{};
  Time now_{};
  Status status_;
  std::vector<std::string> warnings_;

  // Queues that are closed in this process only: by the caller's gate; with too many leased URLs for
  // take(); skipped in this call.
  struct {
    std::unordered_map<QueueId, Time> held;
    std::unordered_set<QueueId> full;
    std::size_t full_at = 0;
    std::unordered_set<QueueId> passed;
  } closed_;

  struct Written {
    PageId page;
    std::size_t position;
    std::string record;  // without a folder only
  };
  struct Call {
    std::string frame;
    std::vector<Written> written;
    std::vector<QueueId> touched;
    bool changed = false;
    std::optional<Visit> visit;  // of the last UrlCompleted
    bool chosen = false;         // the UrlTaken is about the page that best() has just returned
    Url url;                     // scratch
  };
  Call call_;
};

}  // namespace bowerbird
