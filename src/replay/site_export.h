// Writes an archive as a folder that any browser can open without archive software.
//
// For each URL, the last capture with status 200 becomes a file (replay/site_files.h). Links between
// captured URLs, including redirects, become relative; others stay absolute. index.html lists the pages.
// The folder gets its name when everything is written; an existing folder is not changed. Each page is in
// memory completely, and so are all file names. Threads: one.
#pragma once

#include <cstdint>
#include <string>

#include "archive/capture_library.h"
#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct SiteExportOptions {
  std::string out;
  std::string title;
  bool respect_noarchive = false;  // leave out pages with noarchive
};

struct SiteExportCounts {
  std::uint64_t files = 0;
  std::uint64_t pages = 0;  // part of `files`
  std::uint64_t bytes = 0;
  std::uint64_t noarchive = 0;   // pages with noarchive
  std::uint64_t unreadable = 0;  // captures that were skipped
};

Result<SiteExportCounts> export_site(const CaptureLibrary& library, const SiteExportOptions& options,
                                     const Progress& progress = {});

}  // namespace bowerbird
