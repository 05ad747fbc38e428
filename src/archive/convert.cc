#include "archive/convert.h"

#include <filesystem>
#include <memory>
#include <set>

#include "archive/record_facts.h"
#include "archive/record_packer.h"
#include "archive/warc_records.h"
#include "store/cdxj.h"
#include "store/digest_text.h"
#include "store/surt.h"
#include "sys/disk.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr std::size_t kIndexSortBytes = std::size_t{24} << 20;

std::string_view extension_of(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "";
    case Compression::kGzip:
      return ".gz";
    case Compression::kZstd:
      return ".zst";
  }
  return "";
}

class Conversion {
 public:
  Conversion(const ConvertOptions& options, const Progress& progress)
      : options_(options),
        progress_(progress),
        lines_(Disk::real(), options.out + "/index.cdxj.runs", kIndexSortBytes) {}

  Result<ConvertCounts> run() {
    BB_TRY(const std::vector<std::string> files, warc_files(options_.files));
    BB_TRY_VOID(make_folder(options_.out));
    for (const std::string& file : files) BB_TRY_VOID(convert(file));
    BB_TRY_VOID(write_index());
    return counts_;
  }

 private:
  Status convert(const std::string& file) {
    const std::string name = converted_name(file, options_.compression);
    if (!names_.insert(name).second) return error("{}: two files would get the name {}", file, name);
    const std::string path = options_.out + "/" + name;
    std::error_code code;
    if (std::filesystem::equivalent(file, path, code))
      return error("{}: the output would overwrite this file; give another folder", file);
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file));
    BB_TRY(const std::unique_ptr<OutputFile> out, OutputFile::create(path));
    RecordPacker packer(options_.compression);
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) break;
      if (!progress_.tick("converting " + file, reader->position(), reader->stored_size()))
        return error("stopped");
      const std::uint64_t offset = out->size();
      BB_TRY(const std::uint64_t length,
             packer.copy(*reader, [&out](std::string_view packed) { return out->write(packed); }));
      BB_TRY_VOID(add_line(*reader, packer.beginning(), name, offset, length));
      ++counts_.records;
    }
    counts_.bytes += out->size();
    ++counts_.files;
    return out->finish();
  }

  // block: its beginning.
  Status add_line(const WarcReader& reader, std::string_view block, const std::string& name,
                  std::uint64_t offset, std::uint64_t length) {
    BB_TRY(const std::optional<RecordFacts> facts, facts_.of(reader, block));
    if (!facts) return {};
    const auto digest = sha1_of_text(facts->digest);
    const std::string text = digest ? base32(*digest) : facts->digest;
    IndexEntry entry;
    entry.url = facts->url;
    entry.time_us = facts->time_us;
    entry.mime = facts->revisit ? std::string_view("warc/revisit") : std::string_view(facts->mime);
    entry.status = facts->status;
    entry.digest = text;
    entry.length = length;
    entry.offset = offset;
    entry.file = name;
    entry.noarchive = facts->noarchive;
    return lines_.add(cdxj_line(surt_key(facts->url), entry));
  }

  Status write_index() {
    BB_TRY(const std::unique_ptr<OutputFile> out, OutputFile::create(options_.out + "/index.cdxj"));
    const Status written = lines_.finish([&](std::string_view line) -> Status {
      BB_TRY_VOID(out->write(line));
      return out->write("\n");
    });
    if (!written.ok()) return written;
    return out->finish();
  }

  static std::string converted_name(const std::string& file, Compression compression) {
    std::string name = file == "-" ? "converted.warc" : std::filesystem::path(file).filename().string();
    if (name.ends_with(".open")) name.resize(name.size() - 5);
    name = without_compression(name);
    if (name.ends_with(".arc")) name.resize(name.size() - 4);
    if (!name.ends_with(".warc")) name += ".warc";
    return name.append(extension_of(compression));
  }

  const ConvertOptions& options_;
  const Progress& progress_;
  LineSorter lines_;
  FactReader facts_;
  std::set<std::string> names_;
  ConvertCounts counts_;
};

}  // namespace

Result<ConvertCounts> convert_warcs(const ConvertOptions& options, const Progress& progress) {
  return Conversion(options, progress).run();
}

}  // namespace bowerbird
