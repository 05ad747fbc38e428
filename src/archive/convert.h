// Rewrites WARC or ARC files with another compression, with an index for the new files.
//
// Records are not changed; those of ARC files become WARC records. The files go to a new folder, since
// the journal of a crawl has the positions of records in its own files. A file gets its name when it is
// complete. Memory: about 30 MiB (record_packer.h), and the sorting of the index. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "sys/stream.h"

namespace bowerbird {

struct ConvertOptions {
  std::vector<std::string> files;  // files or folders (warc_files)
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
