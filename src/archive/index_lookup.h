// Where the captures of a URL lie, by the index of a crawl: a binary search instead of reading the archive.
//
// The index is written when a crawl ends. If the crawl went on since, it is not used. The file is mapped;
// lines come from strangers if the folder does. Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file.h"

namespace bowerbird {

struct IndexedRecord {
  std::string path;  // of the WARC file
  std::uint64_t offset = 0;
};

class IndexLookup {
 public:
  // Null: the folder has no index that is as new as the crawl.
  static Result<std::unique_ptr<IndexLookup>> open(const std::string& folder);

  // In the order of time. url: exactly as stored.
  std::vector<IndexedRecord> find(std::string_view url) const;

 private:
  IndexLookup(std::string folder, std::shared_ptr<const MappedFile> index)
      : folder_(std::move(folder)), index_(std::move(index)) {}

  std::string folder_;
  std::shared_ptr<const MappedFile> index_;
};

}  // namespace bowerbird
