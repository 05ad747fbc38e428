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
    "write a crawl as data for other programs",
    "INPUT is the folder of a crawl or of a fleet, or one or more WARC or ARC files. A crawl that is running "
    "is "
    "exported as it stood at its last commit.\n\n"
    "Formats:\n"
    "  wacz      one file with everything, for replay in ReplayWeb.page\n"
    "  site      a folder that any browser opens, with links made relative\n"
    "  jsonl     one JSON object per page: facts and main text\n"
    "  markdown  main content as Markdown, facts as YAML front matter\n"
    "  text      main text\n"
    "  csv       a table of the fields that --fields names\n"
    "  chunks    pieces of pages for retrieval, one JSON object each\n"
    "  bulk      lines for the _bulk interface of OpenSearch and Elasticsearch\n"
    "  links     links between pages, with anchor texts\n"
    "  wet       text of pages as WARC records, like Common Crawl's WET files\n"
    "  wat       fields, titles and links of pages as WARC records, like its WAT files\n\n"
    "All but wacz and site are written to standard output, or to a file that is compressed if its name ends "
    "in .gz or "
    ".zst. --shard-size writes a folder of files with a manifest; the same command continues an export that "
    "was interrupted. markdown and text are written as a file per page if FILE is a folder (a name that ends "
    "in /). Files appear under their names only when they are complete.",
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
    options->documents.respect_noarchive = options->respect_noarchive;
    return run_document_export(options->inputs, options->format, options->out, options->documents, common);
  });
  std::vector<std::string> formats = document_formats();
  formats.insert(formats.begin(), {"wacz", "site"});
  command.add_option("INPUT", options->inputs, "Folder of a crawl or of a fleet, or WARC or WACZ files")
      ->required();
  command.add_option("--as", options->format, "Format of the file")
      ->required()
      ->check(one_of(formats))
      ->type_name("FORMAT");
  command
      .add_option("-o,--out", options->out,
                  "The file to write. Default: standard output; for wacz the name of INPUT with .wacz")
      ->type_name("FILE");
  command.add_flag("--respect-noarchive", options->respect_noarchive,
                   "Leave out pages that say noarchive, in <meta name=robots> or X-Robots-Tag");
  add_wacz_options(command, options->wacz);
  add_document_options(command, options->documents);
}

}  // namespace bowerbird
