// The captures of an archive, wherever they lie: the folder of a crawl, the folder of a fleet, or WARC files.
//
// Problem: a package, an export and a replay all need the same two things, the files and what is in them. A
// crawl knows both (its last commit says how long each file is, so that one that is running can be read);
// WARC files of others are read through once. Ownership: a source holds its folders open; views handed to
// callbacks live for the call. Threads: one user at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct CaptureFile {
  std::string path;
  std::string name;         // without folder and ".open"; unique within the source
  std::uint64_t bytes = 0;  // of the file as stored that count
};

struct Capture {
  std::string_view url;
  std::int64_t time_us = 0;
  unsigned status = 0;
  bool revisit = false;
  bool noarchive = false;     // the page asks not to be shown from an archive
  bool prerequisite = false;  // fetched for the crawl itself: robots.txt
  std::string_view mime;
  std::string_view digest;
  std::string_view title;  // empty: none, or not known
  std::size_t file = 0;    // in files()
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // as stored

  bool is_page() const;  // something to read rather than a part of it, that was there
};

class CaptureSource {
 public:
  virtual ~CaptureSource() = default;
  virtual const std::vector<CaptureFile>& files() const = 0;
  // In the order of their files.
  virtual Status for_each(const std::function<Status(const Capture&)>& visit, const Progress& progress) = 0;
};

// paths: folders of crawls, or of fleets, or WARC files; not mixed. Without `page_facts`, titles and
// noarchive are not known of captures in WARC files, and their pages are not read.
Result<std::unique_ptr<CaptureSource>> open_captures(const std::vector<std::string>& paths,
                                                     bool page_facts = true);

// The crawls that a path stands for: its own folder, or those in the folder of a fleet; none for a file.
std::vector<std::string> crawl_folders(const std::string& path);

}  // namespace bowerbird
