// `bowerbird export --as site`.
#include "cmd/export_site.h"

#include <nlohmann/json.hpp>

#include "archive/capture_library.h"
#include "base/units.h"
#include "cmd/dedup_archives.h"
#include "cmd/terminal.h"
#include "replay/site_export.h"

namespace bowerbird {

Status run_site_export(const std::vector<std::string>& inputs, const std::string& out,
                       const std::string& title, bool respect_noarchive, const CommonOptions& common) {
  if (out.empty() || out == "-") refuse("--as site writes a folder: give its name with -o");
  SiteExportOptions options;
  options.out = out;
  options.title = title.empty() ? inputs.front() : title;
  options.respect_noarchive = respect_noarchive;
  SiteExportCounts counts;
  {
    ProgressLine line(common.quiet);
    const Progress progress = line.progress();
    BB_TRY(const auto library, CaptureLibrary::open(inputs, progress, open_dedup_archives(inputs)));
    BB_TRY(counts, export_site(*library, options, progress));
  }
  if (common.json) {
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"files", counts.files},
                                    {"pages", counts.pages},
                                    {"bytes", counts.bytes},
                                    {"noarchive", counts.noarchive},
                                    {"unreadable", counts.unreadable}})
                        .dump());
    return {};
  }
  fmt::print("{}: {}, {} of them pages, {}\n", printable(options.out), plural(counts.files, "file"),
             counts.pages, format_bytes(counts.bytes));
  if (counts.noarchive > 0)
    fmt::print("{} with noarchive{}\n", plural(counts.noarchive, "page"),
               respect_noarchive ? " omitted" : "");
  if (counts.unreadable > 0)
    fmt::print("{} omitted that could not be read\n", plural(counts.unreadable, "capture"));
  return {};
}

}  // namespace bowerbird
