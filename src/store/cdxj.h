// The index of a crawl's WARC files in CDXJ, as pywb reads it: one line of JSON per stored response,
// sorted by URL and time.
//
//   org,example)/a 20261116052000
//   {"url":"...","mime":"text/html","status":"200","digest":"...","length":"...",...}
//
// Lines are sorted in runs that fit into memory, and the runs are merged from a temporary file. Threads:
// any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/fetch_record.h"
#include "sys/disk.h"

namespace bowerbird {

// The fields of a line. Views are valid during the call.
struct IndexEntry {
  std::string_view url;
  std::int64_t time_us = 0;
  std::string_view mime;
  unsigned status = 0;
  std::string_view digest;
  std::uint64_t length = 0;
  std::uint64_t offset = 0;
  std::string_view file;
  bool noarchive = false;  // "robotflags":"A", as in the CDX format
};

// key: the sort key of the line (store/surt.h).
std::string cdxj_line(std::string_view key, const IndexEntry& entry);
std::string cdxj_line(std::string_view url, const FetchEntry& entry);

// Sorts any number of lines by their bytes.
class LineSorter {
 public:
  // Runs of about `memory` bytes go to the file `scratch`, which is only created if there is more than
  // one run.
  LineSorter(Disk& disk, std::string scratch, std::size_t memory);
  ~LineSorter();
  LineSorter(const LineSorter&) = delete;
  LineSorter& operator=(const LineSorter&) = delete;

  Status add(std::string line);  // without the line end
  // Visits all lines in order. May be called once.
  Status finish(const std::function<Status(std::string_view)>& visit);

 private:
  struct Run;
  Status spill();
  Status merge(const std::function<Status(std::string_view)>& visit);

  Disk& disk_;
  std::string scratch_;
  std::size_t memory_;
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;
  std::unique_ptr<DiskFile> file_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs_;  // begin and end in the file
  std::uint64_t written_ = 0;
};

// Rewrites index.cdxj of a crawl folder from its last commit. memory: about, for sorting.
Status write_crawl_index(const std::string& folder, Disk& disk, std::size_t memory = std::size_t{48} << 20);

}  // namespace bowerbird
