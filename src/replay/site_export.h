// Writes an archive as a folder that any browser can open without archive software.
//
// Of each URL the last capture with status 200 becomes a file (replay/site_files.h). Links between captured
// URLs, redirects included, become relative; all others stay absolute. index.html lists the pages. Nothing is
// visible under the folder's name before everything is written; a folder that exists is not touched. A page
// is in memory as a whole, and so are the names of all files. Threads: one.
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
  bool respect_noarchive = false;  // pages that say noarchive are left out
};

struct SiteExportCounts {
  std::uint64_t files = 0;
  std::uint64_t pages = 0;  // of those
  std::uint64_t bytes = 0;
  std::uint64_t noarchive = 0;   // pages that say so
  std::uint64_t unreadable = 0;  // captures left out
};

Result<SiteExportCounts> export_site(const CaptureLibrary& library, const SiteExportOptions& options,
                                     const Progress& progress = {});

}  // namespace bowerbird
