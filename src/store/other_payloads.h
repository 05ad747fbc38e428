// Payloads that other archives contain, so that they need not be stored again: crawl folders, WARC files
// and CDXJ indexes.
//
// The digests are sorted into a file that is unlinked once it is written. Every 128th digest is in
// memory, so an archive of 100 million pages takes 10 MB. A lookup costs one read. Other archives may
// change or vanish while they are used: what cannot be read is not found, and the page is stored
// completely. 96 bits of each digest are compared, as in known_payloads.h. Only SHA-1 digests are used.
// Ownership: keeps the archives open. Threads: one user.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "parse/sha1.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"
#include "sys/disk.h"

namespace bowerbird {

// A response in an archive.
struct StoredPayload {
  Original original;
  std::string path;  // of the WARC file
  std::uint64_t offset = 0;
};

class OtherPayloads {
 public:
  // scratch: a temporary file. memory: about, for sorting.
  static Result<std::unique_ptr<OtherPayloads>> open(Disk& disk, const std::vector<std::string>& paths,
                                                     const std::string& scratch, std::size_t memory);
  ~OtherPayloads();
  OtherPayloads(const OtherPayloads&) = delete;
  OtherPayloads& operator=(const OtherPayloads&) = delete;

  std::optional<Original> find(const Sha1& digest);
  std::optional<StoredPayload> locate(const Sha1& digest);
  // A reader at the block of the record with this payload; null: it is not there, or not any more.
  std::unique_ptr<WarcReader> open_record(const Sha1& digest);
  std::uint64_t size() const { return rows_; }

 private:
  class Source;
  class CrawlSource;
  class WarcSource;
  class CdxjSource;
  using Key = std::array<char, 12>;
  struct Position {
    std::uint32_t source = 0;
    std::uint64_t at = 0;
  };

  OtherPayloads();
  static Result<std::unique_ptr<Source>> open_source(const std::string& path);
  static Key key_of(const Sha1& digest);
  Status write_rows(class LineSorter& lines, Disk& disk, const std::string& path);
  std::optional<Position> place_of(const Key& key) const;

  std::vector<std::unique_ptr<Source>> sources_;
  std::unique_ptr<DiskFile> file_;
  std::vector<Key> fences_;  // every kRowsInBlock-th key
  std::uint64_t rows_ = 0;
};

}  // namespace bowerbird
