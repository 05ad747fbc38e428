// `bowerbird warc ls|cat|verify`: lists WARC files, prints one record, and checks them.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/capture_index.h"
#include "archive/captures.h"
#include "archive/warc_records.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "store/archive_files.h"
#include "store/crawl_reader.h"
#include "store/surt.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPiece = 1 << 16;

struct ListCommand {
  std::vector<std::string> files;
  RecordFilter filter;
};

constexpr CommandText kListText = {
    "list the records of WARC files",
    "One line per record: its offset in the file, its type, status and media type of the response, the size "
    "of its block, its date and URL. Files may be WARC or ARC, plain, gzip or zstd; - is standard input; the "
    "folder of a crawl means all its WARC files, including those that are being written.\n"
    "\n"
    "--json prints one line of JSON per record.",
    "# what a crawl has stored\nbowerbird warc ls mycrawl\n# only responses\nbowerbird warc ls x.warc.gz "
    "--type response --type revisit\n# number of pages per media type\nbowerbird warc ls mycrawl --type "
    "response --json | jq -r .mime | sort | uniq -c\n"};

// The block is only read for the head of an HTTP message; the rest is skipped.
Status read_http_head(WarcReader& reader, HttpSplitter& http) {
  if (!is_http(reader.head())) return {};
  char piece[4096];
  while (!http.in_body()) {
    BB_TRY(const std::size_t n, reader.read(piece, sizeof piece));
    if (n == 0) break;
    http.feed({piece, n});
  }
  return {};
}

void print_record(const std::string& file, const WarcReader& reader, const HttpSplitter& http, bool json) {
  const WarcHead& head = reader.head();
  const std::string mime = record_mime(head, http);
  if (json) {
    nlohmann::json line = {{"file", file},
                           {"offset", reader.offset()},
                           {"type", head.type()},
                           {"bytes", head.content_length},
                           {"mime", mime},
                           {"date", head.field("WARC-Date")},
                           {"url", record_url(head)},
                           {"id", head.field("WARC-Record-ID")}};
    if (http.status() != 0) line["status"] = http.status();
    print_json_line(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  fmt::print("{:>11} {:<9} {:>3} {:>9} {:<20} {} {}\n", reader.offset(), printable(head.type()),
             http.status() != 0 ? std::to_string(http.status()) : "-", head.content_length,
             printable(mime.empty() ? "-" : mime), printable(head.field("WARC-Date")),
             printable(record_url(head)));
}

Status list_file(const ListCommand& command, const std::string& file, const CommonOptions& common) {
  BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file));
  for (;;) {
    BB_TRY(const bool more, reader->next());
    if (!more) return {};
    if (interrupted()) return error("stopped");
    if (!command.filter.wants(reader->head())) continue;
    HttpSplitter http;
    BB_TRY_VOID(read_http_head(*reader, http));
    print_record(file, *reader, http, common.json);
  }
}

Status list(const ListCommand& command, const CommonOptions& common) {
  BB_TRY(const std::vector<std::string> files, warc_files(command.files));
  for (const std::string& file : files) {
    if (files.size() > 1 && !common.json) fmt::print("{}:\n", printable(file));
    BB_TRY_VOID(list_file(command, file, common));
  }
  return {};
}

struct CatCommand {
  std::vector<std::string> files;
  RecordFilter filter;
  std::uint64_t offset = 0;
  bool at_offset = false;
  std::string part = "record";
};

constexpr CommandText kCatText = {
    "print records of WARC files",
    "Writes the selected records to standard output, byte for byte and uncompressed: all of them, those of "
    "one URL, those of a type, or the one at an offset (from `bowerbird warc ls` or the index index.cdxj). "
    "The record at an offset, and those of a URL in the folder of a finished crawl, are found by the index; "
    "otherwise all files are read.\n"
    "\n"
    "--part selects the part of each record:\n"
    "  record   header and block, so that the output is a WARC file again\n"
    "  block    what the server sent: response headers and body\n"
    "  payload  the body only",
    "# the page at an offset of the index\nbowerbird warc cat x.warc.gz --offset 4711 --part payload\n# what "
    "a server sent\nbowerbird warc cat mycrawl --url https://www.example.org/ --type response --part "
    "block\n# decompress a WARC file\nbowerbird warc cat x.warc.zst > x.warc\n"};

Status put(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size())
    return error("cannot write to standard output");
  return {};
}

Status cat_record(WarcReader& reader, const std::string& part) {
  const WarcHead& head = reader.head();
  const bool whole = part == "record";
  const bool payload = part == "payload" && is_http(head);
  if (whole) {
    std::string text = head.version + "\r\n";
    for (const auto& [name, value] : head.fields) text.append(name).append(": ").append(value).append("\r\n");
    BB_TRY_VOID(put(text + "\r\n"));
  }
  HttpSplitter http;
  const auto piece = std::make_unique<char[]>(kPiece);
  for (;;) {
    BB_TRY(const std::size_t n, reader.read(piece.get(), kPiece));
    if (n == 0) break;
    const std::string_view bytes(piece.get(), n);
    BB_TRY_VOID(put(payload ? http.feed(bytes) : bytes));
  }
  return whole ? put("\r\n\r\n") : Status{};
}

// The records of a URL at a place of the index: response or revisit, and what belongs to it.
Status cat_indexed(const CatCommand& command, const std::string& file, std::uint64_t offset,
                   std::uint64_t& shown) {
  BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file, offset));
  for (bool first = true;; first = false) {
    BB_TRY(const bool more, reader->next());
    if (!more) return {};
    const std::string_view type = reader->head().type();
    if (!first && type != "request" && type != "metadata") return {};
    if (!command.filter.wants(reader->head())) continue;
    BB_TRY_VOID(cat_record(*reader, command.part));
    ++shown;
  }
}

// By the indexes of the folders; false: there is a file, or a folder without a current index.
Result<bool> cat_by_index(const CatCommand& command, std::uint64_t& shown) {
  if (command.filter.url.empty() || command.at_offset) return false;
  std::vector<std::pair<std::string, std::unique_ptr<CaptureIndex>>> indexes;  // by folder
  for (const std::string& argument : command.files) {
    const std::vector<std::string> folders = crawl_folders(argument);
    if (folders.empty()) return false;
    for (const std::string& folder : folders) {
      BB_TRY(auto index, open_crawl_index(folder));
      if (index == nullptr) return false;
      indexes.emplace_back(folder, std::move(index));
    }
  }
  for (const auto& [folder, index] : indexes) {
    std::vector<IndexedCapture> captures;
    BB_TRY_VOID(index->find(surt_key(command.filter.url), [&](std::string_view line) {
      auto capture = parse_cdxj_line(line);
      const bool ours = capture && capture->url == command.filter.url;
      // A name with a slash leads out of the folder.
      if (ours && capture->file.find('/') == std::string::npos) captures.push_back(std::move(*capture));
    }));
    for (const IndexedCapture& capture : captures)
      BB_TRY_VOID(
          cat_indexed(command, folder + "/" + kArchiveFolder + "/" + capture.file, capture.offset, shown));
  }
  return true;
}

Status cat(const CatCommand& command) {
  std::uint64_t found = 0;
  BB_TRY(const bool indexed, cat_by_index(command, found));
  if (indexed && found > 0) return {};
  BB_TRY(const std::vector<std::string> files, warc_files(command.files));
  if (command.at_offset && files.size() > 1)
    return error("--offset needs one file, and {} were given", files.size());
  std::uint64_t shown = 0;
  for (const std::string& file : files) {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file, command.offset));
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) break;
      if (interrupted()) return error("stopped");
      if (command.filter.wants(reader->head())) {
        BB_TRY_VOID(cat_record(*reader, command.part));
        ++shown;
      }
      if (command.at_offset) break;
    }
  }
  if (shown == 0) return error("no record matches; `bowerbird warc ls` lists all records");
  return {};
}

struct VerifyCommand {
  std::vector<std::string> files;
};

constexpr CommandText kVerifyText = {
    "check WARC files",
    "Reads every record and checks its length, its mandatory fields, its compression and its digests (SHA-1, "
    "SHA-256, SHA-512, MD5; base32, base16 or base64). Digests of another kind are reported as not checked. "
    "Each problem is shown with its position. The exit status is 1 if there is a problem. In the folder of a "
    "crawl, files that are missing, shorter than before or unknown to the crawl are problems too, and are "
    "reported first.\n"
    "\n"
    "A file that ends in .open is being written, or its crawl was killed. Data after the last commit is "
    "removed when the crawl is resumed.",
    "# all files of a crawl\nbowerbird warc verify mycrawl\n# for a script\nbowerbird warc verify x.warc.gz "
    "--json | jq .problem_count\n"};

nlohmann::json report_json(const std::string& file, const WarcReport& report, std::string_view compression) {
  nlohmann::json problems = nlohmann::json::array();
  for (const WarcProblem& problem : report.problems) {
    problems.push_back({{"offset", problem.offset}, {"text", problem.text}});
  }
  return {{"file", file},
          {"compression", compression},
          {"records", report.records},
          {"block_bytes", report.block_bytes},
          {"types", report.types},
          {"digests_checked", report.digests_checked},
          {"digests_wrong", report.digests_wrong},
          {"digests_unchecked", report.digests_unchecked},
          {"not_packed_alone", report.shared_members},
          {"problem_count", report.problem_count},
          {"problems", std::move(problems)}};
}

void print_report(const std::string& file, const WarcReport& report) {
  std::string types;
  for (const auto& [type, count] : report.types) {
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", format_count(count), printable(type));
  }
  const bool colour = colour_on_stdout();
  if (!types.empty()) types = fmt::format(" ({})", types);
  fmt::print("{}: {}: {}{}, {}, {}\n", printable(file),
             report.problem_count == 0 ? green("OK", colour) : red("damaged", colour),
             plural(report.records, "record"), types, format_bytes(report.block_bytes),
             plural(report.digests_checked - report.digests_wrong, "digest matches", "digests match"));
  if (report.shared_members > 0) {
    fmt::print("  {} compressed together with another: they cannot be read by their offset\n",
               plural(report.shared_members, "record is", "records are"));
  }
  if (report.digests_unchecked > 0) {
    fmt::print("  {}\n",
               plural(report.digests_unchecked, "digest was not checked", "digests were not checked"));
  }
  for (const WarcProblem& problem : report.problems) {
    fmt::print("  byte {}: {}\n", problem.offset, printable(problem.text));
  }
  if (report.problem_count > report.problems.size()) {
    fmt::print("  and {} more\n", format_count(report.problem_count - report.problems.size()));
  }
}

std::string_view compression_name(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return "gzip";
    case Compression::kZstd:
      return "zstd";
    case Compression::kNone:
      break;
  }
  return "none";
}

// Whether the files are those that the crawl wrote.
Status verify_folder(const std::string& folder, bool json) {
  BB_TRY(const auto crawl, CrawlReader::open(folder));
  BB_TRY(const std::vector<ArchiveProblem> problems, check_archive(Disk::real(), folder, crawl->commit()));
  for (const ArchiveProblem& problem : problems) {
    if (json) {
      print_json_line(nlohmann::json{{"file", problem.file},
                                     {"problem_count", 1},
                                     {"problems", {{{"offset", 0}, {"text", problem.text}}}}}
                          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      fmt::print("{}: {}: {}\n", printable(problem.file), red("damaged", colour_on_stdout()), problem.text);
    }
  }
  if (problems.empty()) return {};
  return error("{}: {} not as the crawl left {}", folder, plural(problems.size(), "file is", "files are"),
               problems.size() == 1 ? "it" : "them");
}

Status verify(const VerifyCommand& command, const CommonOptions& common) {
  for (const std::string& argument : command.files) {
    if (CrawlReader::holds_crawl(argument)) BB_TRY_VOID(verify_folder(argument, common.json));
  }
  BB_TRY(const std::vector<std::string> files, warc_files(command.files));
  std::uint64_t bad = 0;
  for (const std::string& file : files) {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file));
    WarcReport report;
    {
      ProgressLine line(common.quiet);
      report = check_warc(*reader, line.progress());
    }
    if (report.stopped) return error("stopped");
    bad += report.problem_count > 0 ? 1 : 0;
    if (common.json) {
      print_json_line(report_json(file, report, compression_name(reader->compression()))
                          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      print_report(file, report);
    }
  }
  if (bad > 0) return error("{} of {} files {} damaged", bad, files.size(), bad == 1 ? "is" : "are");
  return {};
}

const std::vector<std::string> kTypes = {"warcinfo", "response", "resource",   "request",
                                         "metadata", "revisit",  "conversion", "continuation"};
constexpr char kFilesHelp[] = "WARC or ARC files (plain, gzip or zstd), - for standard input, or folders";

}  // namespace

void add_warc_ls(App& app, CLI::App& warc) {
  auto options = std::make_shared<ListCommand>();
  CLI::App& command = app.add_command(
      warc, "ls", kListText, [options](const CommonOptions& common) { return list(*options, common); });
  command.add_option("FILE", options->files, kFilesHelp)->required();
  command.add_option("--type", options->filter.types, "Only records of this type. May be repeated")
      ->check(one_of(kTypes))
      ->type_name("TYPE");
  command.add_option("--url", options->filter.url, "Only records of this URL")->type_name("URL");
}

void add_warc_cat(App& app, CLI::App& warc) {
  auto options = std::make_shared<CatCommand>();
  auto chosen = std::make_shared<CLI::App*>(nullptr);
  CLI::App& command = app.add_command(
      warc, "cat", kCatText,
      [options, chosen](const CommonOptions&) {
        options->at_offset = (*chosen)->get_option("--offset")->count() > 0;
        return cat(*options);
      },
      false);
  *chosen = &command;
  command.add_option("FILE", options->files, kFilesHelp)->required();
  command.add_option("--offset", options->offset, "Only the record at this byte of the (compressed) file")
      ->type_name("BYTE");
  command.add_option("--url", options->filter.url, "Only records of this URL")->type_name("URL");
  command.add_option("--type", options->filter.types, "Only records of this type. May be repeated")
      ->check(one_of(kTypes))
      ->type_name("TYPE");
  command.add_option("--part", options->part, "Part of each record to write: record, block or payload")
      ->check(one_of({"record", "block", "payload"}))
      ->type_name("PART")
      ->capture_default_str();
}

void add_warc_verify(App& app, CLI::App& warc) {
  auto options = std::make_shared<VerifyCommand>();
  CLI::App& command = app.add_command(warc, "verify", kVerifyText, [options](const CommonOptions& common) {
    return verify(*options, common);
  });
  command.add_option("FILE", options->files, kFilesHelp)->required();
}

}  // namespace bowerbird
