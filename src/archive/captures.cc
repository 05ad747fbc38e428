#include "archive/captures.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "archive/record_facts.h"
#include "store/crawl_reader.h"
#include "store/warc_reader.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

// ---- Crawls

class CrawlCaptures final : public CaptureSource {
 public:
  static Result<std::unique_ptr<CaptureSource>> open(const std::vector<std::string>& folders) {
    auto source = std::make_unique<CrawlCaptures>();
    for (const std::string& folder : folders) BB_TRY_VOID(source->add(folder));
    return std::unique_ptr<CaptureSource>(std::move(source));
  }

  const std::vector<CaptureFile>& files() const override { return files_; }

  Status for_each(const std::function<Status(const Capture&)>& visit, const Progress& progress) override {
    std::uint64_t done = 0;
    for (Crawl& crawl : crawls_) {
      BB_TRY_VOID(crawl.reader->for_each_capture([&](const FetchEntry& entry) -> Status {
        if (++done % 1024 == 0 && !progress.tick("listing captures", done, fetches_)) return error("stopped");
        const std::string digest = base32(entry.digest);
        BB_TRY(const std::string url, crawl.reader->url(entry));
        Capture capture;
        capture.url = url;
        capture.time_us = entry.time_us;
        capture.status = entry.status;
        capture.revisit = entry.revisit;
        capture.noarchive = entry.noarchive;
        capture.prerequisite = entry.page == kNoPage;
        capture.requisite = entry.requisite;
        capture.mime = entry.mime;
        capture.digest = digest;
        capture.title = entry.title;
        capture.file = crawl.files.at(entry.file);
        capture.offset = entry.offset;
        capture.length = entry.length;
        return visit(capture);
      }));
    }
    return {};
  }

 private:
  struct Crawl {
    std::unique_ptr<CrawlReader> reader;
    std::map<std::string, std::size_t, std::less<>> files;  // file names, and their indexes in files_
  };

  Status add(const std::string& folder) {
    Crawl crawl;
    BB_TRY(crawl.reader, CrawlReader::open(folder));
    BB_TRY_VOID(crawl.reader->for_each_capture([&](const FetchEntry& entry) -> Status {
      ++fetches_;
      if (crawl.files.contains(entry.file)) return {};
      BB_TRY(CaptureFile file, find(*crawl.reader, folder, entry.file));
      if (!names_.insert(file.name).second) file.name = fmt::format("{}-{}", crawls_.size() + 1, file.name);
      crawl.files.emplace(entry.file, files_.size());
      files_.push_back(std::move(file));
      return {};
    }));
    crawls_.push_back(std::move(crawl));
    return {};
  }

  static Result<CaptureFile> find(const CrawlReader& reader, const std::string& folder,
                                  const std::string& name) {
    const std::string relative = std::string(kArchiveFolder) + "/" + name;
    CaptureFile file{folder + "/" + relative, name, 0};
    std::error_code code;
    if (!fs::exists(file.path, code)) file.path += ".open";
    file.bytes = fs::file_size(file.path, code);
    if (code)
      return error("{}: {}; the crawl has stored pages in it", folder + "/" + relative, code.message());
    if (const CommittedFile* const committed = reader.commit().find(relative)) {
      if (file.bytes < committed->bytes)
        return error("{}: the file is shorter than when the crawl wrote it: it was changed or damaged",
                     file.path);
      file.bytes = committed->bytes;
    }
    return file;
  }

  std::vector<Crawl> crawls_;
  std::vector<CaptureFile> files_;
  std::set<std::string> names_;  // of the files
  std::uint64_t fetches_ = 0;
};

// ---- WARC files

class WarcCaptures final : public CaptureSource {
 public:
  static Result<std::unique_ptr<CaptureSource>> open(const std::vector<std::string>& paths, bool page_facts) {
    auto source = std::make_unique<WarcCaptures>(page_facts);
    std::set<std::string> names;
    for (const std::string& path : paths) {
      std::error_code code;
      CaptureFile file{path, fs::path(path).filename().string(), fs::file_size(path, code)};
      if (code) return error("{}: {}", path, code.message());
      if (!names.insert(file.name).second)
        return error("{}: two of the input files have this name", file.name);
      source->files_.push_back(std::move(file));
    }
    return std::unique_ptr<CaptureSource>(std::move(source));
  }
  explicit WarcCaptures(bool page_facts) : facts_(page_facts) {}

  const std::vector<CaptureFile>& files() const override { return files_; }

  Status for_each(const std::function<Status(const Capture&)>& visit, const Progress& progress) override {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(files_[i].path));
      BB_TRY_VOID(read_file(*reader, i, visit, progress));
    }
    return {};
  }

 private:
  // A capture is complete when the records about it, which follow it, were read.
  struct Found {
    RecordFacts facts;
    std::uint64_t offset = 0;
    std::uint64_t end = 0;  // 0: the next record was not seen yet
  };

  Status read_file(WarcReader& reader, std::size_t file, const std::function<Status(const Capture&)>& visit,
                   const Progress& progress) {
    std::optional<Found> last;
    const auto pass_on = [&]() -> Status {
      if (!last) return {};
      const Found found = *std::exchange(last, std::nullopt);
      return visit(capture_of(found, file, found.end == 0 ? files_[file].bytes : found.end));
    };
    for (;;) {
      BB_TRY(const bool more, reader.next());
      if (!more) break;
      if (!progress.tick("reading " + files_[file].name, reader.position(), reader.stored_size()))
        return error("stopped");
      if (last) {
        if (last->end == 0) last->end = reader.offset();
        BB_TRY(const bool about, read_about(reader, last->facts));
        if (about) continue;
        BB_TRY_VOID(pass_on());
      }
      BB_TRY(std::optional<RecordFacts> facts, facts_.read(reader));
      if (!facts) continue;
      if (!reader.packed_alone())
        return error("{}: its records are not compressed separately, so they cannot be indexed",
                     reader.name());
      last = Found{std::move(*facts), reader.offset()};
    }
    return pass_on();
  }

  static Capture capture_of(const Found& found, std::size_t file, std::uint64_t end) {
    Capture capture;
    capture.url = found.facts.url;
    capture.time_us = found.facts.time_us;
    capture.status = found.facts.status;
    capture.revisit = found.facts.revisit;
    capture.noarchive = found.facts.noarchive;
    capture.prerequisite = found.facts.prerequisite;
    capture.requisite = found.facts.requisite;
    capture.mime = found.facts.mime;
    capture.digest = found.facts.digest;
    capture.title = found.facts.title;
    capture.file = file;
    capture.offset = found.offset;
    capture.length = end - found.offset;
    return capture;
  }

  FactReader facts_;
  std::vector<CaptureFile> files_;
};

}  // namespace

bool Capture::is_page() const {
  return status == 200 && !prerequisite && !requisite &&
         (mime == "text/html" || mime == "application/xhtml+xml" || mime == "application/pdf" ||
          mime == "text/plain");
}

std::vector<std::string> crawl_folders(const std::string& path) {
  if (CrawlReader::holds_crawl(path)) return {path};
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator at(path, code); !code && at != fs::directory_iterator(); at.increment(code)) {
    if (CrawlReader::holds_crawl(at->path().string())) found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::unique_ptr<CaptureSource>> open_captures(const std::vector<std::string>& paths, bool page_facts) {
  std::vector<std::string> crawls, files;
  for (const std::string& path : paths) {
    std::error_code code;
    if (!fs::is_directory(path, code)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> found = crawl_folders(path);
    if (found.empty()) return error("{}: there is no crawl in this folder", path);
    crawls.insert(crawls.end(), found.begin(), found.end());
  }
  if (!crawls.empty() && !files.empty()) return error("give crawl folders or WARC files, not both");
  return crawls.empty() ? WarcCaptures::open(files, page_facts) : CrawlCaptures::open(crawls);
}

}  // namespace bowerbird
