// The pages of WARC files as files in a folder.
//
// Each response becomes a file OUT/host/path with its codings undone (archive/captured_body.h), piece by
// piece. Names are safe on any file system and never outside of OUT (store/file_names.h); a name that is
// taken gets a number. A revisit record becomes a file too, with the payload of its original if
// that is in one of the files: by the digest of the payload. For this, 32 bytes are kept for each response.
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct ExtractOptions {
  std::vector<std::string> files;  // or folders (warc_files)
  std::string out;
  std::string url;   // this one only; empty: all
  int status = 200;  // responses with this status only; 0: all
};

struct ExtractCounts {
  std::uint64_t written = 0;
  std::uint64_t bytes = 0;
  std::uint64_t resolved = 0;      // of `written`: revisits, with the payload of another record
  std::uint64_t revisits = 0;      // left out: their payload is in none of the files
  std::uint64_t other_status = 0;  // left out
  std::uint64_t undecoded = 0;     // written as they are
  std::uint64_t cut = 0;           // written up to the limit for what a coding unfolds to
};

Result<ExtractCounts> extract_pages(const ExtractOptions& options, const Progress& progress);

}  // namespace bowerbird
