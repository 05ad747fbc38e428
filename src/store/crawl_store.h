// The store of a crawl: everything that came back and everything that was decided, in one folder that
// survives being killed at any instant.
//
// Problem: pages, URLs, links, events and counters must agree after a crash, and writing must not hold up
// fetching. Invariant: after kill -9 (and, where durable, after a power failure) open() finds everything that
// was added before the last durable commit, and nothing of what was added after it: no page is stored twice,
// none is lost. Use: open(); where resumed(): for_each_url, snapshot, replay; then add_*, and commit() about
// once a second. Errors of the writer (disk full ...) are sticky and show in status(): the crawl then stops,
// and can be resumed. Threads: one thread (the crawl's) calls everything here. A writer thread inside packs,
// writes and syncs; add_* and commit() only hand over and never wait. Files: docs/formats/crawl-folder.md.
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
    kCreate,  // the folder must not hold a crawl
    kResume,  // it must
    kEither,
  };

  static bool holds_crawl(const std::string& folder) { return CrawlReader::holds_crawl(folder); }
  // Takes the lock of the folder (an error names the process that has it), makes or recovers the crawl,
  // starts the writer.
  static Result<std::unique_ptr<CrawlStore>> open(const std::string& folder, const StoreOptions& options,
                                                  Presence presence = Presence::kEither);
  // Without close() this is like a crash: what was not committed is not there.
  ~CrawlStore() override;
  CrawlStore(const CrawlStore&) = delete;
  CrawlStore& operator=(const CrawlStore&) = delete;

  // What open() found: as it was then, whatever is added later.
  bool resumed() const;
  const std::string& about() const;
  const std::string& state() const;
  Status for_each_url(const std::function<void(PageId, std::string_view)>& visit) const;
  Status for_each_terms(const std::function<Status(PageId, const PageTerms&)>& visit) const;
  Result<std::optional<SavedState>> snapshot();
  // The events behind the snapshot, if snapshot() gave one, else all.
  Status replay(const std::function<Status(const Event&)>& visit) const;

  // The number of URLs added, which is the id of the next.
  PageId pages() const;
  PageId add_url(std::string_view url);
  // Of a page that was added, now or in an earlier run.
  Result<std::string> url(PageId page) override;
  // What the cache of unpacked URLs may take.
  void limit_url_cache(std::uint64_t bytes);
  // type: kFirstCrawlEvent or greater.
  void add_event(std::uint8_t type, std::string_view payload);
  // The page is done, and these are its links: an event of type kLinksEvent with this payload, and a row of
  // the crawl's graph.
  void add_links(PageId page, std::span<const StoredLink> links, std::string_view payload = {});
  // Links that a further visit of the page has found.
  void add_later_links(PageId page, std::span<const StoredLink> links);
  // The words of a page and of its links, whose places are those of add_links().
  void add_terms(PageId page, const PageTerms& terms);
  void add_fetch(StoredFetch fetch);
  void add_record(StoredRecord record);
  // A line of crawl.jsonl, "{...}" without its end, for what left nothing in a WARC.
  void add_log(std::string_view json_object);

  // Every commit asked for from now on calls this in the writer's thread, right before it takes effect. It
  // may block. After an error nothing is committed any more. Empty: no condition.
  void set_fence(std::function<Status()> may_commit);
  // Asks for everything added so far to be made durable, together with the crawl's own numbers, and goes on.
  void commit(std::string_view state);
  // `save` writes the crawl's state at this very moment, and is called at once. An error: nothing was asked
  // for.
  Status commit(std::string_view state, const SaveState& save);
  std::uint64_t commits_asked() const;
  std::uint64_t commits_done() const;  // durable
  // Until all that was asked for is done, or the writer failed.
  Status wait_for_commits();

  // So much waits to be written that no new fetch should be begun.
  bool congested() const;
  void wait_while_congested();
  Status status() const;
  StoreCounts counts() const;
  // Why the crawl fails, for whoever looks at the folder afterwards (look_at_lock); works on a full disk.
  void leave_note(std::string_view text);

  // A last commit; the open WARC gets its name; the index is written. Nothing may be added afterwards.
  Status close(std::string_view state);

 private:
  class Impl;
  explicit CrawlStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bowerbird
