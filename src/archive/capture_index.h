// Finds captures in a CDXJ index by the key of their URL (store/surt.h), without reading the whole index.
//
// Two formats: sorted lines, as in index.cdxj, found by binary search; and the two-level index of a WACZ,
// whose list of blocks (index.idx) says which gzip member of index.cdx.gz to decompress. Both may be
// hostile: invalid lines are skipped, and an unsorted index may give fewer results, but never wrong ones.
// Lifetime: an index keeps its memory alive through `owner`. Threads: const.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

struct IndexedCapture {
  std::string url;
  std::int64_t time = 0;  // seconds since 1970
  unsigned status = 0;    // 0: unknown
  std::string mime;
  std::string digest;
  bool revisit = false;
  std::string file;
  std::uint64_t offset = 0;
};

std::optional<IndexedCapture> parse_cdxj_line(std::string_view line);

// "20260131120000", or a prefix of it, which means the earliest such time; nullopt: invalid.
std::optional<std::int64_t> parse_timestamp(std::string_view digits);
std::string timestamp_of(std::int64_t time);

class CaptureIndex {
 public:
  using Visit = std::function<void(std::string_view line)>;
  virtual ~CaptureIndex() = default;
  // Visits the lines with this key, in order.
  virtual Status find(std::string_view key, const Visit& visit) const = 0;
  // Visits all lines.
  virtual Status for_each(const Visit& visit) const = 0;
};

// The index of the crawl in this folder; null: there is none, or the crawl has continued since it was
// written.
Result<std::unique_ptr<CaptureIndex>> open_crawl_index(const std::string& folder);
std::unique_ptr<CaptureIndex> make_line_index(std::string_view lines, std::shared_ptr<const void> owner);
// blocks: the text of index.idx. packed: the file with the compressed blocks. name: for error messages.
std::unique_ptr<CaptureIndex> make_block_index(std::string blocks, std::string_view packed, std::string name,
                                               std::shared_ptr<const void> owner);

}  // namespace bowerbird
