#include "cmd/export_wacz.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/wacz.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/dedup_archives.h"
#include "cmd/terminal.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/crawl_history.h"
#include "export/document.h"
#include "store/crawl_reader.h"
#include "sys/clock.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

std::string wacz_name(const std::string& input) {
  fs::path path = fs::path(input).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  std::string name = path.filename().string();
  name = name.substr(0, std::min(name.find(".warc"), name.find(".arc")));
  return (name.empty() || name == "." || name == ".." ? "export" : name) + ".wacz";
}

// Adds what the WARC files do not tell: seeds, options and the report of a crawl.
struct Description {
  WaczOptions& options;

  Status add_file(const std::string& path, const std::string& name) {
    if (!file_exists(path)) return {};
    BB_TRY(const auto file, MappedFile::open(path));
    options.extra.emplace_back(name, file->text());
    return {};
  }

  // place: in the package.
  Status add_crawl(const std::string& folder, const std::string& place) {
    BB_TRY(const std::vector<CrawlSeed> seeds, read_crawl_seeds(folder));
    for (const CrawlSeed& seed : seeds) {
      if (!seed.sitemap) options.seeds.push_back(seed.url);
    }
    CrawlOptions kept;
    if (recall_options(folder, kept).ok())
      options.extra.emplace_back(place + "options.toml", shown_crawl_options(kept));
    for (const char* name : {"report.html", "report.json"})
      BB_TRY_VOID(add_file(folder + "/" + name, place + name));
    return {};
  }
};

Status describe_inputs(const std::vector<std::string>& inputs, Description& description) {
  std::vector<std::string> folders;
  for (const std::string& input : inputs) {
    for (std::string& folder : crawl_folders(input)) folders.push_back(std::move(folder));
  }
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string own = folders.size() == 1 ? "" : fmt::format("{}/", i + 1);
    BB_TRY_VOID(description.add_crawl(folders[i], "bowerbird/" + own));
  }
  return {};
}

std::string text_of_page(Document& document, const RecordPosition& capture, const RecordPosition& payload) {
  const auto outcome = document.read({capture.path, capture.offset}, {payload.path, payload.offset});
  if (!outcome.ok() || *outcome != Document::Outcome::kRead) return {};
  return document.main_text();
}

void print_wacz(const WaczOptions& options, const WaczCounts& counts, bool json) {
  if (json) {
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"outputs", counts.outputs},
                                    {"captures", counts.captures},
                                    {"pages", counts.pages},
                                    {"files", counts.files},
                                    {"rewritten", counts.rewritten},
                                    {"noarchive", counts.noarchive},
                                    {"left_out", counts.left_out},
                                    {"completed", counts.completed},
                                    {"missing", counts.missing},
                                    {"bytes", counts.bytes}})
                        .dump());
    return;
  }
  fmt::print(
      "{}: {} of {}, {}\n",
      printable(counts.outputs.size() == 1 ? counts.outputs.front() : plural(counts.outputs.size(), "file")),
      plural(counts.pages, "page"), plural(counts.captures, "capture"), format_bytes(counts.bytes));
  if (counts.outputs.size() > 1) {
    for (const std::string& output : counts.outputs) fmt::print("  {}\n", printable(output));
  }
  if (counts.left_out > 0) {
    fmt::print("{} with noarchive omitted\n", plural(counts.left_out, "capture"));
  } else if (counts.noarchive > 0) {
    fmt::print("{} noarchive; --respect-noarchive leaves such pages out\n",
               plural(counts.noarchive, "capture says", "captures say"));
  }
  if (counts.completed > 0)
    fmt::print("{}: the originals are in other files\n",
               plural(counts.completed, "revisit became a full response", "revisits became full responses"));
  if (counts.missing > 0)
    fmt::print("{} cannot be shown: the originals are missing\n", plural(counts.missing, "revisit"));
}

}  // namespace

void add_wacz_options(CLI::App& command, WaczFlags& flags) {
  constexpr char kGroup[] = "WACZ";
  command
      .add_option("--title", flags.title,
                  "Title of the collection (also for --as site). Default: the first seed")
      ->type_name("TEXT")
      ->group(kGroup);
  command
      .add_option("--split", flags.split,
                  "Write several files, x-1.wacz, x-2.wacz and so on, of about this size")
      ->check(parsed_by(parse_bytes))
      ->type_name("BYTES")
      ->group(kGroup);
  command.add_flag("--text", flags.text, "Add the main text of pages to the list of pages, for search")
      ->group(kGroup);
}

Status run_wacz_export(const std::vector<std::string>& inputs, const std::string& out, const WaczFlags& flags,
                       bool respect_noarchive, const CommonOptions& common) {
  for (const std::string& input : inputs) {
    if (input.ends_with(".wacz"))
      return error("{}: it is a WACZ already; --as wacz takes folders of crawls and WARC files", input);
  }
  WaczOptions options;
  options.out = out.empty() ? wacz_name(inputs.front()) : out;
  options.created_us = WallClock().now_us();
  options.parts.respect_noarchive = respect_noarchive;
  if (!flags.split.empty()) {
    BB_TRY(options.parts.split_bytes, parse_bytes(flags.split));
    if (options.parts.split_bytes == 0) return error("--split: at least one byte is needed");
  }
  Description description{options};
  BB_TRY_VOID(describe_inputs(inputs, description));
  options.title = flags.title;
  if (options.title.empty()) options.title = options.seeds.empty() ? inputs.front() : options.seeds.front();
  Document document;
  if (flags.text) {
    options.text = [&document](const RecordPosition& capture, const RecordPosition& payload) {
      return text_of_page(document, capture, payload);
    };
  }
  const std::unique_ptr<OtherPayloads> others = open_dedup_archives(inputs);
  options.others = others.get();
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures(inputs));
  WaczCounts counts;
  {
    ProgressLine line(common.quiet);
    BB_TRY(counts, write_wacz(*source, options, line.progress()));
  }
  print_wacz(options, counts, common.json);
  return {};
}

}  // namespace bowerbird
