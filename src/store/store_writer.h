// What the store's writer thread does: takes jobs one by one and puts them into the files of the commit
// group.
//
// Problem: hashing, packing and writing a page takes longer than deciding about it; the crawl thread only
// hands over. Invariant: jobs take effect in the order they were made, and a commit covers all before it.
// Threads: one user at a time; no lock inside.
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
  bool seal = false;  // the open WARC too
};
struct FenceJob {
  std::function<Status()> may_commit;
};
using StoreJob = std::variant<BlockJob, EventsJob, StoredFetch, StoredRecord, LogJob, CommitJob, FenceJob>;
std::size_t job_bytes(const StoreJob& job);

class StoreWriter {
 public:
  // The group has the files of a crawl. Reads the known payloads.
  static Result<std::unique_ptr<StoreWriter>> make(std::unique_ptr<CommitGroup> group,
                                                   const std::string& folder, const StoreOptions& options);
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  Status run(StoreJob& job);
  // Finds the digests of the next pages among jobs that are about to be run: of several it costs less.
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
  std::unique_ptr<OpenWarc> warc_;  // null: the next fetch begins one
  Block fetches_;                   // not yet in a block of fetches.log
  KnownPayloads known_;
  std::unique_ptr<OtherPayloads> others_;  // null: none are named
  std::unique_ptr<BlockReader> urls_;
  std::string line_;
};

}  // namespace bowerbird
