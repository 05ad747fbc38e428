// The URLs of a UrlFrontier: text and queue of each page id, and the id of each text.
//
// Without a folder, all texts are in one array in memory. With a folder, they are in compressed blocks of
// urls.log; the last block is in memory until it is full. urls.log is derived from the journal, which has
// every new URL: after a crash it is truncated to its length at the snapshot, and replaying the later
// events appends the rest again. Ownership: the files urls.log and known/ of the folder. Threads: one
// owner. Disk errors are permanent and reported by status().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/lazy_array.h"
#include "base/result.h"
#include "base/run_array.h"
#include "store/known_urls.h"
#include "store/url_texts.h"
#include "sys/disk.h"
#include "urlfrontier/queue_table.h"

namespace bowerbird {

struct UrlTableOptions {
  Disk* disk = &Disk::real();
  std::string folder;             // empty: in memory
  std::uint64_t known_bytes = 0;  // memory limit for fingerprints; 0: none
  std::uint64_t cache_bytes = std::uint64_t{8} << 20;
  bool durable = false;
};

class UrlTable final : public UrlSource {
 public:
  // Fails if urls.log cannot be opened. Until load() is called, the table and the file are empty.
  static Result<std::unique_ptr<UrlTable>> make(const UrlTableOptions& options);

  PageId size() const { return static_cast<PageId>(queues_.size()); }
  PageId find(std::uint64_t fingerprint) { return known_.find(fingerprint); }
  // The URL must be unknown.
  PageId add(std::uint64_t fingerprint, std::string_view url, QueueId queue);
  Result<std::string> url(PageId page) override;
  QueueId queue(PageId page) const { return queues_[page]; }

  const Status& status() const { return status_.ok() ? known_.status() : status_; }
  std::uint64_t bytes() const;

  // Writes all texts to urls.log, and syncs it if durable. Without a folder: does nothing.
  Status flush();
  // Call flush() before.
  void save(ByteWriter& out) const;
  // The table must be new. An error names the damaged file.
  Status load(ByteReader& in);

 private:
  explicit UrlTable(const UrlTableOptions& options);
  void append_text(std::string_view url);
  Status write_tail();
  Status read_texts(PageId count);
  void save_texts(ByteWriter& out) const;

  UrlTableOptions options_;
  KnownUrls known_;
  RunArray queues_;
  Status status_;
  // Without a folder:
  LazyArray<char> chars_;
  LazyArray<std::uint64_t> starts_;
  std::uint64_t chars_end_ = 0;
  // With a folder:
  std::shared_ptr<DiskFile> file_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<UrlTexts> texts_;
  Block tail_;
  BlockEncoder encoder_;
  std::string encoded_;
};

}  // namespace bowerbird
