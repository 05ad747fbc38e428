#include "archive/extract.h"

#include <filesystem>
#include <memory>

#include "archive/warc_records.h"
#include "fetch/coding.h"
#include "store/file_names.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestPage = std::size_t{1} << 30;

// A path that is not taken, with its folders made.
Result<std::string> free_path(const std::string& out, const std::string& name) {
  fs::path wanted = fs::path(out) / name;
  std::error_code code;
  fs::create_directories(wanted.parent_path(), code);
  if (code) {
    // There is a page /a and this page /a/b.
    const std::size_t slash = name.find('/');
    wanted = fs::path(out) / name.substr(0, slash) / ("_" + file_name_of(name.substr(slash + 1)));
    fs::create_directories(wanted.parent_path(), code);
    if (code) return error("{}: cannot create the folder: {}", wanted.parent_path().string(), code.message());
  }
  std::string path = wanted.string();
  for (int number = 2; file_exists(path); ++number) path = fmt::format("{}~{}", wanted.string(), number);
  return path;
}

Status extract_record(WarcReader& reader, const ExtractOptions& options, ExtractCounts& counts) {
  const WarcHead& head = reader.head();
  if (head.type() == "revisit") {
    ++counts.revisits;
    return {};
  }
  BB_TRY(const std::string block, reader.read_all(kLargestPage));
  std::string_view body = block;
  std::string decoded;
  if (is_http(head)) {
    HttpSplitter http;
    body = http.feed(block);
    if (options.status != 0 && http.status() != options.status) {
      ++counts.other_status;
      return {};
    }
    const CodingResult result = decode_body(http.field("Content-Encoding"), body,
                                            {kLargestPage, ~std::uint64_t{0}, kLargestPage}, decoded);
    if (result == CodingResult::kWhole || result == CodingResult::kCut) body = decoded;
    if (result == CodingResult::kDamaged || result == CodingResult::kUnknown) ++counts.undecoded;
  }
  BB_TRY(const std::string path, free_path(options.out, file_path_of_url(record_url(head))));
  BB_TRY(const std::unique_ptr<OutputFile> file, OutputFile::create(path));
  BB_TRY_VOID(file->write(body));
  BB_TRY_VOID(file->finish());
  ++counts.written;
  counts.bytes += body.size();
  return {};
}

}  // namespace

Result<ExtractCounts> extract_pages(const ExtractOptions& options, const Progress& progress) {
  BB_TRY(const std::vector<std::string> files, warc_files(options.files));
  const RecordFilter filter{{"response", "resource", "revisit"}, options.url};
  ExtractCounts counts;
  for (const std::string& file : files) {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file));
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) break;
      if (!progress.tick("extracting " + file, reader->position(), reader->stored_size()))
        return error("stopped");
      if (filter.wants(reader->head())) BB_TRY_VOID(extract_record(*reader, options, counts));
    }
  }
  return counts;
}

}  // namespace bowerbird
