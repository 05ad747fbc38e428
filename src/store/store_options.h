// How a crawl is stored, and what the store counts.
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
  int level = 0;  // 0: our choice for that compression
  std::uint64_t warc_bytes = std::uint64_t{1}
                             << 30;  // a file that has reached this is sealed and another begun
  bool durable = true;               // false: no fsync; safe against kill, not against power failure
  bool revisits = true;              // a payload that is stored already becomes a revisit record
  std::vector<std::string> others;   // archives whose payloads count as stored (other_payloads.h)
  bool block_digests = false;        // WARC-Block-Digest of every record
  std::size_t queue_bytes = std::size_t{64} << 20;  // more than this waiting to be written: congested
  std::uint64_t payload_bytes = 0;                  // what is remembered of stored payloads; 0: all of them
  std::size_t sort_bytes = std::size_t{48} << 20;   // for the index that is written at the end
  std::string about;                                // at creation: kept for ever
  std::vector<std::pair<std::string, std::string>> warcinfo;  // {"operator", "me <me@example.org>"} ...
  Disk* disk = &Disk::real();
};

struct StoreCounts {
  std::uint64_t fetches = 0;     // in the WARCs
  std::uint64_t revisits = 0;    // of them without a payload of their own
  std::uint64_t body_bytes = 0;  // as fetched
  std::uint64_t warc_bytes = 0;  // as stored
  std::uint64_t warc_files = 0;  // begun
  std::uint64_t commits = 0;     // durable
  std::int64_t commit_us = 0;    // how long the last one took
  std::uint64_t queued_bytes = 0;
  std::uint64_t urls_written = 0;    // records of urls.log that can be read from it
  std::uint64_t urls_bytes = 0;      // its length then
  std::uint64_t payload_memory = 0;  // of the digests of stored payloads
  std::uint64_t urls_memory = 0;     // of the crawl's side: texts not yet written, the cache, places
};

}  // namespace bowerbird
