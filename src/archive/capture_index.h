// Finds captures in a CDXJ index by the key of their URL (store/surt.h), without reading the whole index.
//
// Two forms: lines in the order of their bytes, as in index.cdxj, found by binary search; and the two-level
// index of a WACZ, in which a list of blocks (index.idx) tells which gzip member of index.cdx.gz to unpack.
// Both come from strangers: a line that cannot be read is skipped, and an index that is not sorted finds
// less, never something wrong. Lifetime: an index keeps the memory it reads alive through `owner`. Threads:
// const.
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
  unsigned status = 0;    // 0: the index does not say
  std::string mime;
  std::string digest;
  bool revisit = false;
  std::string file;
  std::uint64_t offset = 0;
};

std::optional<IndexedCapture> parse_cdxj_line(std::string_view line);

// "20260131120000", or its beginning, which stands for the earliest such moment; nullopt: none of these.
std::optional<std::int64_t> parse_timestamp(std::string_view digits);
std::string timestamp_of(std::int64_t time);

class CaptureIndex {
 public:
  using Visit = std::function<void(std::string_view line)>;
  virtual ~CaptureIndex() = default;
  // The lines of this key, in order.
  virtual Status find(std::string_view key, const Visit& visit) const = 0;
  // All of them.
  virtual Status for_each(const Visit& visit) const = 0;
};

// Of the crawl in this folder; null: it has none, or has gone on since that was written.
Result<std::unique_ptr<CaptureIndex>> open_crawl_index(const std::string& folder);
std::unique_ptr<CaptureIndex> make_line_index(std::string_view lines, std::shared_ptr<const void> owner);
// blocks: the text of index.idx. packed: what its blocks lie in. name: for errors.
std::unique_ptr<CaptureIndex> make_block_index(std::string blocks, std::string_view packed, std::string name,
                                               std::shared_ptr<const void> owner);

}  // namespace bowerbird
