// One WARC record as it lies in the file: plain, a gzip member, or a zstd frame of its own, so that each can
// be read alone.
//
// Memory: the output buffer grows to the largest record seen, up to a limit, and is used again. Threads: one
// user. WARC 1.1 Annex D (gzip per record); "Zstandard Compression for WARC Files 1.0" of the IIPC (a frame
// per record with content size and checksum, no dictionary).
#pragma once

#include <memory>
#include <string_view>

#include "sys/stream.h"

namespace bowerbird {

using WarcCompression = Compression;

class RecordCompressor {
 public:
  // level 0: what suits a crawler, fast first.
  RecordCompressor(WarcCompression compression, int level);
  ~RecordCompressor();
  RecordCompressor(const RecordCompressor&) = delete;
  RecordCompressor& operator=(const RecordCompressor&) = delete;

  WarcCompression compression() const { return compression_; }
  // The view lives until the next call, and as long as `record`.
  std::string_view pack(std::string_view record);

 private:
  struct Context;
  WarcCompression compression_;
  std::unique_ptr<Context> context_;
};

}  // namespace bowerbird
