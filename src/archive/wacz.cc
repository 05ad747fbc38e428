#include "archive/wacz.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "archive/zip_writer.h"
#include "store/cdxj.h"
#include "store/record_compressor.h"
#include "store/surt.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"
#include "sys/disk.h"
#include "sys/file.h"
#include "version.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kLargestRecord = std::size_t{1} << 30;
constexpr std::size_t kLinesInBlock = 3000;
constexpr char kIndexName[] = "index.cdx.gz";

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Where the records of a file that was written again lie now, by where they lay.
struct MovedRecord {
  std::uint64_t from;
  std::uint64_t offset;
  std::uint64_t length;
};

// The lines of the index, in blocks that are packed alone, and the index of the blocks.
class IndexBlocks {
 public:
  explicit IndexBlocks(ZipWriter& zip) : zip_(zip), gzip_(Compression::kGzip, 0) {
    blocks_ = fmt::format("!meta 0 {{\"format\":\"cdxj-gzip-1.0\",\"filename\":\"{}\"}}\n", kIndexName);
  }

  Status add(std::string_view line) {
    if (lines_ == 0) first_ = line.substr(0, line.find(" {"));
    block_.append(line).push_back('\n');
    return ++lines_ == kLinesInBlock ? flush() : Status{};
  }

  Status flush() {
    if (lines_ == 0) return {};
    const std::string_view packed = gzip_.pack(block_);
    fmt::format_to(std::back_inserter(blocks_),
                   "{} {{\"offset\":{},\"length\":{},\"digest\":\"{}\",\"filename\":\"{}\"}}\n", first_,
                   zip_.entry_size(), packed.size(), sha256(packed), kIndexName);
    lines_ = 0;
    block_.clear();
    return zip_.write(packed);
  }

  // The index of the blocks.
  const std::string& blocks() const { return blocks_; }

 private:
  ZipWriter& zip_;
  RecordCompressor gzip_;
  std::string block_;
  std::size_t lines_ = 0;
  std::string first_;  // key and time of the block's first line
  std::string blocks_;
};

class WaczExport {
 public:
  WaczExport(CaptureSource& source, const WaczOptions& options, const Progress& progress)
      : source_(source),
        options_(options),
        progress_(progress),
        seeds_(options.seeds.begin(), options.seeds.end()),
        lines_(Disk::real(), options.out + ".sorting", options.sort_bytes) {}

  Result<WaczCounts> run() {
    BB_TRY(zip_, ZipWriter::create(options_.out, options_.created_us));
    BB_TRY_VOID(add_archive());
    BB_TRY_VOID(add_pages());
    BB_TRY_VOID(add_index());
    for (const auto& [name, text] : options_.extra) BB_TRY_VOID(zip_->add(name, text));
    BB_TRY_VOID(add_datapackage());
    for (const ZipWriter::Entry& entry : zip_->entries()) counts_.bytes += entry.size;
    BB_TRY_VOID(zip_->finish());
    return counts_;
  }

 private:
  // ---- archive/

  Status add_archive() {
    for (const CaptureFile& file : source_.files()) total_ += file.bytes;
    for (const CaptureFile& file : source_.files()) {
      BB_TRY(const std::unique_ptr<DiskFile> in, Disk::real().open(file.path, Disk::Open::kRead));
      BB_TRY(const std::string begin, in->read(0, 2));
      const bool gzip = begin == "\x1f\x8b";
      names_.push_back(gzip ? file.name : std::string(without_compression(file.name)) + ".gz");
      moved_.emplace_back();
      BB_TRY_VOID(zip_->begin("archive/" + names_.back()));
      BB_TRY_VOID(gzip ? copy(*in, file) : rewrite(file));
      BB_TRY_VOID(zip_->end());
      done_ += file.bytes;
      ++counts_.files;
      counts_.rewritten += gzip ? 0 : 1;
    }
    return {};
  }

  Status tick(std::string_view what, std::uint64_t within) const {
    return progress_.tick(what, done_ + within, total_) ? Status{} : error("stopped");
  }

  Status copy(const DiskFile& in, const CaptureFile& file) {
    std::string piece(kPiece, '\0');
    for (std::uint64_t at = 0; at < file.bytes;) {
      BB_TRY_VOID(tick("copying " + file.name, at));
      const std::size_t wanted = std::min<std::uint64_t>(kPiece, file.bytes - at);
      BB_TRY(const std::size_t n, in.read_into(at, {piece.data(), wanted}));
      if (n == 0) return error("{}: it became shorter while it was read", file.path);
      BB_TRY_VOID(zip_->write({piece.data(), n}));
      at += n;
    }
    return {};
  }

  // As gzip, each record packed alone.
  Status rewrite(const CaptureFile& file) {
    BB_TRY(const std::shared_ptr<const MappedFile> mapped, MappedFile::open(file.path));
    const std::string_view committed = mapped->text().substr(0, file.bytes);
    WarcReader reader(InputStream::from_memory(committed, file.path));
    RecordCompressor gzip(Compression::kGzip, 0);
    for (;;) {
      BB_TRY(const bool more, reader.next());
      if (!more) return {};
      BB_TRY_VOID(tick("packing " + file.name, reader.position()));
      const WarcHead& head = reader.head();
      std::string record = head.version + "\r\n";
      for (const auto& [name, value] : head.fields)
        record.append(name).append(": ").append(value).append("\r\n");
      record.append("\r\n");
      BB_TRY(const std::string block, reader.read_all(kLargestRecord));
      record.append(block).append("\r\n\r\n");
      const std::string_view packed = gzip.pack(record);
      moved_.back().push_back({reader.offset(), zip_->entry_size(), packed.size()});
      BB_TRY_VOID(zip_->write(packed));
    }
  }

  // ---- pages/ and indexes/

  Status add_pages() {
    BB_TRY_VOID(zip_->begin("pages/pages.jsonl"));
    BB_TRY_VOID(zip_->write("{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n"));
    const auto take = [this](const Capture& capture) { return add_capture(capture); };
    BB_TRY_VOID(source_.for_each(take, progress_));
    return zip_->end();
  }

  Status add_capture(const Capture& capture) {
    ++counts_.captures;
    BB_TRY_VOID(add_lines(capture));
    const std::string date = warc_date(capture.time_us);
    if (main_page_date_.empty() && !options_.seeds.empty() && capture.url == options_.seeds.front())
      main_page_date_ = date;
    if (!capture.is_page()) return {};
    nlohmann::json line = {{"id", fmt::format("{}", ++counts_.pages)}, {"url", capture.url}, {"ts", date}};
    if (!capture.title.empty()) line["title"] = capture.title;
    if (seeds_.contains(std::string(capture.url))) line["seed"] = true;
    return zip_->write(json_text(line) + "\n");
  }

  Status add_lines(const Capture& capture) {
    IndexEntry entry;
    entry.url = capture.url;
    entry.time_us = capture.time_us;
    entry.mime = capture.revisit ? std::string_view("warc/revisit") : capture.mime;
    entry.status = capture.status;
    entry.digest = capture.digest;
    entry.file = names_[capture.file];
    entry.offset = capture.offset;
    entry.length = capture.length;
    if (const std::vector<MovedRecord>& moved = moved_[capture.file]; !moved.empty()) {
      const auto at = std::ranges::lower_bound(moved, capture.offset, {}, &MovedRecord::from);
      if (at == moved.end() || at->from != capture.offset)
        return error("{}: there is no record at byte {}", source_.files()[capture.file].path, capture.offset);
      entry.offset = at->offset;
      entry.length = at->length;
    }
    const std::string key = surt_key(capture.url);
    const std::string other = browser_key(capture.url);
    if (other != key) BB_TRY_VOID(lines_.add(cdxj_line(other, entry)));
    return lines_.add(cdxj_line(key, entry));
  }

  Status add_index() {
    BB_TRY_VOID(zip_->begin(std::string("indexes/") + kIndexName));
    IndexBlocks index(*zip_);
    BB_TRY_VOID(lines_.finish([&](std::string_view line) { return index.add(line); }));
    BB_TRY_VOID(index.flush());
    BB_TRY_VOID(zip_->end());
    return zip_->add("indexes/index.idx", index.blocks());
  }

  // ---- datapackage.json

  Status add_datapackage() {
    nlohmann::json resources = nlohmann::json::array();
    for (const ZipWriter::Entry& entry : zip_->entries()) {
      resources.push_back({{"name", entry.name.substr(entry.name.rfind('/') + 1)},
                           {"path", entry.name},
                           {"hash", entry.sha256},
                           {"bytes", entry.size}});
    }
    nlohmann::json package = {{"profile", "data-package"},
                              {"wacz_version", "1.1.1"},
                              {"title", options_.title},
                              {"software", fmt::format("Bowerbird {}", BOWERBIRD_VERSION)},
                              {"created", warc_date(options_.created_us)},
                              {"resources", std::move(resources)}};
    if (!options_.seeds.empty()) package["mainPageUrl"] = options_.seeds.front();
    if (!main_page_date_.empty()) package["mainPageDate"] = main_page_date_;
    BB_TRY_VOID(zip_->add("datapackage.json", json_text(package)));
    return zip_->add("datapackage-digest.json",
                     json_text({{"path", "datapackage.json"}, {"hash", zip_->entries().back().sha256}}));
  }

  CaptureSource& source_;
  const WaczOptions& options_;
  const Progress& progress_;
  std::unordered_set<std::string> seeds_;
  std::unique_ptr<ZipWriter> zip_;
  LineSorter lines_;
  std::vector<std::string> names_;               // of the files in archive/
  std::vector<std::vector<MovedRecord>> moved_;  // for each file; empty: it was copied
  std::string main_page_date_;
  std::uint64_t total_ = 0, done_ = 0;  // bytes of the files
  WaczCounts counts_;
};

}  // namespace

Result<WaczCounts> write_wacz(CaptureSource& source, const WaczOptions& options, const Progress& progress) {
  return WaczExport(source, options, progress).run();
}

}  // namespace bowerbird
