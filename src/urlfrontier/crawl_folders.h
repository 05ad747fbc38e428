// The crawls of a URLFrontier service: one UrlFrontier per crawl ID, each in its own folder.
//
// Problem: the service has any number of independent crawls, and two settings of its own: whether it is
// active, and the default delay of queues. A restart keeps all of it. Layout: FOLDER/lock,
// FOLDER/settings.json, FOLDER/crawl-NAME for each crawl; bytes of the ID other than letters, digits, '-'
// and '_' are written as %XX. To delete a crawl, its folder is first renamed to deleted-N; remains are
// removed when the folder is opened again. Settings are written first and then passed to the crawls, and
// passed to them again when the folder is opened. Threads: any. A crawl is used under its own mutex;
// `frontier` is null once the crawl is deleted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "sys/disk.h"
#include "urlfrontier/url_frontier.h"

namespace bowerbird {

struct CrawlFoldersOptions {
  std::string folder;
  std::string policy = {};   // of new crawls; empty: the default
  std::uint64_t memory = 0;  // limit of each crawl in bytes; 0: none
  bool durable = false;      // commit() syncs
  Duration delay = 1s;       // default delay of queues, for a new folder
  std::size_t most_crawls = 64;
};

struct ServedCrawl {
  explicit ServedCrawl(std::string given) : name(std::move(given)) {}
  const std::string name;
  Mutex mutex;
  std::unique_ptr<UrlFrontier> frontier GUARDED_BY(mutex);
};

// Whether a crawl ID is short enough for the name of a folder.
bool is_crawl_name(std::string_view name);

class CrawlFolders {
 public:
  // An error: the folder is in use, or one of its crawls is damaged.
  static Result<std::unique_ptr<CrawlFolders>> open(const CrawlFoldersOptions& options, Time now);

  std::vector<std::shared_ptr<ServedCrawl>> all() const;
  std::shared_ptr<ServedCrawl> find(std::string_view name) const;  // null: unknown
  // An error: a name that cannot be a folder name, too many crawls, or a disk error.
  Result<std::shared_ptr<ServedCrawl>> find_or_make(std::string_view name, Time now);
  // Returns the number of its URLs; 0: unknown crawl.
  Result<std::uint64_t> remove(std::string_view name);

  bool active() const;
  Status set_active(bool active, Time now);
  Status set_delay(Duration delay, Time now);
  // Writes snapshots, so that the next open() is fast. Nothing may be called afterwards.
  Status close();

 private:
  explicit CrawlFolders(const CrawlFoldersOptions& options) : options_(options) {}
  Status read_settings() REQUIRES(mutex_);
  Status write_settings() REQUIRES(mutex_);
  Status remove_folder(const std::string& name);
  Result<std::shared_ptr<ServedCrawl>> open_crawl(const std::string& name, Time now) REQUIRES(mutex_);
  Status tell_settings(Time now) REQUIRES(mutex_);

  const CrawlFoldersOptions options_;
  std::unique_ptr<DiskLock> lock_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<ServedCrawl>, std::less<>> crawls_ GUARDED_BY(mutex_);
  bool active_ GUARDED_BY(mutex_) = true;
  Duration delay_ GUARDED_BY(mutex_){};
  std::uint64_t deleted_ GUARDED_BY(mutex_) = 0;  // number of the next deleted folder
};

}  // namespace bowerbird
