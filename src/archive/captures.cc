#include "archive/captures.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "parse/dates.h"
#include "parse/http_fields.h"
#include "store/crawl_reader.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

// ---- crawls

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
      BB_TRY_VOID(crawl.reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
        if (++done % 1024 == 0 && !progress.tick("listing captures", done, fetches_)) return error("stopped");
        const std::string digest = base32(entry.digest);
        BB_TRY(const std::string url, crawl.reader->url(entry.page));
        Capture capture;
        capture.url = url;
        capture.time_us = entry.time_us;
        capture.status = entry.status;
        capture.revisit = entry.revisit;
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
    std::map<std::string, std::size_t, std::less<>> files;  // names, and where they are in files_
  };

  Status add(const std::string& folder) {
    Crawl crawl;
    BB_TRY(crawl.reader, CrawlReader::open(folder));
    BB_TRY_VOID(crawl.reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
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
        return error("{}: it is shorter than the crawl left it; it was changed or damaged", file.path);
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

std::string_view without_brackets(std::string_view url) {
  return url.starts_with('<') && url.ends_with('>') ? url.substr(1, url.size() - 2) : url;
}

class WarcCaptures final : public CaptureSource {
 public:
  static Result<std::unique_ptr<CaptureSource>> open(const std::vector<std::string>& paths) {
    auto source = std::make_unique<WarcCaptures>();
    std::set<std::string> names;
    for (const std::string& path : paths) {
      std::error_code code;
      CaptureFile file{path, fs::path(path).filename().string(), fs::file_size(path, code)};
      if (code) return error("{}: {}", path, code.message());
      if (!names.insert(file.name).second) return error("{}: two files have this name", file.name);
      source->files_.push_back(std::move(file));
    }
    return std::unique_ptr<CaptureSource>(std::move(source));
  }

  const std::vector<CaptureFile>& files() const override { return files_; }

  Status for_each(const std::function<Status(const Capture&)>& visit, const Progress& progress) override {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(files_[i].path));
      BB_TRY_VOID(read_file(*reader, i, visit, progress));
    }
    return {};
  }

 private:
  // One record of which the length is known when the next begins.
  struct Found {
    std::string url;
    std::string mime;
    std::string digest;
    Capture capture;
  };

  Status read_file(WarcReader& reader, std::size_t file, const std::function<Status(const Capture&)>& visit,
                   const Progress& progress) {
    std::unique_ptr<Found> last;
    const auto pass_on = [&](std::uint64_t end) -> Status {
      if (last == nullptr) return {};
      last->capture.url = last->url;
      last->capture.mime = last->mime;
      last->capture.digest = last->digest;
      last->capture.length = end - last->capture.offset;
      const std::unique_ptr<Found> found = std::move(last);
      return visit(found->capture);
    };
    for (;;) {
      BB_TRY(const bool more, reader.next());
      if (!more) break;
      if (!progress.tick("reading " + files_[file].name, reader.position(), reader.stored_size()))
        return error("stopped");
      BB_TRY_VOID(pass_on(reader.offset()));
      BB_TRY(last, read_record(reader));
      if (last == nullptr) continue;
      if (!reader.packed_alone())
        return error("{}: its records are not compressed one by one, so an index cannot point to them",
                     reader.name());
      last->capture.file = file;
      last->capture.offset = reader.offset();
    }
    return pass_on(files_[file].bytes);
  }

  // Null where it is no capture.
  static Result<std::unique_ptr<Found>> read_record(WarcReader& reader) {
    const WarcHead& head = reader.head();
    const std::string_view type = head.type();
    if (type != "response" && type != "revisit" && type != "resource") return std::unique_ptr<Found>();
    auto found = std::make_unique<Found>();
    found->url = without_brackets(head.field("WARC-Target-URI"));
    if (found->url.empty())
      return error("{}: byte {}: a record without a URL", reader.name(), reader.offset());
    found->capture.revisit = type == "revisit";
    found->capture.status = 200;
    found->digest = head.field("WARC-Payload-Digest");
    if (const auto time = parse_w3c_date(head.field("WARC-Date"))) found->capture.time_us = *time * 1'000'000;
    if (!is_http(head)) {
      found->mime = parse_content_type(head.field("Content-Type")).type;
      return found;
    }
    HttpSplitter http;
    char piece[4096];
    while (!http.in_body()) {
      BB_TRY(const std::size_t n, reader.read(piece, sizeof piece));
      if (n == 0) break;
      http.feed({piece, n});
    }
    found->capture.status = static_cast<unsigned>(std::max(http.status(), 0));
    found->mime = parse_content_type(http.field("Content-Type")).type;
    return found;
  }

  std::vector<CaptureFile> files_;
};

}  // namespace

bool Capture::is_page() const {
  return status == 200 && (mime == "text/html" || mime == "application/xhtml+xml" ||
                           mime == "application/pdf" || mime == "text/plain");
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

Result<std::unique_ptr<CaptureSource>> open_captures(const std::vector<std::string>& paths) {
  std::vector<std::string> crawls, files;
  for (const std::string& path : paths) {
    std::error_code code;
    if (!fs::is_directory(path, code)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> found = crawl_folders(path);
    if (found.empty()) return error("{}: this folder holds no crawl", path);
    crawls.insert(crawls.end(), found.begin(), found.end());
  }
  if (!crawls.empty() && !files.empty()) return error("give folders of crawls or WARC files, not both");
  return crawls.empty() ? WarcCaptures::open(files) : CrawlCaptures::open(crawls);
}

}  // namespace bowerbird
