// Reads a crawl folder up to its last commit, whether or not the crawl is running. Changes nothing.
//
// Ownership: keeps its files open. Views passed to callbacks are valid during the call. Threads: one user
// at a time.
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
#include "parse/page_terms.h"
#include "store/block_log.h"
#include "store/commit_group.h"
#include "store/fetch_record.h"
#include "store/links.h"
#include "store/url_texts.h"

namespace bowerbird {

// Event types below kFirstCrawlEvent are the store's, the others are the crawl's.
constexpr std::uint8_t kFirstCrawlEvent = 16;
constexpr std::uint8_t kLinksEvent = 1;       // a page is done; its links are a row of links.log
constexpr std::uint8_t kLaterLinksEvent = 2;  // links found by a further visit, encoded like such a row

struct Event {
  std::uint8_t type = 0;
  std::string_view payload;
  // For kLinksEvent only:
  PageId page = 0;
  std::span<const StoredLink> links;
};

// The files of a crawl folder.
namespace crawl_files {
inline constexpr char kUrls[] = "urls.log";
inline constexpr char kLinks[] = "links.log";
inline constexpr char kTerms[] = "terms.log";
inline constexpr char kFetches[] = "fetches.log";
inline constexpr char kLog[] = "crawl.jsonl";
inline constexpr char kLock[] = "lock";
inline constexpr char kIndex[] = "index.cdxj";
inline constexpr char kCookies[] = "cookies.txt";  // not part of commits
inline constexpr char kKnown[] = "known";          // a folder; not part of commits
inline constexpr char kSpill[] = "spill";
inline constexpr char kOthers[] = "dedup.rows";  // temporary; not part of commits
inline constexpr char kVisits[] =
    "visits.bin";  // not part of commits, but never ahead of them (visit_table.h)
}  // namespace crawl_files

class CrawlReader final : public UrlSource {
 public:
  static bool holds_crawl(const std::string& folder, Disk& disk = Disk::real());
  static Result<std::unique_ptr<CrawlReader>> open(const std::string& folder, Disk& disk = Disk::real());

  const std::string& about() const { return about_; }
  const std::string& state() const { return last_.record.state; }
  const CommitRecord& commit() const { return last_.record; }
  PageId pages() const { return static_cast<PageId>(records(crawl_files::kUrls)); }
  std::uint64_t crawled() const { return records(crawl_files::kLinks); }
  std::uint64_t fetches() const;  // of pages
  std::uint64_t pages_with_terms() const { return records(crawl_files::kTerms); }

  Status for_each_url(const std::function<void(PageId, std::string_view)>& visit) const;
  // page: less than pages(). Decompressed blocks are cached, so nearby pages are cheap.
  Result<std::string> url(PageId page) override;
  // In the order of completion.
  Status for_each_links(const std::function<Status(const PageLinks&)>& visit) const;
  // Links found by further visits, in the order in which they were found.
  Status for_each_later_links(const std::function<Status(const PageLinks&)>& visit) const;
  Status for_each_terms(const std::function<Status(PageId, const PageTerms&)>& visit) const;
  // Fetches of pages.
  Status for_each_fetch(const std::function<Status(const FetchEntry&)>& visit) const;
  // All stored responses, including robots.txt and others that are not pages.
  Status for_each_capture(const std::function<Status(const FetchEntry&)>& visit) const;
  Result<std::string> url(const FetchEntry& entry);
  // The capture that for_each_capture() visits at this position, from 0.
  Result<FetchEntry> capture(std::uint64_t number);
  std::string warc_path(const FetchEntry& entry) const;

  // The newest snapshot of the crawl's state.
  Result<std::optional<SavedState>> snapshot();
  // The events after the snapshot that snapshot() returned; all events if it returned none or was not
  // called.
  Status replay(const std::function<Status(const Event&)>& visit) const;
  Status replay_all(const std::function<Status(const Event&)>& visit) const;
  // The crawl's own events and the commits, from the beginning, without links.
  Status walk(const std::function<Status(const Event&)>& on_event,
              const std::function<Status(const CommitRecord&)>& on_commit) const;

 private:
  CrawlReader(Disk& disk, std::string folder, CommittedFolder found);
  std::uint64_t records(const char* file) const;
  Result<BlockReader> blocks(const char* file) const;
  Status for_each_record(const char* file,
                         const std::function<Status(VarintReader&, std::uint64_t)>& visit) const;
  Status each_event(const std::function<Status(const Event&)>& on_event,
                    const std::function<Status(const CommitRecord&)>& on_commit) const;
  Status replay_from(std::uint64_t journal_begin, std::uint64_t links_before,
                     const std::function<Status(const Event&)>& visit) const;

  Disk& disk_;
  std::string folder_;
  std::string about_;
  LastCommit last_;
  std::shared_ptr<const DiskFile> journal_;
  std::uint64_t replay_begin_ = 0;
  std::uint64_t replay_links_ = 0;
  std::unique_ptr<UrlTexts> urls_;
  std::unique_ptr<BlockReader> fetches_;  // for capture()
};

}  // namespace bowerbird
