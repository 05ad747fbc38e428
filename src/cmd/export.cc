// `bowerbird export`: what was crawled, as a file for other programs.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/wacz.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/export_documents.h"
#include "cmd/terminal.h"
#include "crawl/inspect/crawl_history.h"
#include "store/crawl_reader.h"
#include "sys/clock.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

struct ExportCommand {
  std::vector<std::string> inputs;
  std::string format;
  std::string out;
  std::string title;
  DocumentOptions documents;
};

constexpr CommandText kText = {
    "write a crawl as data for other programs",
    "INPUT is the folder of a crawl or of a fleet, or one or more WARC files. A crawl that is running is "
    "exported as it stood at its last commit.\n\n"
    "Formats:\n"
    "  wacz      one file with everything, for replay in ReplayWeb.page\n"
    "  jsonl     one JSON object per page: facts and main text\n"
    "  markdown  main content as Markdown, facts as YAML front matter\n"
    "  text      main text\n"
    "  csv       a table of the fields that --fields names\n"
    "  chunks    pieces of pages for retrieval, one JSON object each\n"
    "  bulk      lines for the _bulk interface of OpenSearch and Elasticsearch\n"
    "  links     links between pages, with anchor texts\n"
    "  wet       text of pages as WARC records, like Common Crawl's WET files\n\n"
    "All but wacz are written to standard output, or to a file that is compressed if its name ends in .gz or "
    ".zst. --shard-size writes a folder of files with a manifest; the same command continues an export that "
    "was interrupted. markdown and text are written as a file per page if FILE is a folder (a name that ends "
    "in /). Files appear under their names only when they are complete.",
    "# the 1,000 best pages as Markdown\nbowerbird export mycrawl --as markdown --top 1000 -o pages/\n"
    "# all pages as JSON\nbowerbird export mycrawl --as jsonl -o pages.jsonl.zst\n"
    "# a table of titles\nbowerbird export mycrawl --as csv --fields url,title,published\n"
    "# one file to send to someone\nbowerbird export mycrawl --as wacz -o site.wacz\n"
    "# WARC files of another crawler\nbowerbird export a.warc.gz b.warc.gz --as wacz -o both.wacz\n"};

std::string default_name(const std::string& input) {
  fs::path path = fs::path(input).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  std::string name = path.filename().string();
  name = name.substr(0, name.find(".warc"));
  return (name.empty() || name == "." || name == ".." ? "export" : name) + ".wacz";
}

// Metadata for a viewer that the WARC files do not contain.
Status describe(const std::string& folder, WaczOptions& options) {
  if (!CrawlReader::holds_crawl(folder)) return {};
  BB_TRY(const std::vector<CrawlSeed> seeds, read_crawl_seeds(folder));
  for (const CrawlSeed& seed : seeds) {
    if (!seed.sitemap) options.seeds.push_back(seed.url);
  }
  const std::string report = folder + "/report.html";
  if (!file_exists(report)) return {};
  BB_TRY(const auto file, MappedFile::open(report));
  options.extra.emplace_back("bowerbird/report.html", file->text());
  return {};
}

Status export_wacz(const ExportCommand& command, const CommonOptions& common) {
  WaczOptions options;
  options.out = command.out.empty() ? default_name(command.inputs.front()) : command.out;
  options.created_us = WallClock().now_us();
  for (const std::string& input : command.inputs) BB_TRY_VOID(describe(input, options));
  options.title = command.title;
  if (options.title.empty())
    options.title = options.seeds.empty() ? command.inputs.front() : options.seeds.front();
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures(command.inputs));
  WaczCounts counts;
  {
    ProgressLine line(common.quiet);
    BB_TRY(counts, write_wacz(*source, options, line.progress()));
  }
  if (common.json) {
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"captures", counts.captures},
                                    {"pages", counts.pages},
                                    {"files", counts.files},
                                    {"rewritten", counts.rewritten},
                                    {"bytes", counts.bytes}})
                        .dump());
    return {};
  }
  fmt::print("{}: {} of {}, {}\n", printable(options.out), plural(counts.pages, "page"),
             plural(counts.captures, "capture"), format_bytes(counts.bytes));
  return {};
}

}  // namespace

void add_export(App& app) {
  auto options = std::make_shared<ExportCommand>();
  CLI::App& command = app.add_command(app.root(), "export", kText, [options](const CommonOptions& common) {
    if (options->format == "wacz") return export_wacz(*options, common);
    return run_document_export(options->inputs, options->format, options->out, options->documents, common);
  });
  std::vector<std::string> formats = document_formats();
  formats.insert(formats.begin(), "wacz");
  command.add_option("INPUT", options->inputs, "Folder of a crawl or of a fleet, or WARC files")->required();
  command.add_option("--as", options->format, "Format of the file")
      ->required()
      ->check(one_of(formats))
      ->type_name("FORMAT");
  command
      .add_option("-o,--out", options->out,
                  "The file to write. Default: standard output; for wacz the name of INPUT with .wacz")
      ->type_name("FILE");
  command.add_option("--title", options->title, "wacz: title of the collection. Default: the first seed")
      ->type_name("TEXT");
  add_document_options(command, options->documents);
}

}  // namespace bowerbird
