// `bowerbird warc convert`: WARC files with another compression.
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/convert.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

constexpr CommandText kWarcConvertText = {
    "convert WARC or ARC files to another compression",
    "Converts each file, record by record, into the folder OUT, and writes an index of the new files "
    "(index.cdxj). Records do not change, except that ARC records become WARC records. The folder of a crawl "
    "means all its WARC files; the crawl itself is not changed and can be resumed.",
    "# for software that cannot read zstd\nbowerbird warc convert mycrawl --to gzip --out converted\n"
    "# an ARC file as WARC\nbowerbird warc convert old.arc.gz --out converted\n"};

const std::vector<std::pair<std::string, Compression>> kWarcKinds = {
    {"none", Compression::kNone}, {"gzip", Compression::kGzip}, {"zstd", Compression::kZstd}};

struct WarcConvertCommand {
  ConvertOptions options;
  std::string kind = "gzip";
};

Status convert_files(WarcConvertCommand& command, const CommonOptions& common) {
  for (const auto& [name, kind] : kWarcKinds) {
    if (name == command.kind) command.options.compression = kind;
  }
  ConvertCounts counts;
  {
    ProgressLine line(common.quiet);
    BB_TRY(counts, convert_warcs(command.options, line.progress()));
  }
  if (common.json) {
    print_json_line(nlohmann::json({{"out", command.options.out},
                                    {"files", counts.files},
                                    {"records", counts.records},
                                    {"bytes", counts.bytes}})
                        .dump());
    return {};
  }
  fmt::print("{}: {}, {}, {}\n", printable(command.options.out), plural(counts.files, "file"),
             plural(counts.records, "record"), format_bytes(counts.bytes));
  return {};
}

}  // namespace

void add_warc_convert(App& app, CLI::App& warc) {
  auto options = std::make_shared<WarcConvertCommand>();
  CLI::App& command =
      app.add_command(warc, "convert", kWarcConvertText,
                      [options](const CommonOptions& common) { return convert_files(*options, common); });
  command
      .add_option("FILE", options->options.files,
                  "WARC or ARC files (plain, gzip or zstd), - for standard input, or folders")
      ->required();
  command.add_option("-o,--out", options->options.out, "The folder to write to; it is created if necessary")
      ->required()
      ->type_name("DIR");
  command.add_option("--to", options->kind, "Compression of the new files: none, gzip or zstd")
      ->check(one_of({"none", "gzip", "zstd"}))
      ->type_name("KIND")
      ->capture_default_str();
}

}  // namespace bowerbird
