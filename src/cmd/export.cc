// `bowerbird export`: what was crawled, as a file for other programs.
#include <memory>

#include "cmd/commands.h"
#include "cmd/export_documents.h"
#include "cmd/export_site.h"
#include "cmd/export_wacz.h"

namespace bowerbird {

namespace {

struct ExportCommand {
  std::vector<std::string> inputs;
  std::string format;
  std::string out;
  bool respect_noarchive = false;
  WaczFlags wacz;
  DocumentOptions documents;
};

constexpr CommandText kText = {
    "convert a crawl to data for other programs",
    "INPUT is the folder of a crawl or fleet, or one or more WARC, ARC or WACZ files. A running crawl is "
    "exported as of its last commit.\n"
    "\n"
    "Formats:\n"
    "  wacz      one file with everything, for replay in ReplayWeb.page\n"
    "  site      a folder of pages for any browser, with relative links\n"
    "  jsonl     one JSON object per page: metadata and main text\n"
    "  markdown  main text as Markdown, metadata as YAML front matter\n"
    "  text      main text\n"
    "  csv       a table of the fields in --fields\n"
    "  chunks    pieces of pages for retrieval, one JSON object each\n"
    "  bulk      lines for the _bulk interface of OpenSearch and Elasticsearch\n"
    "  links     links between pages, with anchor texts\n"
    "  wet       text of pages as WARC records, like Common Crawl's WET files\n"
    "  wat       metadata and links of pages as WARC records, like Common Crawl's WAT files\n"
    "\n"
    "All formats except wacz and site are written to standard output or to a file, which is compressed if "
    "its name ends in .gz or .zst. --shard-size writes a folder of files with a manifest. markdown and text "
    "are written as one file per page if FILE is a folder (a name that ends in /). A file gets its name only "
    "when it is complete. To continue an interrupted export, run the same command again.",
    "# the 1,000 best pages as Markdown\nbowerbird export mycrawl --as markdown --top 1000 -o pages/\n"
    "# all pages as JSON\nbowerbird export mycrawl --as jsonl -o pages.jsonl.zst\n"
    "# a table of titles\nbowerbird export mycrawl --as csv --fields url,title,published\n"
    "# one file to send to someone\nbowerbird export mycrawl --as wacz -o site.wacz\n"
    "# a folder for a browser\nbowerbird export mycrawl --as site -o pages\n"
    "# WARC files of another crawler\nbowerbird export a.warc.gz b.warc.gz --as wacz -o both.wacz\n"};

}  // namespace

void add_export(App& app) {
  auto options = std::make_shared<ExportCommand>();
  CLI::App& command = app.add_command(app.root(), "export", kText, [options](const CommonOptions& common) {
    if (options->format == "wacz")
      return run_wacz_export(options->inputs, options->out, options->wacz, options->respect_noarchive,
                             common);
    if (options->format == "site")
      return run_site_export(options->inputs, options->out, options->wacz.title, options->respect_noarchive,
                             common);
    options->documents.pages.respect_noarchive = options->respect_noarchive;
    return run_document_export(options->inputs, options->format, options->out, options->documents, common);
  });
  std::vector<std::string> formats = document_formats();
  formats.insert(formats.begin(), {"wacz", "site"});
  command.add_option("INPUT", options->inputs, "Folder of a crawl or fleet, or WARC, ARC or WACZ files")
      ->required();
  command.add_option("--as", options->format, "Output format")
      ->required()
      ->check(one_of(formats))
      ->type_name("FORMAT");
  command
      .add_option("-o,--out", options->out,
                  "The file to write. Default: standard output; for wacz, the name of INPUT with .wacz")
      ->type_name("FILE");
  command.add_flag("--respect-noarchive", options->respect_noarchive,
                   "Omit pages with noarchive in <meta name=robots> or X-Robots-Tag");
  add_wacz_options(command, options->wacz);
  add_document_options(command, options->documents);
}

}  // namespace bowerbird
