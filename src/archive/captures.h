// The captures of an archive of any kind: a crawl folder, a fleet folder, or WARC files.
//
// Problem: packaging, export and replay need the same two things: the files and the captures in them. A
// crawl folder has both (its last commit has the length of each file, so that a running crawl can be
// read); other WARC files are read through once. Ownership: a source keeps its folders open. Views passed
// to callbacks are valid during the call. Threads: one user at a time.
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
  std::string name;         // without the folder and ".open"; unique within the source
  std::uint64_t bytes = 0;  // the part of the file that is valid
};

struct Capture {
  std::string_view url;
  std::int64_t time_us = 0;
  unsigned status = 0;
  bool revisit = false;
  bool noarchive = false;     // a robots directive forbids showing the page from an archive
  bool prerequisite = false;  // fetched for the crawl itself, such as robots.txt
  bool requisite = false;     // fetched only because a page needs it, if the archive tells
  std::string_view mime;
  std::string_view digest;
  std::string_view title;  // empty: none, or unknown
  std::size_t file = 0;    // index in files()
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // compressed

  bool is_page() const;  // a document that was found, not a requisite
};

class CaptureSource {
 public:
  virtual ~CaptureSource() = default;
  virtual const std::vector<CaptureFile>& files() const = 0;
  // Visits the captures in the order of their files.
  virtual Status for_each(const std::function<Status(const Capture&)>& visit, const Progress& progress) = 0;
};

// paths: either folders of crawls or fleets, or WARC files; not mixed. Without `page_facts`, titles and
// noarchive are not known of captures in WARC files, and their pages are not read.
Result<std::unique_ptr<CaptureSource>> open_captures(const std::vector<std::string>& paths,
                                                     bool page_facts = true);

// The crawl folders that a path stands for: itself, or those in a fleet folder; none for a file.
std::vector<std::string> crawl_folders(const std::string& path);

}  // namespace bowerbird
