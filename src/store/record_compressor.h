// Compresses one WARC record into its stored form: plain, a gzip member, or a zstd frame, so that each
// record can be read separately.
//
// Memory: the output buffer grows to the largest record so far, up to a limit, and is reused. Threads:
// one user. WARC 1.1 Annex D (gzip per record); "Zstandard Compression for WARC Files 1.0" of the IIPC (a
// frame per record with content size and checksum, no dictionary).
#pragma once

#include <memory>
#include <string_view>

#include "sys/stream.h"

namespace bowerbird {

using WarcCompression = Compression;

class RecordCompressor {
 public:
  // level 0: the default for crawling, which is fast.
  RecordCompressor(WarcCompression compression, int level);
  ~RecordCompressor();
  RecordCompressor(const RecordCompressor&) = delete;
  RecordCompressor& operator=(const RecordCompressor&) = delete;

  WarcCompression compression() const { return compression_; }
  // The view is valid until the next call, and while `record` exists.
  std::string_view pack(std::string_view record);

 private:
  struct Context;
  WarcCompression compression_;
  std::unique_ptr<Context> context_;
};

}  // namespace bowerbird
