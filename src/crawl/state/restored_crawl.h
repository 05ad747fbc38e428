// Opens the crawl in a folder: the only way to restore its state from disk.
//
// Used to resume, to inspect (status, why, urls, report), to take over a lost process, and to merge.
// There are two steps, because the first is quick and the second may take minutes: open() reads the last
// commit and, for kResume, locks the folder; restore() rebuilds the state from the snapshot and the
// events after it, or from the whole journal if the snapshot or a file that it refers to is damaged. Only
// kResume writes to the folder; kRead may be used while the crawl runs. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/crawl_status.h"
#include "store/crawl_reader.h"
#include "store/crawl_store.h"
#include "store/link_rows.h"
#include "store/spill_folder.h"

namespace bowerbird {

enum class OpenPurpose : std::uint8_t {
  kResume,  // resume or start a crawl: the folder is locked and written to
  kRead,    // read only, even while the crawl runs
};

class RestoredCrawl {
 public:
  // kRead: only options.out is used; the fixed options are read from the folder. kResume: the folder may
  // be new. Fails if a fixed option differs.
  static Result<std::unique_ptr<RestoredCrawl>> open(const CrawlOptions& options, OpenPurpose purpose);
  static Result<std::unique_ptr<RestoredCrawl>> open_to_read(const std::string& folder);
  RestoredCrawl(const RestoredCrawl&) = delete;
  RestoredCrawl& operator=(const RestoredCrawl&) = delete;

  // ---- After open()
  const CrawlOptions& options() const { return options_; }
  bool resumed() const { return store_ == nullptr || store_->resumed(); }
  const CrawlCounts& counts() const { return counts_; }
  const CrawlMoment& moment() const { return moment_; }
  CrawlEnd end() const { return end_; }
  CrawlReader& reader() { return *reader_; }
  const CrawlReader& reader() const { return *reader_; }
  CrawlStore& store() { return *store_; }  // kResume only

  // kRead, before restore(): also load the last visit of each page.
  void read_visits() { reads_visits_ = true; }

  // ---- restore()
  Status restore();
  // Instead of restore(), to observe the replay: make_state(), then replay everything. observe(event,
  // apply) sees each event and calls apply() to apply it.
  using Observer = std::function<Status(const CrawlEvent& event, const std::function<Status()>& apply)>;
  Status make_state();
  Status replay_from_beginning(const Observer& observe);

  CrawlState& state() { return *state_; }
  const CrawlState& state() const { return *state_; }
  SpillFolder& spill() { return *spill_folder_; }
  // kResume: the function that writes pending rows to links.log.
  void set_row_writer(std::function<Status()> write) { write_rows_ = std::move(write); }
  // The links of the row-th finished page.
  Status read_row(std::uint64_t row, PageLinks& links);
  // Problems found in the folder, and how they were handled.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  RestoredCrawl(const CrawlOptions& options, OpenPurpose purpose) : options_(options), purpose_(purpose) {}
  Status open_store();
  Status open_reader();
  Status read_counts(const std::string& state);
  CrawlStateOptions state_options() const;
  template <typename Source>
  Status restore_from(Source& source, bool with_snapshot);
  Status replay(const Event& event, const Observer* observe = nullptr);
  Status read_later_rows(std::uint64_t rows, const std::function<void(const PageLinks&)>& visit) const;

  CrawlOptions options_;
  OpenPurpose purpose_;
  bool reads_visits_ = false;
  std::unique_ptr<CrawlStore> store_;    // kResume
  std::unique_ptr<CrawlReader> reader_;  // kRead, and kResume during the replay
  CrawlCounts counts_;
  CrawlMoment moment_;
  CrawlEnd end_ = CrawlEnd::kNotYet;
  std::unique_ptr<SpillFolder> spill_folder_;
  std::unique_ptr<MemorySpill>
      spill_memory_;  // kRead: what the replay spills; files of the folder are only read
  std::unique_ptr<LinkRows> rows_;
  std::uint64_t readable_rows_ = 0;
  std::function<Status()> write_rows_;
  std::unique_ptr<CrawlState> state_;
  std::uint64_t events_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace bowerbird
