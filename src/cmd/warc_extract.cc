// `bowerbird warc extract`: the pages of WARC files as files in a folder.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "cmd/warc_options.h"
#include "fetch/coding.h"
#include "store/file_names.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestPage = std::size_t{1} << 30;

struct ExtractCommand {
  std::vector<std::string> files;
  std::string out;
  std::string url;
  int status = 200;
};

struct Counts {
  std::uint64_t written = 0;
  std::uint64_t bytes = 0;
  std::uint64_t revisits = 0;
  std::uint64_t passed_over = 0;  // other statuses
  std::uint64_t undecoded = 0;
};

constexpr CommandText kText = {
    "write the pages of WARC files as files into a folder",
    "Each answer becomes a file OUT/host/path, its content coding (gzip, br, zstd) undone. Where a name is "
    "taken, a number "
    "is put behind it; characters that are trouble in file names become _, and nothing is ever written "
    "outside of OUT. "
    "Revisit records, whose payload is stored for another URL or time, are counted and left out.",
    "# all pages of a crawl\nbowerbird warc extract mycrawl --out pages\n"
    "# one of them\nbowerbird warc extract x.warc.gz --url https://www.example.org/ --out pages\n"
    "# error pages\nbowerbird warc extract mycrawl --status 404 --out missing\n"};

// A path that is not taken, with its folders made.
Result<std::string> free_path(const std::string& out, const std::string& name) {
  fs::path wanted = fs::path(out) / name;
  std::error_code code;
  fs::create_directories(wanted.parent_path(), code);
  if (code) {
    // There is a page /a besides this page /a/b.
    const std::size_t slash = name.find('/');
    wanted = fs::path(out) / name.substr(0, slash) / ("_" + file_name_of(name.substr(slash + 1)));
    fs::create_directories(wanted.parent_path(), code);
    if (code) return error("{}: cannot create the folder: {}", wanted.parent_path().string(), code.message());
  }
  std::string path = wanted.string();
  for (int number = 2; file_exists(path); ++number) path = fmt::format("{}~{}", wanted.string(), number);
  return path;
}

Status extract_record(WarcReader& reader, const ExtractCommand& command, Counts& counts) {
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
    if (command.status != 0 && http.status() != command.status) {
      ++counts.passed_over;
      return {};
    }
    const CodingResult result = decode_body(http.field("Content-Encoding"), body,
                                            {kLargestPage, ~std::uint64_t{0}, kLargestPage}, decoded);
    if (result == CodingResult::kWhole || result == CodingResult::kCut) body = decoded;
    if (result == CodingResult::kDamaged || result == CodingResult::kUnknown) ++counts.undecoded;
  }
  BB_TRY(const std::string path, free_path(command.out, file_path_of_url(record_url(head))));
  BB_TRY(const std::unique_ptr<OutputFile> file, OutputFile::create(path));
  BB_TRY_VOID(file->write(body));
  BB_TRY_VOID(file->finish());
  ++counts.written;
  counts.bytes += body.size();
  return {};
}

Status extract(const ExtractCommand& command, const CommonOptions& common) {
  BB_TRY(const std::vector<std::string> files, warc_files(command.files));
  const RecordFilter filter{{"response", "resource", "revisit"}, command.url};
  Counts counts;
  {
    ProgressLine line(common.quiet);
    const Progress progress = line.progress();
    for (const std::string& file : files) {
      BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file));
      for (;;) {
        BB_TRY(const bool more, reader->next());
        if (!more) break;
        if (!progress.tick("extracting " + file, reader->position(), reader->stored_size()))
          return error("stopped");
        if (filter.wants(reader->head())) BB_TRY_VOID(extract_record(*reader, command, counts));
      }
    }
  }
  if (common.json) {
    print_json_line(nlohmann::json({{"out", command.out},
                                    {"written", counts.written},
                                    {"bytes", counts.bytes},
                                    {"revisits", counts.revisits},
                                    {"passed_over", counts.passed_over},
                                    {"undecoded", counts.undecoded}})
                        .dump());
  } else {
    fmt::print("{} files, {}, in {}; {} revisits and {} answers of other statuses left out\n",
               format_count(counts.written), format_bytes(counts.bytes), printable(command.out),
               format_count(counts.revisits), format_count(counts.passed_over));
    if (counts.undecoded > 0)
      fmt::print("{} bodies could not be decoded and are as they came\n", counts.undecoded);
  }
  return {};
}

}  // namespace

void add_warc_extract(App& app, CLI::App& warc) {
  auto options = std::make_shared<ExtractCommand>();
  CLI::App& command = app.add_command(
      warc, "extract", kText, [options](const CommonOptions& common) { return extract(*options, common); });
  command
      .add_option("FILE", options->files,
                  "WARC files (.warc, .warc.gz, .warc.zst), - for standard input, or folders")
      ->required();
  command.add_option("--out", options->out, "the folder to write to; made if need be")
      ->required()
      ->type_name("DIR");
  command.add_option("--url", options->url, "only this URL")->type_name("URL");
  command.add_option("--status", options->status, "only answers with this status; 0 for all")
      ->check(CLI::Range(0, 999))
      ->type_name("CODE")
      ->capture_default_str();
}

}  // namespace bowerbird
