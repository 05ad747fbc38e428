// The store of a crawl: everything that was fetched and decided, in one folder that survives a kill at
// any moment.
//
// Problem: pages, URLs, links, events and counters must be consistent after a crash, and writing must not
// delay fetching. Invariant: after kill -9 (and, if durable, after a power failure) open() finds
// everything that was added before the last durable commit, and nothing that was added later: no page is
// stored twice, none is lost. Use: open(); if resumed(): for_each_url, snapshot, replay; then add_*, and
// commit() about once a second. Errors of the writer (such as a full disk) are sticky and reported by
// status(). The crawl then stops, and can be resumed. Threads: the crawl's thread calls everything here.
// An internal writer thread compresses, writes and syncs; add_* and commit() only pass jobs to it and
// never wait. Files: docs/formats/crawl-folder.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "store/crawl_reader.h"
#include "store/fetch_record.h"
#include "store/links.h"
#include "store/store_options.h"
#include "store/url_texts.h"

namespace bowerbird {

class CrawlStore final : public UrlSource {
 public:
  enum class Presence {
    kCreate,  // the folder must not contain a crawl
    kResume,  // the folder must contain a crawl
    kEither,
  };

  static bool holds_crawl(const std::string& folder) { return CrawlReader::holds_crawl(folder); }
  // Locks the folder (the error names the process that has the lock), creates or recovers the crawl, and
  // starts the writer.
  static Result<std::unique_ptr<CrawlStore>> open(const std::string& folder, const StoreOptions& options,
                                                  Presence presence = Presence::kEither);
  // Without close(), destruction is like a crash: uncommitted data is lost.
  ~CrawlStore() override;
  CrawlStore(const CrawlStore&) = delete;
  CrawlStore& operator=(const CrawlStore&) = delete;

  // What open() found. Later additions do not change it.
  bool resumed() const;
  const std::string& about() const;
  const std::string& state() const;
  Status for_each_url(const std::function<void(PageId, std::string_view)>& visit) const;
  Status for_each_terms(const std::function<Status(PageId, const PageTerms&)>& visit) const;
  Result<std::optional<SavedState>> snapshot();
  // The events after the snapshot if snapshot() returned one; otherwise all events.
  Status replay(const std::function<Status(const Event&)>& visit) const;

  // The number of URLs added so far, which is the next id.
  PageId pages() const;
  PageId add_url(std::string_view url);
  // The URL of a page that was added in this run or an earlier one.
  Result<std::string> url(PageId page) override;
  // Memory limit for the cache of decompressed URLs.
  void limit_url_cache(std::uint64_t bytes);
  // type: at least kFirstCrawlEvent.
  void add_event(std::uint8_t type, std::string_view payload);
  // The page is done, with these links: adds an event of type kLinksEvent with this payload, and a row of
  // links.log.
  void add_links(PageId page, std::span<const StoredLink> links, std::string_view payload = {});
  // Links that a further visit of the page has found.
  void add_later_links(PageId page, std::span<const StoredLink> links);
  // The words of a page and its links; links have the indexes of add_links().
  void add_terms(PageId page, const PageTerms& terms);
  void add_fetch(StoredFetch fetch);
  void add_record(StoredRecord record);
  // A line of crawl.jsonl, "{...}" without the line end, for a page without a WARC record.
  void add_log(std::string_view json_object);

  // Every later commit calls this in the writer's thread right before its record is written. It may block.
  // After an error there are no further commits. Empty: nothing is called.
  void set_fence(std::function<Status()> may_commit);
  // Starts a commit of everything added so far, together with the crawl's own state. Does not wait.
  void commit(std::string_view state);
  // Also writes a snapshot: calls `save` at once, which writes the crawl's current state. An error: no
  // commit was started.
  Status commit(std::string_view state, const SaveState& save);
  std::uint64_t commits_asked() const;
  std::uint64_t commits_done() const;  // durable
  // Waits until all commits are durable, or the writer has failed.
  Status wait_for_commits();

  // Whether so much data waits to be written that no fetch should be started.
  bool congested() const;
  void wait_while_congested();
  Status status() const;
  StoreCounts counts() const;
  // Leaves the reason for a failure in the folder (see look_at_lock). Works on a full disk.
  void leave_note(std::string_view text);

  // Makes the last commit, gives the open WARC file its name, and writes the index. Nothing may be added
  // afterwards.
  Status close(std::string_view state);

 private:
  class Impl;
  explicit CrawlStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bowerbird
