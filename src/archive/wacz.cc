#include "archive/wacz.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "archive/record_packer.h"
#include "archive/warc_records.h"
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
constexpr std::size_t kLinesInBlock = 3000;
constexpr char kIndexName[] = "index.cdx.gz";
constexpr char kFullResponses[] = "bowerbird-full-responses.warc.gz";

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// A record of a file that was rewritten: its old and new position.
struct MovedRecord {
  std::uint64_t from;
  std::uint64_t offset;
  std::uint64_t length;
};

// The lines of the index in separately compressed blocks, and the index of the blocks.
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

  // The text of the block index.
  const std::string& blocks() const { return blocks_; }

 private:
  ZipWriter& zip_;
  RecordCompressor gzip_;
  std::string block_;
  std::size_t lines_ = 0;
  std::string first_;  // key and time of the first line of the block
  std::string blocks_;
};

// Writes one WACZ with the captures of one part.
class WaczExport {
 public:
  WaczExport(CaptureSource& source, const WaczOptions& options, const WaczPart& part, std::string out,
             const Progress& progress, WaczCounts& counts)
      : source_(source),
        options_(options),
        part_(part),
        out_(std::move(out)),
        progress_(progress),
        seeds_(options.seeds.begin(), options.seeds.end()),
        lines_(Disk::real(), out_ + ".sorting", options.sort_bytes),
        counts_(counts) {}

  Status run() {
    BB_TRY(revisits_, FullResponses::find(source_, part_, options_.others, progress_));
    counts_.missing += revisits_.missing();
    BB_TRY(zip_, ZipWriter::create(out_, options_.created_us));
    BB_TRY_VOID(add_archive());
    BB_TRY_VOID(add_full_responses());
    if (options_.text) BB_TRY_VOID(find_payloads());
    BB_TRY_VOID(add_pages());
    BB_TRY_VOID(add_index());
    for (const auto& [name, text] : options_.extra) BB_TRY_VOID(zip_->add(name, text));
    BB_TRY_VOID(add_datapackage());
    for (const ZipWriter::Entry& entry : zip_->entries()) counts_.bytes += entry.size;
    return zip_->finish();
  }

 private:
  // A file of the source in archive/.
  struct AddedFile {
    std::string name;
    bool rewritten = false;
    std::vector<MovedRecord> moved;  // if it was rewritten
  };
  struct AddedRecord {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    RecordPosition payload;
  };

  // ---- archive/

  Status add_archive() {
    for (const PartFile& file : part_.files) total_ += file.bytes();
    for (const PartFile& file : part_.files) {
      const CaptureFile& from = source_.files()[file.file];
      BB_TRY(const bool copied, can_be_copied(from));
      AddedFile& added = files_[file.file];
      added.name = copied ? from.name : name_as_gzip(from.name);
      added.rewritten = !copied;
      BB_TRY_VOID(zip_->begin("archive/" + added.name));
      BB_TRY_VOID(copied ? copy(from, file) : rewrite(from, file, added.moved));
      BB_TRY_VOID(zip_->end());
      done_ += file.bytes();
      ++counts_.files;
      counts_.rewritten += copied ? 0 : 1;
    }
    return {};
  }

  static Result<bool> can_be_copied(const CaptureFile& file) {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file.path));
    BB_TRY([[maybe_unused]] const bool any, reader->next());
    return reader->compression() == Compression::kGzip && !reader->is_arc();
  }

  static std::string name_as_gzip(const std::string& name) {
    std::string made(without_compression(name));
    if (made.ends_with(".arc")) made.replace(made.size() - 4, 4, ".warc");
    return made + ".gz";
  }

  Status tick(std::string_view what, std::uint64_t within) const {
    return progress_.tick(what, done_ + within, total_) ? Status{} : error("stopped");
  }

  Status copy(const CaptureFile& from, const PartFile& file) {
    BB_TRY(const std::unique_ptr<DiskFile> in, Disk::real().open(from.path, Disk::Open::kRead));
    std::string piece(kPiece, '\0');
    for (const ByteRange& range : file.ranges) {
      for (std::uint64_t at = range.begin; at < range.end;) {
        BB_TRY_VOID(tick("copying " + from.name, zip_->entry_size()));
        const std::size_t wanted = std::min<std::uint64_t>(kPiece, range.end - at);
        BB_TRY(const std::size_t n, in->read_into(at, {piece.data(), wanted}));
        if (n == 0) return error("{}: the file was truncated while it was read", from.path);
        BB_TRY_VOID(zip_->write({piece.data(), n}));
        at += n;
      }
    }
    return {};
  }

  // Rewrites a file as gzip, each record compressed separately.
  Status rewrite(const CaptureFile& from, const PartFile& file, std::vector<MovedRecord>& moved) {
    BB_TRY(const std::shared_ptr<const MappedFile> mapped, MappedFile::open(from.path));
    const std::string_view committed = mapped->text().substr(0, from.bytes);
    WarcReader reader(InputStream::from_memory(committed, from.path));
    RecordPacker gzip(Compression::kGzip);
    for (;;) {
      BB_TRY(const bool more, reader.next());
      if (!more) return {};
      BB_TRY_VOID(tick("packing " + from.name, reader.position()));
      if (!file.holds(reader.offset())) continue;
      const std::uint64_t offset = zip_->entry_size();
      BB_TRY(const std::uint64_t length,
             gzip.copy(reader, [this](std::string_view packed) { return zip_->write(packed); }));
      moved.push_back({reader.offset(), offset, length});
    }
  }

  Status add_full_responses() {
    if (revisits_.entries().empty()) return {};
    BB_TRY_VOID(zip_->begin(std::string("archive/") + kFullResponses));
    RecordCompressor gzip(Compression::kGzip, 0);
    for (const FullResponses::Entry& entry : revisits_.entries()) {
      BB_TRY_VOID(tick("completing revisits", 0));
      const RecordPosition revisit{source_.files()[entry.file].path, entry.offset};
      const auto record = full_response(revisit, entry.payload);
      // An archive that is not ours may have changed since.
      if (!record.ok() || record->empty()) {
        ++counts_.missing;
        continue;
      }
      const std::string_view packed = gzip.pack(*record);
      full_[{entry.file, entry.offset}] = {zip_->entry_size(), packed.size(), entry.payload};
      BB_TRY_VOID(zip_->write(packed));
      ++counts_.completed;
    }
    ++counts_.files;
    return zip_->end();
  }

  // ---- pages/ and indexes/

  // Finds the payloads of revisits, for their texts.
  Status find_payloads() {
    return source_.for_each(
        [&](const Capture& capture) -> Status {
          if (!capture.revisit)
            payloads_.try_emplace(payload_key(capture.digest), capture.file, capture.offset);
          return {};
        },
        progress_);
  }

  Status add_pages() {
    BB_TRY_VOID(zip_->begin("pages/pages.jsonl"));
    nlohmann::json first = {{"format", "json-pages-1.0"}, {"id", "pages"}, {"title", "All Pages"}};
    if (options_.text) first["hasText"] = true;
    BB_TRY_VOID(zip_->write(json_text(first) + "\n"));
    const auto take = [this](const Capture& capture) { return add_capture(capture); };
    BB_TRY_VOID(source_.for_each(take, progress_));
    return zip_->end();
  }

  Status add_capture(const Capture& capture) {
    if (!part_.holds(capture)) return {};
    ++counts_.captures;
    if (capture.noarchive) ++counts_.noarchive;
    BB_TRY_VOID(add_lines(capture));
    const std::string date = warc_date(capture.time_us);
    if (main_page_date_.empty() && !options_.seeds.empty() && capture.url == options_.seeds.front())
      main_page_date_ = date;
    if (!capture.is_page()) return {};
    nlohmann::json line = {{"id", fmt::format("{}", ++counts_.pages)}, {"url", capture.url}, {"ts", date}};
    if (!capture.title.empty()) line["title"] = capture.title;
    if (seeds_.contains(std::string(capture.url))) line["seed"] = true;
    if (capture.noarchive) line["noarchive"] = true;
    if (options_.text) {
      if (std::string text = text_of(capture); !text.empty()) line["text"] = std::move(text);
    }
    return zip_->write(json_text(line) + "\n");
  }

  std::string text_of(const Capture& capture) const {
    const RecordPosition own{source_.files()[capture.file].path, capture.offset};
    if (!capture.revisit) return options_.text(own, own);
    if (const auto full = full_.find({capture.file, capture.offset}); full != full_.end())
      return options_.text(own, full->second.payload);
    const auto found = payloads_.find(payload_key(capture.digest));
    if (found == payloads_.end()) return {};
    return options_.text(own, {source_.files()[found->second.first].path, found->second.second});
  }

  Status add_lines(const Capture& capture) {
    IndexEntry entry;
    entry.url = capture.url;
    entry.time_us = capture.time_us;
    entry.mime = capture.revisit ? std::string_view("warc/revisit") : capture.mime;
    entry.status = capture.status;
    entry.digest = capture.digest;
    entry.noarchive = capture.noarchive;
    BB_TRY_VOID(locate(capture, entry));
    const std::string key = surt_key(capture.url);
    const std::string other = browser_key(capture.url);
    if (other != key) BB_TRY_VOID(lines_.add(cdxj_line(other, entry)));
    return lines_.add(cdxj_line(key, entry));
  }

  // Finds the position of the capture in this package.
  Status locate(const Capture& capture, IndexEntry& entry) {
    if (const auto full = full_.find({capture.file, capture.offset}); full != full_.end()) {
      entry.file = kFullResponses;
      entry.offset = full->second.offset;
      entry.length = full->second.length;
      entry.mime = capture.mime.empty() ? std::string_view("text/html") : capture.mime;
      if (entry.status == 304) entry.status = 200;
      return {};
    }
    const AddedFile& added = files_.at(capture.file);
    entry.file = added.name;
    entry.length = capture.length;
    entry.offset = part_.find(capture.file)->position(capture.offset).value_or(0);
    if (!added.rewritten) return {};
    const auto at = std::ranges::lower_bound(added.moved, capture.offset, {}, &MovedRecord::from);
    if (at == added.moved.end() || at->from != capture.offset)
      return error("{}: there is no record at byte {}", source_.files()[capture.file].path, capture.offset);
    entry.offset = at->offset;
    entry.length = at->length;
    return {};
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
  const WaczPart& part_;
  std::string out_;
  const Progress& progress_;
  std::unordered_set<std::string> seeds_;
  std::unique_ptr<ZipWriter> zip_;
  LineSorter lines_;
  std::map<std::size_t, AddedFile> files_;  // by index in the source
  FullResponses revisits_;
  std::map<std::pair<std::size_t, std::uint64_t>, AddedRecord> full_;  // by file and offset of the revisit
  std::unordered_map<std::uint64_t, std::pair<std::size_t, std::uint64_t>> payloads_;  // payloads with a text
  std::string main_page_date_;
  std::uint64_t total_ = 0, done_ = 0;  // bytes of the files
  WaczCounts& counts_;
};

// "x.wacz" -> "x-2.wacz".
std::string part_name(const std::string& out, std::size_t number) {
  const std::size_t dot = out.ends_with(".wacz") ? out.size() - 5 : out.size();
  return fmt::format("{}-{}{}", out.substr(0, dot), number, out.substr(dot));
}

}  // namespace

Result<WaczCounts> write_wacz(CaptureSource& source, const WaczOptions& options, const Progress& progress) {
  WaczCounts counts;
  BB_TRY(const WaczPlan plan, plan_parts(source, options.parts, progress));
  const std::vector<WaczPart>& parts = plan.parts;
  counts.left_out = plan.left_out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string out = parts.size() == 1 ? options.out : part_name(options.out, i + 1);
    BB_TRY_VOID(WaczExport(source, options, parts[i], out, progress, counts).run());
    counts.outputs.push_back(out);
  }
  return counts;
}

}  // namespace bowerbird
