#include "cmd/export_documents.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "cmd/dedup_archives.h"
#include "cmd/terminal.h"
#include "export/exporter.h"
#include "parse/dates.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr char kPages[] = "Which pages";
constexpr char kOutput[] = "Output";

Result<std::int64_t> parse_time_us(const std::string& text) {
  const auto time = parse_w3c_date(text);
  if (!time) return error("'{}' is not a date; write 2026-11-18 or 2026-11-18T12:30Z", printable(text));
  return *time * 1'000'000;
}

Result<std::vector<UrlPattern>> parse_patterns(const std::vector<std::string>& texts) {
  std::vector<UrlPattern> patterns;
  for (const std::string& text : texts) {
    BB_TRY(UrlPattern pattern, UrlPattern::make(text));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

// A number that is_count() has checked.
std::uint64_t count_of(const std::string& text) {
  return parse_count(text).value();
}

DocumentKind kind_named(const std::string& name) {
  if (name == "pdf") return DocumentKind::kPdf;
  if (name == "text") return DocumentKind::kText;
  return name == "feed" ? DocumentKind::kFeed : DocumentKind::kHtml;
}

Result<Selection> parse_selection(const PageChoice& pages) {
  Selection selection;
  BB_TRY(selection.include, parse_patterns(pages.include));
  BB_TRY(selection.exclude, parse_patterns(pages.exclude));
  selection.hosts = pages.hosts;
  selection.languages = pages.languages;
  if (!pages.since.empty()) {
    BB_TRY(selection.since_us, parse_time_us(pages.since));
  }
  if (!pages.until.empty()) {
    BB_TRY(selection.until_us, parse_time_us(pages.until));
  }
  selection.min_words =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(count_of(pages.min_words), ~std::uint32_t{0}));
  selection.min_score = pages.min_score;
  selection.kinds = 0;
  for (const std::string& name : pages.types) selection.kinds |= kind_bit(kind_named(name));
  selection.top = count_of(pages.top);
  selection.status = pages.status;
  selection.all_captures = pages.all_captures;
  selection.duplicates = pages.dedup == "none"   ? Duplicates::kKeep
                         : pages.dedup == "near" ? Duplicates::kNear
                                                 : Duplicates::kExact;
  selection.skip_opted_out = pages.skip_opted_out;
  selection.respect_noarchive = pages.respect_noarchive;
  return selection;
}

ChunkOptions parse_chunks(const ChunkSizes& sizes) {
  const auto number = [](const std::string& text) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count_of(text), 1'000'000));
  };
  const bool characters = !sizes.characters.empty();
  return {number(characters ? sizes.characters : sizes.words), number(sizes.overlap), characters};
}

Compression compression_named(const std::string& name) {
  return name == "gzip" ? Compression::kGzip : name == "zstd" ? Compression::kZstd : Compression::kNone;
}

// ".jsonl.gz" for another compression.
std::string extension_for(std::string_view extension, Compression compression) {
  return std::string(without_compression(extension)) + (compression == Compression::kGzip   ? ".gz"
                                                        : compression == Compression::kZstd ? ".zst"
                                                                                            : "");
}

// A folder is given by a slash at its end, or exists already.
bool is_folder(const std::string& out) {
  std::error_code code;
  return out.ends_with('/') || std::filesystem::is_directory(out, code);
}

Result<ExportOptions> parse_options(const std::string& name, const std::string& out,
                                    const DocumentOptions& options) {
  const FormatInfo& format = *find_format(name);
  ExportOptions parsed;
  parsed.format.name = name;
  if (!options.fields.empty()) {
    BB_TRY(parsed.format.fields, parse_fields(options.fields));
  }
  parsed.format.main_only = options.main_only;
  parsed.format.chunks = parse_chunks(options.chunks);
  parsed.format.created_us = WallClock().now_us();
  BB_TRY(parsed.selection, parse_selection(options.pages));
  // Common Crawl's metadata of other types has no members of its own.
  if (name == "wat") parsed.selection.kinds &= kind_bit(DocumentKind::kHtml);
  parsed.by_site = !options.keep_repeated;
  parsed.stored_text = !options.ignore_stored;
  parsed.comments = options.comments;
  parsed.tail = options.tail;
  if (options.tail && parsed.selection.top > 0)
    return error("--top needs the whole crawl, so it does not work with --tail");
  if (options.threads > 0) parsed.threads = options.threads;
  parsed.output.path = out.empty() ? "-" : out;
  if (!options.shard_size.empty()) {
    BB_TRY(parsed.output.shard_bytes, parse_bytes(options.shard_size));
  }
  const bool folder = is_folder(out);
  if (parsed.output.shard_bytes > 0) {
    if (out.empty()) return error("--shard-size needs a folder: add -o FOLDER");
  } else if (folder && !format.one_file_per_page) {
    return error("{}: {} is written to one file, or to a folder of files with --shard-size", out, name);
  } else {
    parsed.output.one_file_per_page = folder;
  }
  const bool in_folder = parsed.output.shard_bytes > 0 || parsed.output.one_file_per_page;
  parsed.output.extension = format.extension;
  parsed.output.compression = compression_by_name(in_folder ? parsed.output.extension : out);
  if (!options.compress.empty()) {
    if (!in_folder && parsed.output.path != "-")
      return error("{}: --compress does not apply to a single file; its name determines the compression",
                   out);
    parsed.output.compression = compression_named(options.compress);
    parsed.output.extension = extension_for(parsed.output.extension, *parsed.output.compression);
  }
  parsed.format.compression = *parsed.output.compression;
  return parsed;
}

nlohmann::ordered_json counts_json(const ExportCounts& counts) {
  return {{"pages", counts.pages},
          {"bytes", counts.bytes},
          {"files", counts.files},
          {"left_out",
           {{"not_selected", counts.not_selected},
            {"other_types", counts.other_types},
            {"older_captures", counts.older},
            {"duplicates", counts.duplicates},
            {"near_duplicates", counts.near_duplicates},
            {"other_languages", counts.other_languages},
            {"too_short", counts.short_pages},
            {"opted_out", counts.opted_out},
            {"low_scores", counts.low_scores},
            {"pdf_without_poppler_utils", counts.no_pdf_reader},
            {"unreadable", counts.unreadable}}}};
}

// Why documents were omitted: the key in the JSON, and words for people.
constexpr std::pair<std::string_view, std::string_view> kOmitted[] = {
    {"not_selected", "not selected by the options"},
    {"other_types", "of another type, such as robots.txt"},
    {"older_captures", "replaced by a newer capture"},
    {"duplicates", "with the body of an earlier page"},
    {"near_duplicates", "with nearly the text of an earlier page"},
    {"other_languages", "in another language"},
    {"too_short", "with fewer words than --min-words"},
    {"opted_out", "that opted out"},
    {"low_scores", "with a score below --min-score"},
    {"pdf_without_poppler_utils", "PDF files (install poppler-utils to read them)"},
    {"unreadable", "that could not be read"},
};

std::string summary(const std::string& out, const nlohmann::ordered_json& json) {
  std::string omitted;
  for (const auto& [key, words] : kOmitted) {
    const auto count = json["left_out"][std::string(key)].get<std::uint64_t>();
    if (count > 0)
      omitted += fmt::format("{}{} {}", omitted.empty() ? "; omitted: " : ", ", format_count(count), words);
  }
  return fmt::format("{}: {}, {}{}\n", printable(out), plural(json["pages"].get<std::uint64_t>(), "page"),
                     format_bytes(json["bytes"].get<std::uint64_t>()), omitted);
}

void add_record_choices(CLI::App& command, PageChoice& pages) {
  command.add_option("--include", pages.include, "Only URLs that match this regular expression")
      ->type_name("REGEX")
      ->group(kPages);
  command.add_option("--exclude", pages.exclude, "Omit URLs that match this regular expression")
      ->type_name("REGEX")
      ->group(kPages);
  command.add_option("--host", pages.hosts, "Only pages of this host and its subdomains")
      ->type_name("HOST")
      ->group(kPages);
  command.add_option("--language", pages.languages, "Only pages in these languages, comma-separated: en,de")
      ->delimiter(',')
      ->type_name("CODES")
      ->group(kPages);
  command.add_option("--since", pages.since, "Only pages fetched at this time or later")
      ->check(parsed_by(parse_time_us))
      ->type_name("DATE")
      ->group(kPages);
  command.add_option("--until", pages.until, "Only pages fetched before this time")
      ->check(parsed_by(parse_time_us))
      ->type_name("DATE")
      ->group(kPages);
  command
      .add_option("--type", pages.types, "Only these kinds of documents, comma-separated: html,pdf,text,feed")
      ->delimiter(',')
      ->check(one_of({"html", "pdf", "text", "feed"}))
      ->type_name("KINDS")
      ->group(kPages);
  command.add_option("--status", pages.status, "Only responses with this HTTP status")
      ->capture_default_str()
      ->type_name("CODE")
      ->group(kPages);
}

void add_page_choices(CLI::App& command, PageChoice& pages) {
  command.add_option("--min-words", pages.min_words, "Only pages whose main text has this many words")
      ->check(is_count())
      ->capture_default_str()
      ->type_name("N")
      ->group(kPages);
  command
      .add_option("--min-score", pages.min_score,
                  "Only pages with at least this score when the ordering chose them")
      ->type_name("X")
      ->group(kPages);
  command.add_option("--top", pages.top, "Only the N best pages by PageRank, best first (0: all)")
      ->check(is_count())
      ->capture_default_str()
      ->type_name("N")
      ->group(kPages);
  command.add_flag("--all-captures", pages.all_captures, "Every capture of a URL, not only the newest")
      ->group(kPages);
  command
      .add_option(
          "--dedup", pages.dedup,
          "Omit pages with the same body as an earlier one (exact), or also with nearly the same text (near)")
      ->check(one_of({"none", "exact", "near"}))
      ->capture_default_str()
      ->type_name("WHICH")
      ->group(kPages);
  command
      .add_flag(
          "--skip-opted-out", pages.skip_opted_out,
          "Omit pages with noindex, noarchive or noai, or with a reservation of text and data mining rights")
      ->group(kPages);
}

void add_output_options(CLI::App& command, DocumentOptions& options) {
  command
      .add_option("--fields", options.fields,
                  "Fields of jsonl, csv and bulk, comma-separated; a wrong name shows all names")
      ->delimiter(',')
      ->check(parsed_by([](const std::string& name) { return parse_fields({name}); }))
      ->type_name("NAMES")
      ->group(kOutput);
  command.add_option("--shard-size", options.shard_size, "Write a folder of files of about this size")
      ->check(parsed_by(parse_bytes))
      ->type_name("SIZE")
      ->group(kOutput);
  command
      .add_option("--compress", options.compress,
                  "none, gzip or zstd: compression of standard output and of files in a folder. A single "
                  "file is compressed according to its name")
      ->check(one_of({"none", "gzip", "zstd"}))
      ->type_name("HOW")
      ->group(kOutput);
  command.add_flag("--main", options.main_only, "wet: the main text instead of all text")->group(kOutput);
  command.add_flag("--comments", options.comments, "Include readers' comments in the main text")
      ->group(kOutput);
  command.add_flag("--keep-repeated", options.keep_repeated, "Keep blocks of text that repeat across a site")
      ->group(kOutput);
  command
      .add_flag("--ignore-stored", options.ignore_stored,
                "Extract the main text again, even if the crawl stored it (crawl --main-text)")
      ->group(kOutput);
  command
      .add_flag("--tail", options.tail,
                "Follow a crawl: write its pages as they are committed, until it ends or Ctrl-C")
      ->group(kOutput);
  command.add_option("--chunk-words", options.chunks.words, "chunks: maximum number of words per piece")
      ->check(is_count())
      ->capture_default_str()
      ->type_name("N")
      ->group(kOutput);
  command
      .add_option("--chunk-characters", options.chunks.characters,
                  "chunks: maximum number of characters per piece, instead of words; at least 16")
      ->check(is_count())
      ->type_name("N")
      ->group(kOutput);
  command
      .add_option("--chunk-overlap", options.chunks.overlap,
                  "chunks: number of words or characters repeated from the previous piece")
      ->check(is_count())
      ->capture_default_str()
      ->type_name("N")
      ->group(kOutput);
  command.add_option("--threads", options.threads, "Number of threads. 0: one per core")
      ->check(between(0, 1024))
      ->capture_default_str()
      ->type_name("N")
      ->group(kOutput);
}

}  // namespace

std::vector<std::string> document_formats() {
  std::vector<std::string> names;
  for (const FormatInfo& format : formats()) names.emplace_back(format.name);
  return names;
}

void add_document_options(CLI::App& command, DocumentOptions& options) {
  add_record_choices(command, options.pages);
  add_page_choices(command, options.pages);
  add_output_options(command, options);
}

Status run_document_export(const std::vector<std::string>& inputs, const std::string& format,
                           const std::string& out, const DocumentOptions& options,
                           const CommonOptions& common) {
  BB_TRY(ExportOptions parsed, parse_options(format, out, options));
  const std::unique_ptr<OtherPayloads> others = open_dedup_archives(inputs);
  parsed.others = others.get();
  ExportCounts counts;
  {
    ProgressLine line(common.quiet);
    BB_TRY(counts, export_documents(inputs, parsed, line.progress()));
  }
  const nlohmann::ordered_json json = counts_json(counts);
  // Standard output may be the export itself.
  if (out.empty() || out == "-") {
    if (!common.quiet) fmt::print(stderr, "{}", summary("export", json));
  } else if (common.json) {
    print_json_line(json.dump());
  } else {
    fmt::print("{}", summary(out, json));
  }
  return {};
}

}  // namespace bowerbird
