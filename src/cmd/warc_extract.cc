// `bowerbird warc extract`: the pages of WARC files as files in a folder.
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/extract.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/dedup_archives.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "extract the pages of WARC files to a folder",
    "Each response becomes a file OUT/host/path, with its codings (chunks, gzip, deflate, br, zstd) decoded. "
    "If a name "
    "is taken, a number is appended. Characters that are not safe in file names become _, and nothing is "
    "written outside of OUT. A revisit record refers to another record for its payload; it becomes a file if "
    "that record is in one of the given files, or in an archive that the crawl used with --dedup.",
    "# all pages of a crawl\nbowerbird warc extract mycrawl --out pages\n"
    "# one of them\nbowerbird warc extract x.warc.gz --url https://www.example.org/ --out pages\n"
    "# error pages\nbowerbird warc extract mycrawl --status 404 --out missing\n"};

Status extract(ExtractOptions& options, const CommonOptions& common) {
  const std::unique_ptr<OtherPayloads> others = open_dedup_archives(options.files);
  options.others = others.get();
  ProgressLine line(common.quiet);
  BB_TRY(const ExtractCounts counts, extract_pages(options, line.progress()));
  line.clear();
  if (counts.written == 0) {
    return error(
        "no page matches (omitted: {}, {} with another status); `bowerbird warc ls` lists all records",
        plural(counts.revisits, "revisit"), plural(counts.other_status, "response"));
  }
  if (common.json) {
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"written", counts.written},
                                    {"bytes", counts.bytes},
                                    {"resolved", counts.resolved},
                                    {"revisits", counts.revisits},
                                    {"passed_over", counts.other_status},
                                    {"undecoded", counts.undecoded},
                                    {"cut", counts.cut}})
                        .dump());
    return {};
  }
  fmt::print("{}, {}, in {}; omitted: {} without an original, {} with another status\n",
             plural(counts.written, "file"), format_bytes(counts.bytes), printable(options.out),
             plural(counts.revisits, "revisit"), plural(counts.other_status, "response"));
  if (counts.undecoded > 0)
    fmt::print("{} could not be decoded and were written as they are\n",
               plural(counts.undecoded, "body", "bodies"));
  if (counts.cut > 0) fmt::print("{} cut off at 1 GiB\n", plural(counts.cut, "body was", "bodies were"));
  return {};
}

}  // namespace

void add_warc_extract(App& app, CLI::App& warc) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App& command = app.add_command(
      warc, "extract", kText, [options](const CommonOptions& common) { return extract(*options, common); });
  command
      .add_option("FILE", options->files,
                  "WARC or ARC files (plain, gzip or zstd), - for standard input, or folders")
      ->required();
  command.add_option("-o,--out", options->out, "The folder to write to; it is created if necessary")
      ->required()
      ->type_name("DIR");
  command.add_option("--url", options->url, "Only this URL")->type_name("URL");
  command.add_option("--status", options->status, "Only responses with this status; 0: all")
      ->check(CLI::Range(0, 999))
      ->type_name("CODE")
      ->capture_default_str();
}

}  // namespace bowerbird
