// Options and counters of the store. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store/record_compressor.h"
#include "sys/disk.h"

namespace bowerbird {

struct StoreOptions {
  WarcCompression compression = WarcCompression::kGzip;
  int level = 0;                                      // 0: the default level of the compression
  std::uint64_t warc_bytes = std::uint64_t{1} << 30;  // size at which a WARC file is completed
  bool durable = true;              // false: no fsync; safe after a kill, but not after a power failure
  bool revisits = true;             // a payload that is already stored becomes a revisit record
  std::vector<std::string> others;  // archives whose payloads count as already stored (other_payloads.h)
  bool block_digests = false;       // WARC-Block-Digest of every record
  // With more than this waiting to be written, the store is congested.
  std::size_t queue_bytes = std::size_t{64} << 20;
  std::uint64_t payload_bytes = 0;                 // memory for digests of stored payloads; 0: no limit
  std::size_t sort_bytes = std::size_t{48} << 20;  // memory for sorting the index at the end
  std::string about;                               // set at creation; never changes
  std::vector<std::pair<std::string, std::string>> warcinfo;  // {"operator", "me <me@example.org>"} ...
  Disk* disk = &Disk::real();
};

struct StoreCounts {
  std::uint64_t fetches = 0;     // in the WARC files
  std::uint64_t revisits = 0;    // fetches stored without a payload
  std::uint64_t body_bytes = 0;  // as received
  std::uint64_t warc_bytes = 0;  // compressed
  std::uint64_t warc_files = 0;  // started
  std::uint64_t commits = 0;     // durable
  std::int64_t commit_us = 0;    // duration of the last one
  std::uint64_t queued_bytes = 0;
  std::uint64_t urls_written = 0;    // records that can be read from urls.log
  std::uint64_t urls_bytes = 0;      // length of urls.log at that time
  std::uint64_t payload_memory = 0;  // for digests of stored payloads
  std::uint64_t urls_memory = 0;     // for URL texts not yet written, the cache and the positions of blocks
};

}  // namespace bowerbird
