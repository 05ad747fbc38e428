// Writes WARC or ARC files again with another compression, with an index for the new files.
//
// Records stay as they are; those of ARC files become WARC records. The files go into a folder of their own,
// since the journal of a crawl knows where in its own files each record is. A file appears under its name
// when it is complete. Memory: a record, at most 1 GiB, and the sorting of the index. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "sys/stream.h"

namespace bowerbird {

struct ConvertOptions {
  std::vector<std::string> files;  // or folders (warc_files)
  std::string out;                 // a folder
  Compression compression = Compression::kGzip;
};

struct ConvertCounts {
  std::uint64_t files = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;  // of the new files
};

Result<ConvertCounts> convert_warcs(const ConvertOptions& options, const Progress& progress);

}  // namespace bowerbird
