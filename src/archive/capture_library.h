// Archives opened for reading: the captures of a URL, the response of a capture, the list of pages.
//
// Opens the folder of a crawl or fleet, a WACZ, WARC files, or several of these. Captures are found
// through the index of the crawl or WACZ; if there is none, or it is older than the archive, one is built
// in memory. Records are read in place: nothing is decompressed ahead. Files are mapped; they may grow,
// but must not shrink while they are open. All content is hostile: data that cannot be read is an error
// with the file name, and a body in memory is limited to kLargestBody. Threads: const members may be
// called from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/capture_index.h"
#include "base/progress.h"
#include "base/result.h"
#include "store/other_payloads.h"

namespace bowerbird {

class CaptureSource;
class CapturedBody;
class MappedFile;
class WarcReader;
struct WarcHead;
class ZipReader;

// A capture, and the archive with it.
struct FoundCapture {
  IndexedCapture entry;
  std::size_t part = 0;
};

// A response without transfer and content codings.
struct ArchivedResponse {
  unsigned status = 0;
  std::string head;  // status line and header fields, as stored
  std::string body;
};

// A URL whose captures are pages.
struct ArchivedPage {
  std::string url;
  std::string title;      // empty: unknown
  std::int64_t time = 0;  // of the last capture
  std::uint32_t captures = 0;
};

class CaptureLibrary {
 public:
  static constexpr std::size_t kLargestBody = std::size_t{512} << 20;

  // others: archives with the originals of revisits that are in none of these; null: none.
  static Result<std::unique_ptr<CaptureLibrary>> open(const std::vector<std::string>& paths,
                                                      const Progress& progress = {},
                                                      std::unique_ptr<OtherPayloads> others = nullptr);
  // Opens the crawl in this folder by its index, without the list of pages. Null: there is no index, or
  // the crawl has continued since it was written.
  static Result<std::unique_ptr<CaptureLibrary>> open_indexed(const std::string& crawl);
  ~CaptureLibrary();
  CaptureLibrary(const CaptureLibrary&) = delete;
  CaptureLibrary& operator=(const CaptureLibrary&) = delete;

  // The captures of exactly this URL; otherwise those of equivalent URLs (another scheme, "www.", session
  // ids), otherwise those of its canonical form. In the order of time.
  Result<std::vector<FoundCapture>> captures(std::string_view url) const;
  // Resolves revisits.
  Result<ArchivedResponse> load(const FoundCapture& capture) const;
  // The same with the first `most` bytes of the body.
  Result<ArchivedResponse> load_beginning(const FoundCapture& capture, std::size_t most) const;
  // The same, for bodies that do not fit into memory.
  Result<std::unique_ptr<CapturedBody>> open_body(const FoundCapture& capture) const;
  // Sorted by URL.
  const std::vector<ArchivedPage>& pages() const { return pages_; }
  // Visits the index entries of all captures of any type.
  Status for_each(const std::function<Status(const FoundCapture&)>& visit) const;

 private:
  struct Part {
    std::string name;  // for error messages
    std::unique_ptr<CaptureIndex> index;
    std::unordered_map<std::string, std::string_view> files;  // WARC files by the name that the index uses
    std::vector<std::shared_ptr<const MappedFile>> mapped;
  };

  CaptureLibrary() = default;
  Status add_wacz(const std::string& path, const Progress& progress);
  Status add_wacz_files(const ZipReader& zip, Part& part);
  Status add_wacz_index(const ZipReader& zip, Part& part);
  Status add_wacz_pages(const ZipReader& zip);
  static Result<Part> make_part(const CaptureSource& source, const std::string& name);
  Status add_source(const std::vector<std::string>& paths, std::unique_ptr<CaptureIndex> index,
                    const Progress& progress);
  void add_page(std::string_view url, std::string_view title, std::int64_t time);
  void finish_pages();
  Result<std::vector<FoundCapture>> find(std::string_view url) const;
  Result<std::unique_ptr<WarcReader>> open_record(const FoundCapture& capture) const;
  Result<std::unique_ptr<WarcReader>> open_original(const FoundCapture& capture,
                                                    const WarcHead& revisit) const;
  std::unique_ptr<WarcReader> open_elsewhere(const FoundCapture& capture) const;

  std::vector<Part> parts_;
  mutable std::mutex others_mutex_;
  std::unique_ptr<OtherPayloads> others_;
  std::vector<ArchivedPage> pages_;
};

// The capture nearest to a time. `captures` must be sorted and not empty.
std::size_t nearest_capture(const std::vector<FoundCapture>& captures, std::int64_t time);

// Whether the page forbids showing it from an archive: noarchive in X-Robots-Tag or in a meta element.
bool says_noarchive(const ArchivedResponse& response);
// The title of an HTML page; empty: none.
std::string title_of(const ArchivedResponse& response);

}  // namespace bowerbird
