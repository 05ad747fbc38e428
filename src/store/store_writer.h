// The store's writer thread: executes jobs one by one, which write to the files of the commit group.
//
// Problem: hashing, compressing and writing a page takes longer than deciding about it, so the crawl's
// thread only passes it on. Invariant: jobs take effect in the order in which they were created, and a
// commit covers all jobs before it. Threads: one user at a time; no locks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "base/result.h"
#include "store/block_log.h"
#include "store/commit_group.h"
#include "store/fetch_record.h"
#include "store/known_payloads.h"
#include "store/other_payloads.h"
#include "store/store_options.h"
#include "store/warc_writer.h"

namespace bowerbird {

struct BlockJob {
  const char* file;  // one of crawl_files
  Block block;
};
struct EventsJob {
  std::string events;
};
struct LogJob {
  std::string line;
};
struct CommitJob {
  std::string state;
  std::optional<SnapshotDraft> snapshot;
  bool seal = false;  // also seal the open WARC file
};
struct FenceJob {
  std::function<Status()> may_commit;
};
using StoreJob = std::variant<BlockJob, EventsJob, StoredFetch, StoredRecord, LogJob, CommitJob, FenceJob>;
std::size_t job_bytes(const StoreJob& job);

class StoreWriter {
 public:
  // The group must have the files of a crawl. Reads the known payloads.
  static Result<std::unique_ptr<StoreWriter>> make(std::unique_ptr<CommitGroup> group,
                                                   const std::string& folder, const StoreOptions& options);
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  Status run(StoreJob& job);
  // Computes the digests of the next pages in the queue; several at a time are cheaper.
  static void find_digests(std::span<StoreJob> jobs);
  const StoreCounts& counts() const { return counts_; }

 private:
  class OpenWarc;
  StoreWriter(std::unique_ptr<CommitGroup> group, std::string folder, const StoreOptions& options);

  Status resume();
  Status run(BlockJob& job);
  Status run(EventsJob& job) { return group_->add_events(job.events); }
  Status run(StoredFetch& fetch);
  Status run(StoredRecord& record);
  Status run(LogJob& job) { return group_->file("crawl.jsonl").append(job.line); }
  Status run(CommitJob& job);
  Status run(FenceJob& job);

  Status want_warc(std::int64_t time_us);
  Status flush_fetches();
  Result<std::optional<Original>> original_of(const StoredFetch& fetch, const Sha1& digest);
  Result<std::string> url_of(PageId page);
  Status log_fetch(const StoredFetch& fetch, const FetchEntry& entry);
  void count(const StoredFetch& fetch, const Sha1& digest, bool revisit);
  std::string state() const;
  void note_urls();

  std::unique_ptr<CommitGroup> group_;
  std::string folder_;
  StoreOptions options_;
  StoreCounts counts_;
  BlockEncoder encoder_;
  std::string encoded_;
  WarcWriter warcs_;
  std::unique_ptr<OpenWarc> warc_;  // null: the next fetch starts one
  Block fetches_;                   // not yet written to fetches.log
  KnownPayloads known_;
  std::unique_ptr<OtherPayloads> others_;  // null: no other archives
  std::unique_ptr<BlockReader> urls_;
  std::string line_;
};

}  // namespace bowerbird
