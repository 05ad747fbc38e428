// Writes captures as files that replay tools open: WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1).
//
// A WACZ is a ZIP of stored entries: WARC files in archive/, packed as gzip record by record (files that are
// packed otherwise, and ARC files, are written again), a two-level index in indexes/, the list of pages in
// pages/, and datapackage.json with a SHA-256 of each. Index lines stand under the key of `surt` and, where
// it differs, under that of ReplayWeb.page (store/surt.h). Memory: a few buffers, the sorting of the index, 8
// bytes per capture, and the places of the records of files that are written again. Nothing is visible under
// a file's name before it is whole. Threads: one user.
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
  std::vector<std::string> seeds;  // the first is the page that a viewer opens
  std::int64_t created_us = 0;     // wall clock
  std::size_t sort_bytes = std::size_t{24} << 20;
  PartOptions parts;                // split: out is "x.wacz", and the files are x-1.wacz, x-2.wacz ...
  OtherPayloads* others = nullptr;  // where originals of revisits may be
  // The text of a page, for search; none: without texts. payload: equal to the first but for revisits.
  std::function<std::string(const RecordPosition& capture, const RecordPosition& payload)> text;
  // Further entries: their names in the file, and their texts.
  std::vector<std::pair<std::string, std::string>> extra;
};

struct WaczCounts {
  std::uint64_t captures = 0;
  std::uint64_t pages = 0;
  std::uint64_t files = 0;      // in archive/
  std::uint64_t rewritten = 0;  // of those, because they were not gzip
  std::uint64_t bytes = 0;      // of the entries
  std::uint64_t noarchive = 0;  // captures of pages that ask not to be archived
  std::uint64_t left_out = 0;   // such captures that are not in the file
  std::uint64_t completed = 0;  // revisits that became full responses
  std::uint64_t missing = 0;    // revisits whose original is not at hand
  std::vector<std::string> outputs;
};

Result<WaczCounts> write_wacz(CaptureSource& source, const WaczOptions& options,
                              const Progress& progress = {});

}  // namespace bowerbird
