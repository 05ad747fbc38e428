// Which WARC files a crawl has, and whether they are there.
//
// Problem: a commit record has the lengths of the files that are still written, not of those completed long
// ago. Each completed file is a line of warcs.log, "NAME BYTES", which is committed with the rest. So a file
// that was deleted or cut is noticed. So is a journal that was put back from an older copy: completed files
// that it does not know prove that the crawl went further, and their pages would be stored twice. Threads:
// any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/journal.h"
#include "sys/disk.h"

namespace bowerbird {

inline constexpr char kArchivePrefix[] = "bowerbird-";  // of every file
inline constexpr char kArchiveList[] = "warcs.log";

// A line of warcs.log. name: relative to the folder of the crawl.
std::string archive_line(std::string_view name, std::uint64_t bytes);

struct ArchiveProblem {
  std::string file;  // its path
  std::string text;
};

// What is wrong with the files in warc/, as this commit knows them: missing, shorter, or unknown to it. A
// crawl may be running. An error: the list itself cannot be read.
Result<std::vector<ArchiveProblem>> check_archive(Disk& disk, const std::string& folder,
                                                  const CommitRecord& commit);

}  // namespace bowerbird
