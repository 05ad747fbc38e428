// Extracts the pages of WARC files into a folder.
//
// Each response becomes a file OUT/host/path, decoded (archive/captured_body.h) and written in pieces.
// Names are safe on any file system and never outside of OUT (store/file_names.h); a name that is taken
// gets a number. A revisit record becomes a file too, with the payload of its original if that is in one
// of the files or of the other archives; it is found by its digest. This needs 32 bytes of memory per
// response. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "store/other_payloads.h"

namespace bowerbird {

struct ExtractOptions {
  std::vector<std::string> files;  // files or folders (warc_files)
  std::string out;
  std::string url;                  // only this URL; empty: all
  int status = 200;                 // only responses with this status; 0: all
  OtherPayloads* others = nullptr;  // archives with the originals of revisits that are in none of the files
};

struct ExtractCounts {
  std::uint64_t written = 0;
  std::uint64_t bytes = 0;
  std::uint64_t resolved = 0;      // revisits among `written`, with the payload of another record
  std::uint64_t revisits = 0;      // skipped, because their payload is in none of the files
  std::uint64_t other_status = 0;  // skipped
  std::uint64_t undecoded = 0;     // written without decoding
  std::uint64_t cut = 0;           // truncated at the limit for decompressed bodies
};

Result<ExtractCounts> extract_pages(const ExtractOptions& options, const Progress& progress);

}  // namespace bowerbird
