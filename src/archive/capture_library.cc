#include "archive/capture_library.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/captured_body.h"
#include "archive/captures.h"
#include "archive/sha256.h"
#include "archive/warc_records.h"
#include "archive/zip_reader.h"
#include "base/ascii.h"
#include "parse/dates.h"
#include "parse/http_head.h"
#include "parse/page_reader.h"
#include "parse/robots_directives.h"
#include "store/cdxj.h"
#include "store/crawl_reader.h"
#include "store/digest_text.h"
#include "store/surt.h"
#include "sys/file.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestIndex = std::uint64_t{1} << 30;      // of a WACZ, decompressed
constexpr std::uint64_t kLargestManifest = std::uint64_t{64} << 20;  // datapackage.json
constexpr std::uint64_t kCheckedBytes = std::uint64_t{16}
                                        << 20;  // larger entries are not verified when opening
constexpr std::size_t kSortBytes = std::size_t{64} << 20;

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

// datapackage.json lists the content of the package; its sizes and digests must be right.
Status check_datapackage(const ZipReader& zip, const std::string& path) {
  const ZipReader::Entry* const entry = zip.find("datapackage.json");
  if (entry == nullptr) return error("{}: not a WACZ: it has no datapackage.json", path);
  BB_TRY(const std::string text, zip.read(*entry, kLargestManifest));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("resources") || !json["resources"].is_array())
    return error("{}: datapackage.json is not the description of a WACZ", path);
  for (const nlohmann::json& resource : json["resources"]) {
    if (!resource.is_object() || !resource.contains("path") || !resource["path"].is_string())
      return error("{}: datapackage.json: a resource has no path", path);
    const std::string name = resource["path"].get<std::string>();
    const ZipReader::Entry* const listed = zip.find(name);
    if (listed == nullptr)
      return error("{}: datapackage.json lists '{}', which is not in the file", path, name);
    const auto bytes = resource.find("bytes");
    if (bytes != resource.end() && bytes->is_number_unsigned() && bytes->get<std::uint64_t>() != listed->size)
      return error("{}: '{}' does not have the size that datapackage.json says", path, name);
    const auto hash = resource.find("hash");
    if (hash == resource.end() || !hash->is_string() || listed->size > kCheckedBytes) continue;
    const std::string wanted = hash->get<std::string>();
    if (!wanted.starts_with("sha256:")) continue;
    BB_TRY(const std::string content, zip.read(*listed, kCheckedBytes));
    if (sha256(content) != wanted)
      return error("{}: '{}' does not have the hash that datapackage.json says", path, name);
  }
  return {};
}

std::string encoded_digest(std::string_view digest) {
  return std::string(digest.substr(digest.find(':') + 1));  // npos + 1 is 0
}

bool is_html(std::string_view type) {
  return type == "text/html" || type == "application/xhtml+xml";
}

HtmlPage read_page(const ArchivedResponse& response) {
  HtmlPage page;
  const ContentType type = content_type_of(response.head);
  if (!is_html(type.type)) return page;
  PageReader reader;
  ReadingHints hints;
  hints.header_charset = type.charset;
  hints.xhtml = type.type == "application/xhtml+xml";
  reader.read(response.body, hints, page);
  return page;
}

}  // namespace

CaptureLibrary::~CaptureLibrary() = default;

Result<std::unique_ptr<CaptureLibrary>> CaptureLibrary::open(const std::vector<std::string>& paths,
                                                             const Progress& progress,
                                                             std::unique_ptr<OtherPayloads> others) {
  std::unique_ptr<CaptureLibrary> library(new CaptureLibrary());
  library->others_ = std::move(others);
  std::vector<std::string> warcs;
  for (const std::string& path : paths) {
    std::error_code code;
    if (fs::is_directory(path, code)) {
      const std::vector<std::string> crawls = crawl_folders(path);
      for (const std::string& crawl : crawls) {
        BB_TRY(auto index, open_crawl_index(crawl));
        BB_TRY_VOID(library->add_source({crawl}, std::move(index), progress));
      }
      if (!crawls.empty()) continue;
      BB_TRY(const std::vector<std::string> found, warc_files({path}));
      warcs.insert(warcs.end(), found.begin(), found.end());
      continue;
    }
    BB_TRY(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    if (is_zip(file->text()) || path.ends_with(".wacz")) {
      BB_TRY_VOID(library->add_wacz(path, progress));
    } else {
      warcs.push_back(path);
    }
  }
  if (!warcs.empty()) BB_TRY_VOID(library->add_source(warcs, nullptr, progress));
  library->finish_pages();
  return library;
}

// ---- Content

Status CaptureLibrary::add_wacz(const std::string& path, const Progress& progress) {
  if (!progress.tick("opening " + path, 0, 0)) return error("stopped");
  Part part;
  part.name = path;
  BB_TRY(std::shared_ptr<const MappedFile> file, MappedFile::open(path));
  part.mapped.push_back(file);
  BB_TRY(const ZipReader zip, ZipReader::open(file->text(), path));
  BB_TRY_VOID(check_datapackage(zip, path));
  BB_TRY_VOID(add_wacz_files(zip, part));
  BB_TRY_VOID(add_wacz_index(zip, part));
  BB_TRY_VOID(add_wacz_pages(zip));
  parts_.push_back(std::move(part));
  return {};
}

Status CaptureLibrary::add_wacz_files(const ZipReader& zip, Part& part) {
  for (const ZipReader::Entry& entry : zip.entries()) {
    constexpr std::string_view kFolder = "archive/";
    if (!entry.name.starts_with(kFolder)) continue;
    if (entry.deflated)
      return error("{}: '{}' is compressed by the ZIP file, so its records cannot be found", part.name,
                   entry.name);
    part.files.emplace(entry.name.substr(kFolder.size()), entry.stored);
  }
  if (part.files.empty()) return error("{}: there is no WARC file in archive/", part.name);
  return {};
}

Status CaptureLibrary::add_wacz_index(const ZipReader& zip, Part& part) {
  const ZipReader::Entry* const blocks = zip.find("indexes/index.idx");
  const ZipReader::Entry* const packed = zip.find("indexes/index.cdx.gz");
  if (blocks != nullptr && packed != nullptr && !packed->deflated) {
    BB_TRY(std::string text, zip.read(*blocks, kLargestIndex));
    part.index = make_block_index(std::move(text), packed->stored, part.name, part.mapped.front());
    return {};
  }
  for (const char* const name : {"indexes/index.cdxj", "indexes/index.cdx"}) {
    const ZipReader::Entry* const lines = zip.find(name);
    if (lines == nullptr) continue;
    BB_TRY(std::string text, zip.read(*lines, kLargestIndex));
    auto owned = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *owned;
    part.index = make_line_index(view, std::move(owned));
    return {};
  }
  return error("{}: there is no readable index in indexes/", part.name);
}

Status CaptureLibrary::add_wacz_pages(const ZipReader& zip) {
  for (const char* const name : {"pages/pages.jsonl", "pages/extraPages.jsonl"}) {
    const ZipReader::Entry* const entry = zip.find(name);
    if (entry == nullptr) continue;
    BB_TRY(const std::string text, zip.read(*entry, kLargestIndex));
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const nlohmann::json line =
          nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
      at = end + 1;
      const auto word = [&line](const char* member) {
        const auto found = line.find(member);
        return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
      };
      if (!line.is_object() || word("url").empty()) continue;
      add_page(word("url"), word("title"), parse_w3c_date(word("ts")).value_or(0));
    }
  }
  return {};
}

Result<CaptureLibrary::Part> CaptureLibrary::make_part(const CaptureSource& source, const std::string& name) {
  Part part;
  part.name = name;
  for (const CaptureFile& file : source.files()) {
    BB_TRY(std::shared_ptr<const MappedFile> mapped, MappedFile::open(file.path));
    part.files.emplace(file.name, mapped->text().substr(0, file.bytes));
    part.mapped.push_back(std::move(mapped));
  }
  return part;
}

Result<std::unique_ptr<CaptureLibrary>> CaptureLibrary::open_indexed(const std::string& crawl) {
  BB_TRY(std::unique_ptr<CaptureIndex> index, open_crawl_index(crawl));
  if (index == nullptr) return std::unique_ptr<CaptureLibrary>();
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures({crawl}));
  BB_TRY(Part part, make_part(*source, crawl));
  part.index = std::move(index);
  std::unique_ptr<CaptureLibrary> library(new CaptureLibrary());
  library->parts_.push_back(std::move(part));
  return library;
}

// index: null: build one.
Status CaptureLibrary::add_source(const std::vector<std::string>& paths, std::unique_ptr<CaptureIndex> index,
                                  const Progress& progress) {
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures(paths));
  BB_TRY(Part part, make_part(*source, paths.front()));
  const std::string scratch =
      (fs::temp_directory_path() / fmt::format("bowerbird-index-{}", ::getpid())).string();
  LineSorter sorter(Disk::real(), scratch, kSortBytes);
  BB_TRY_VOID(source->for_each(
      [&](const Capture& capture) -> Status {
        if (capture.is_page()) add_page(capture.url, capture.title, capture.time_us / 1'000'000);
        if (index != nullptr) return {};
        IndexEntry entry;
        entry.url = capture.url;
        entry.time_us = capture.time_us;
        entry.mime = capture.revisit ? std::string_view("warc/revisit") : capture.mime;
        entry.status = capture.status;
        entry.digest = capture.digest;
        entry.offset = capture.offset;
        entry.length = capture.length;
        entry.file = source->files()[capture.file].name;
        return sorter.add(cdxj_line(surt_key(capture.url), entry));
      },
      progress));
  if (index != nullptr) {
    part.index = std::move(index);
  } else {
    auto lines = std::make_shared<std::string>();
    BB_TRY_VOID(sorter.finish([&lines](std::string_view line) -> Status {
      lines->append(line).push_back('\n');
      return {};
    }));
    const std::string_view view = *lines;
    part.index = make_line_index(view, std::move(lines));
  }
  parts_.push_back(std::move(part));
  return {};
}

void CaptureLibrary::add_page(std::string_view url, std::string_view title, std::int64_t time) {
  pages_.push_back({std::string(url), std::string(title), time, 1});
}

// One row per URL: the last known title, the last time, the number of captures.
void CaptureLibrary::finish_pages() {
  std::sort(pages_.begin(), pages_.end(), [](const ArchivedPage& a, const ArchivedPage& b) {
    return a.url != b.url ? a.url < b.url : a.time < b.time;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (kept > 0 && pages_[kept - 1].url == pages_[i].url) {
      ArchivedPage& row = pages_[kept - 1];
      row.time = pages_[i].time;
      ++row.captures;
      if (!pages_[i].title.empty()) row.title = std::move(pages_[i].title);
    } else {
      if (kept != i) pages_[kept] = std::move(pages_[i]);
      ++kept;
    }
  }
  pages_.resize(kept);
}

// ---- Finding captures

Result<std::vector<FoundCapture>> CaptureLibrary::find(std::string_view url) const {
  std::vector<FoundCapture> found;
  const std::string keys[] = {surt_key(url), browser_key(url)};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::string& key : keys) {
      const std::size_t before = found.size();
      BB_TRY_VOID(parts_[i].index->find(key, [&](std::string_view line) {
        if (auto entry = parse_cdxj_line(line)) found.push_back({std::move(*entry), i});
      }));
      if (found.size() > before) break;
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundCapture& a, const FoundCapture& b) { return a.entry.time < b.entry.time; });
  return found;
}

Result<std::vector<FoundCapture>> CaptureLibrary::captures(std::string_view url) const {
  BB_TRY(std::vector<FoundCapture> found, find(url));
  std::vector<FoundCapture> exact;
  for (const FoundCapture& capture : found) {
    if (capture.entry.url == url) exact.push_back(capture);
  }
  if (!exact.empty()) return exact;
  if (!found.empty()) return found;
  Url canonical;
  if (canonical_url(url, nullptr, canonical) != UrlFault::kNone || canonical.text() == url) return found;
  return find(canonical.text());
}

Status CaptureLibrary::for_each(const std::function<Status(const FoundCapture&)>& visit) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Status status;
    BB_TRY_VOID(parts_[i].index->for_each([&](std::string_view line) {
      if (!status.ok()) return;
      if (auto entry = parse_cdxj_line(line)) status = visit({std::move(*entry), i});
    }));
    BB_TRY_VOID(status);
  }
  return {};
}

// ---- Reading captures

Result<ArchivedResponse> CaptureLibrary::load(const FoundCapture& capture) const {
  BB_TRY(ArchivedResponse response, load_beginning(capture, kLargestBody + 1));
  if (response.body.size() > kLargestBody)
    return error("{}: {}: the body is larger than {} MiB", parts_[capture.part].name, capture.entry.url,
                 kLargestBody >> 20);
  return response;
}

Result<ArchivedResponse> CaptureLibrary::load_beginning(const FoundCapture& capture, std::size_t most) const {
  BB_TRY(const std::unique_ptr<CapturedBody> body, open_body(capture));
  ArchivedResponse response;
  response.status = body->status();
  response.head = body->head();
  BB_TRY_VOID(body->append(response.body, most));
  return response;
}

Result<std::unique_ptr<CapturedBody>> CaptureLibrary::open_body(const FoundCapture& capture) const {
  BB_TRY(std::unique_ptr<WarcReader> reader, open_record(capture));
  const WarcHead& head = reader->head();
  const std::string_view type = head.type();
  if (type == "revisit") {
    BB_TRY(std::string own_head, revisit_head(*reader));
    BB_TRY(std::unique_ptr<WarcReader> original, open_original(capture, head));
    return CapturedBody::open(std::move(original), std::move(own_head));
  }
  if (type != "response" && type != "resource")
    return error("{}: byte {}: the record is of type '{}'", reader->name(), capture.entry.offset, type);
  return CapturedBody::open(std::move(reader));
}

// A reader at the block of its record.
Result<std::unique_ptr<WarcReader>> CaptureLibrary::open_record(const FoundCapture& capture) const {
  const Part& part = parts_[capture.part];
  const auto file = part.files.find(capture.entry.file);
  if (file == part.files.end())
    return error("{}: its index refers to '{}', which does not exist", part.name, capture.entry.file);
  if (capture.entry.offset >= file->second.size())
    return error("{}: its index refers to byte {} of {}, but that file is shorter", part.name,
                 capture.entry.offset, capture.entry.file);
  auto reader = std::make_unique<WarcReader>(InputStream::from_memory(
      file->second.substr(capture.entry.offset), part.name + ": " + capture.entry.file));
  BB_TRY(const bool there, reader->next());
  if (!there) return error("{}: no record at byte {}", reader->name(), capture.entry.offset);
  return reader;
}

// The record that a revisit refers to: by URL and date; otherwise one with the same payload, here or in
// another archive; otherwise the previous capture.
Result<std::unique_ptr<WarcReader>> CaptureLibrary::open_original(const FoundCapture& capture,
                                                                  const WarcHead& revisit) const {
  std::string_view url = revisit.field("WARC-Refers-To-Target-URI");
  if (url.starts_with('<') && url.ends_with('>')) url = url.substr(1, url.size() - 2);
  BB_TRY(const std::vector<FoundCapture> all, captures(url.empty() ? capture.entry.url : url));
  const auto time = parse_w3c_date(revisit.field("WARC-Refers-To-Date"));
  const FoundCapture *dated = nullptr, *same = nullptr, *before = nullptr;
  for (const FoundCapture& other : all) {
    if (other.entry.revisit) continue;
    if (time && other.entry.time == *time) dated = &other;
    if (!capture.entry.digest.empty() &&
        encoded_digest(other.entry.digest) == encoded_digest(capture.entry.digest))
      same = &other;
    if (other.entry.time <= capture.entry.time) before = &other;
  }
  const FoundCapture* found = dated != nullptr ? dated : same;
  if (found == nullptr) {
    if (auto elsewhere = open_elsewhere(capture)) return elsewhere;
    found = before;
  }
  if (found == nullptr)
    return error("{}: this capture refers to an earlier one ({}), which is not in the archive",
                 parts_[capture.part].name, url.empty() ? std::string_view(capture.entry.url) : url);
  BB_TRY(std::unique_ptr<WarcReader> reader, open_record(*found));
  const std::string_view type = reader->head().type();
  if (type != "response" && type != "resource")
    return error("{}: byte {}: the record is of type '{}'", reader->name(), found->entry.offset, type);
  return reader;
}

// The record with this payload in another archive; null: none.
std::unique_ptr<WarcReader> CaptureLibrary::open_elsewhere(const FoundCapture& capture) const {
  const auto digest = sha1_of_text(capture.entry.digest);
  if (others_ == nullptr || !digest) return nullptr;
  const std::lock_guard lock(others_mutex_);
  return others_->open_record(*digest);
}

std::size_t nearest_capture(const std::vector<FoundCapture>& captures, std::int64_t time) {
  const auto distance = [time](const FoundCapture& capture) {
    return capture.entry.time > time ? capture.entry.time - time : time - capture.entry.time;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < captures.size(); ++i) {
    if (distance(captures[i]) < distance(captures[best])) best = i;
  }
  return best;
}

bool says_noarchive(const ArchivedResponse& response) {
  RobotsDirectives directives;
  each_field(response.head, "X-Robots-Tag",
             [&](std::string_view value) { add_x_robots_tag(value, "bowerbird", 0, directives); });
  if (directives.noarchive) return true;
  const HtmlPage page = read_page(response);
  for (const RobotsMeta& meta : page.robots) {
    const std::string_view name = page.string(meta.name);
    if (name == "robots" || name == "bowerbird") add_robots_meta(page.string(meta.content), 0, directives);
  }
  return directives.noarchive;
}

std::string title_of(const ArchivedResponse& response) {
  return read_page(response).title;
}

}  // namespace bowerbird
