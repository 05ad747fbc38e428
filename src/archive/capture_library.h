// Archives opened for looking at: the captures of a URL, the response that one of them holds, the list of
// pages.
//
// Opens the folder of a crawl or fleet, a WACZ, or WARC files, and several of these together. Captures are
// found through the index of the crawl or of the WACZ; where there is none, or it is older than the archive,
// one is made in memory. A record is read where it lies: nothing is unpacked ahead. Files are mapped; they
// may grow, but not shrink, while they are open. Everything in them is hostile: what cannot be read is an
// error that names the file, and a body in memory is limited to kLargestBody. Threads: const members may be
// called from many.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/capture_index.h"
#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

class CaptureSource;
class CapturedBody;
class MappedFile;
class WarcReader;
class ZipReader;

// A capture and the archive that it is in.
struct FoundCapture {
  IndexedCapture entry;
  std::size_t part = 0;
};

// A response as the server sent it, without transfer and content codings.
struct ArchivedResponse {
  unsigned status = 0;
  std::string head;  // status line and fields, as stored
  std::string body;
};

// A URL with captures that are pages.
struct ArchivedPage {
  std::string url;
  std::string title;      // empty: not known
  std::int64_t time = 0;  // of the last one
  std::uint32_t captures = 0;
};

class CaptureLibrary {
 public:
  static constexpr std::size_t kLargestBody = std::size_t{512} << 20;

  static Result<std::unique_ptr<CaptureLibrary>> open(const std::vector<std::string>& paths,
                                                      const Progress& progress = {});
  // Of the crawl in this folder, by its index, without the list of its pages; null: it has no index, or has
  // gone on since that was written.
  static Result<std::unique_ptr<CaptureLibrary>> open_indexed(const std::string& crawl);
  ~CaptureLibrary();
  CaptureLibrary(const CaptureLibrary&) = delete;
  CaptureLibrary& operator=(const CaptureLibrary&) = delete;

  // In the order of time. Those of exactly this URL, else those of URLs that archives hold to be the same
  // (another scheme, "www.", session identifiers), else those of its canonical form.
  Result<std::vector<FoundCapture>> captures(std::string_view url) const;
  // With revisits resolved.
  Result<ArchivedResponse> load(const FoundCapture& capture) const;
  // The same with the first `most` bytes of the body.
  Result<ArchivedResponse> load_beginning(const FoundCapture& capture, std::size_t most) const;
  // The same, for bodies that are too large for memory.
  Result<std::unique_ptr<CapturedBody>> open_body(const FoundCapture& capture) const;
  // Sorted by URL.
  const std::vector<ArchivedPage>& pages() const { return pages_; }
  // The index of all captures, whatever they are.
  Status for_each(const std::function<Status(const FoundCapture&)>& visit) const;

 private:
  struct Part {
    std::string name;  // for errors
    std::unique_ptr<CaptureIndex> index;
    std::unordered_map<std::string, std::string_view>
        files;  // the WARC files, by the names that the index has for them
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
  Result<std::unique_ptr<WarcReader>> open_record(const FoundCapture& capture, bool original) const;
  Result<std::unique_ptr<WarcReader>> open_original(const FoundCapture& capture, std::string_view url,
                                                    std::string_view date) const;

  std::vector<Part> parts_;
  std::vector<ArchivedPage> pages_;
};

// The capture nearest to a time; `captures` are in order, and there is one at least.
std::size_t nearest_capture(const std::vector<FoundCapture>& captures, std::int64_t time);

// Whether the page forbids archives to show it: noarchive in X-Robots-Tag or in a meta element.
bool says_noarchive(const ArchivedResponse& response);
// The title of a page of HTML; empty: none.
std::string title_of(const ArchivedResponse& response);

}  // namespace bowerbird
