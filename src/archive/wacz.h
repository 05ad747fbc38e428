// Writes captures as packages for replay tools: WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1).
//
// A WACZ is a ZIP of stored entries: WARC files in archive/, compressed with gzip record by record
// (others, and ARC files, are rewritten), a two-level index in indexes/, the list of pages in pages/, and
// datapackage.json with a SHA-256 of each entry. Index lines have the key of `surt` and, if it differs,
// also that of ReplayWeb.page (store/surt.h). Memory: a few buffers, the sorting of the index, 8 bytes
// per capture, and the positions of records in rewritten files. A file gets its name when it is complete.
// Threads: one user.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "archive/captures.h"
#include "archive/full_responses.h"
#include "archive/wacz_parts.h"
#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct WaczOptions {
  std::string out;
  std::string title;               // of the collection
  std::vector<std::string> seeds;  // a viewer opens the first one
  std::int64_t created_us = 0;     // wall clock
  std::size_t sort_bytes = std::size_t{24} << 20;
  PartOptions parts;                // if split, out is "x.wacz" and the files are x-1.wacz, x-2.wacz ...
  OtherPayloads* others = nullptr;  // archives that may have the originals of revisits
  // Extracts the text of a page for search; empty: no texts. payload: differs from `capture` for
  // revisits.
  std::function<std::string(const RecordPosition& capture, const RecordPosition& payload)> text;
  // Further entries: names and contents.
  std::vector<std::pair<std::string, std::string>> extra;
};

struct WaczCounts {
  std::uint64_t captures = 0;
  std::uint64_t pages = 0;
  std::uint64_t files = 0;      // in archive/
  std::uint64_t rewritten = 0;  // of these, files that were not gzip
  std::uint64_t bytes = 0;      // of the entries
  std::uint64_t noarchive = 0;  // captures of pages with noarchive
  std::uint64_t left_out = 0;   // of these, captures that were left out
  std::uint64_t completed = 0;  // revisits that became full responses
  std::uint64_t missing = 0;    // revisits whose original was not found
  std::vector<std::string> outputs;
};

Result<WaczCounts> write_wacz(CaptureSource& source, const WaczOptions& options,
                              const Progress& progress = {});

}  // namespace bowerbird
