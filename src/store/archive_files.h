// The list of a crawl's WARC files, and the check that they are present.
//
// Problem: a commit record has the lengths of the open files, but not of files completed long ago. Each
// completed file is a line of warcs.log, "NAME BYTES", which is part of the commits. So a deleted or
// shortened file is detected. So is a journal restored from an older copy: completed files that it does
// not know show that the crawl had continued, and their pages would be stored twice. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/journal.h"
#include "sys/disk.h"

namespace bowerbird {

inline constexpr char kArchivePrefix[] = "bowerbird-";  // of all file names
inline constexpr char kArchiveList[] = "warcs.log";

// A line of warcs.log. name: relative to the crawl folder.
std::string archive_line(std::string_view name, std::uint64_t bytes);

struct ArchiveProblem {
  std::string file;  // its path
  std::string text;
};

// The problems of the files in warc/ compared with this commit: missing, too short, or unknown. May be
// used while the crawl runs. An error: the list itself cannot be read.
Result<std::vector<ArchiveProblem>> check_archive(Disk& disk, const std::string& folder,
                                                  const CommitRecord& commit);

}  // namespace bowerbird
