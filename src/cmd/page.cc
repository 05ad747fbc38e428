// `bowerbird page`: how an HTML page is parsed.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/option_flags.h"
#include "cmd/terminal.h"
#include "crawl/config/option_table.h"
#include "crawl/judge/body_types.h"
#include "crawl/loop/single_fetch.h"
#include "export/document_fields.h"
#include "fetch/coding.h"
#include "parse/fingerprint.h"
#include "parse/header_links.h"
#include "parse/http_head.h"
#include "parse/page_links.h"
#include "parse/page_reader.h"
#include "parse/robots_directives.h"
#include "parse/text/main_text.h"
#include "sys/core_dumps.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

struct PageCommand {
  std::string file;
  std::string base;
  std::string charset;
  bool main = false;
  bool text = false;
  bool markdown = false;
  bool facts = false;
  bool comments = false;
  bool requisites = false;
  OptionFlags network;  // for a page that is fetched
};

// The options of `bowerbird crawl` that matter for a single page too.
constexpr std::string_view kNetworkOptions[] = {"contact", "user-agent",   "allow-net", "connect-to", "proxy",
                                                "dns",     "certificates", "header",    "cookie",     "auth",
                                                "delay",   "timeout",      "max-size",  "redirects"};

// A page as received, from any source.
struct PageSource {
  std::string bytes;
  Url url;              // its own, or empty
  std::string charset;  // of its Content-Type
  bool xhtml = false;
  std::string head;  // of the response
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

using Json = nlohmann::ordered_json;

// The whole file, or as much as is parsed of a page.
Result<std::string> read_file(const std::string& path) {
  BB_TRY(const auto stream, InputStream::open(path));
  const std::size_t most = HtmlOptions().max_bytes + 1;
  std::string bytes;
  char block[65536];
  while (bytes.size() < most) {
    BB_TRY(const std::size_t more, stream->read(block, std::min(sizeof block, most - bytes.size())));
    if (more == 0) break;
    bytes.append(block, more);
  }
  return bytes;
}

Json link_json(const HtmlPage& page, const HtmlLink& link, const Url& base) {
  Json json = {{"kind", link_kind_name(link.kind)}, {"href", page.href(link)}};
  if (!base.empty()) {
    Url url;
    const UrlFault fault = canonical_url(page.href(link), &base, url, {}, page.query_encoding(link));
    if (fault == UrlFault::kNone) {
      json["url"] = url.text();
    } else {
      json["rejected"] = fault_text(fault);
    }
  }
  if (link.rel != 0) json["rel"] = rel_text(link.rel);
  if (link.hreflang.size > 0) json["hreflang"] = page.string(link.hreflang);
  if (link.kind == LinkKind::kRefresh) json["delay"] = link.delay;
  if (link.kind == LinkKind::kAnchor) json["anchor"] = page.anchor(link);
  if (link.is_requisite()) json["requisite"] = true;
  return json;
}

// Every <meta> for robots, and their combined effect for us.
Json robots_json(const HtmlPage& page, const std::string& agent) {
  Json metas = Json::array();
  RobotsDirectives ours;
  for (const RobotsMeta& meta : page.robots) {
    const std::string_view name = page.string(meta.name);
    metas.push_back({{"name", name}, {"content", page.string(meta.content)}});
    if (name == "robots" || name == agent) {
      add_robots_meta(page.string(meta.content), std::time(nullptr), ours);
    }
  }
  return {{"meta", std::move(metas)}, {"noindex", ours.noindex}, {"nofollow", ours.nofollow}};
}

Json facts_json(const DocumentFacts& facts) {
  std::string text = "{";
  for (const FactField& field : fact_fields()) {
    text += fmt::format("{}\"{}\":", text.size() > 1 ? "," : "", field.name);
    append_json(text, field.value(facts));
  }
  return Json::parse(text + "}");
}

// The requested texts, of a page in UTF-8.
void add_texts(const PageCommand& options, std::string_view utf8, const PageSource& source, Json& json) {
  if (!options.main && !options.text && !options.markdown && !options.facts) return;
  TextExtractor extractor;
  extractor.keep_comments(options.comments);
  extractor.read(utf8, source.url);
  if (options.text) json["text"] = extractor.all_text();
  if (options.main || options.markdown) json["main_found"] = extractor.main_found();
  if (options.main) json["main_text"] = extractor.main_text();
  if (options.markdown) json["markdown"] = extractor.markdown();
  if (options.facts) {
    DocumentFacts facts = extractor.facts();
    add_header_opt_outs(source.head, facts.opt_outs);
    json["facts"] = facts_json(facts);
  }
}

Json report(const PageCommand& options, const PageSource& source) {
  const std::string_view bytes = source.bytes;
  HtmlOptions html;
  html.requisites = options.requisites;
  PageReader reader(html);
  HtmlPage page;
  const CharsetChoice charset = reader.read(bytes, {source.charset, options.charset, source.xhtml}, page);
  add_header_links(source.head, source.url, page);
  const TextFingerprint print = fingerprint_text(page.text, page.weak);
  Url storage;
  const Url& base = document_base(page, source.url, storage);
  Json json = source.facts;
  json["bytes"] = bytes.size();
  json["charset"] = encoding_name(charset.encoding);
  json["charset_source"] = charset_source_text(charset.source);
  if (source.xhtml) json["syntax"] = page.xhtml ? "XHTML" : "HTML, because it is not well-formed XHTML";
  if (page.language.size > 0) json["language"] = page.string(page.language);
  json["title"] = page.title;
  if (page.has_base) json["base"] = page.string(page.base);
  json["robots"] = robots_json(page, html.agent);
  json["text_bytes"] = page.text.size();
  json["words"] = print.words;
  json["sha1"] = "sha1:" + base32(sha1(bytes));
  json["simhash"] = fmt::format("{:016x}", print.simhash);
  if (page.truncated) json["truncated"] = true;
  json["links"] = Json::array();
  for (const HtmlLink& link : page.links) json["links"].push_back(link_json(page, link, base));
  add_texts(options, reader.utf8(), source, json);
  return json;
}

// The part of a text that fits on a line.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 400;
  if (text.size() <= kMost) return printable(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}... ({} bytes)", printable(text.substr(0, end)), format_count(text.size()));
}

void print_row(std::string_view name, std::string_view value) {
  fmt::print("{:<10} {}\n", name, shown(value));
}

std::string quoted(const Json& text) {
  return fmt::format("\"{}\"", shown(text.get<std::string>()));
}

void print_link(const Json& link) {
  std::vector<std::string> notes;
  if (link.contains("rel")) notes.push_back(link["rel"]);
  if (link.contains("hreflang")) notes.push_back("hreflang " + link["hreflang"].get<std::string>());
  if (link.contains("delay")) notes.push_back(fmt::format("after {} s", link["delay"].get<std::uint32_t>()));
  if (link.contains("rejected")) notes.push_back(link["rejected"]);
  std::string target = link.value(link.contains("url") ? "url" : "href", "");
  if (target.empty()) target = "(empty: the page itself)";
  fmt::print("  {:<7}{} {}", link["kind"].get<std::string>(), link.contains("requisite") ? '+' : ' ',
             shown(target));
  if (!notes.empty()) fmt::print("  [{}]", printable(fmt::format("{}", fmt::join(notes, ", "))));
  if (!link.value("anchor", "").empty()) fmt::print("  {}", quoted(link["anchor"]));
  fmt::print("\n");
}

void print_links(const Json& links) {
  std::map<std::string, std::size_t> counts;
  for (const Json& link : links) ++counts[link["kind"]];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", format_count(count), kind));
  print_row("links", fmt::format("{}{}{}", format_count(links.size()), links.empty() ? "" : ": ",
                                 fmt::join(parts, ", ")));
  for (const Json& link : links) print_link(link);
}

void print_robots(const Json& robots) {
  for (const Json& meta : robots["meta"]) {
    print_row("robots",
              fmt::format("{}: {}", meta["name"].get<std::string>(), meta["content"].get<std::string>()));
  }
  if (robots["noindex"]) print_row("", "this page must not be kept in an index");
  if (robots["nofollow"]) print_row("", "its links must not be followed");
}

void print_answer(const Json& json) {
  if (!json.contains("status")) return;
  for (const Json& from : json["redirects"]) print_row("redirect", from.get<std::string>());
  print_row("url", json["url"].get<std::string>());
  print_row("status", fmt::format("{}", json["status"].get<int>()));
  print_row("type", json["content_type"].get<std::string>());
  print_row("address", json["address"].get<std::string>());
}

void print_report(const Json& json) {
  print_answer(json);
  print_row("bytes", format_count(json["bytes"]));
  print_row("charset", fmt::format("{} ({})", json["charset"].get<std::string>(),
                                   json["charset_source"].get<std::string>()));
  if (json.contains("syntax")) print_row("syntax", json["syntax"].get<std::string>());
  if (json.contains("language")) print_row("language", json["language"].get<std::string>());
  print_row("title", json["title"].get<std::string>());
  if (json.contains("base")) print_row("base", json["base"].get<std::string>());
  print_robots(json["robots"]);
  const std::uint32_t words = json["words"];
  print_row("text", fmt::format("{} bytes, {} words", format_count(json["text_bytes"]), format_count(words)));
  print_row("digest", json["sha1"].get<std::string>());
  print_row("simhash",
            json["simhash"].get<std::string>() + (words < kFewWords ? "  (too few words to compare)" : ""));
  if (json.contains("truncated")) print_row("note", "the page is too large: this is its beginning");
  print_links(json["links"]);
}

// Keeps line ends and tabs, makes other control characters visible.
void print_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size() - 1);
    const bool separator = text[end] == '\n' || text[end] == '\t';
    fmt::print("{}", printable(text.substr(0, separator ? end : end + 1)));
    if (separator) fmt::print("{}", text[end]);
    text.remove_prefix(end + 1);
  }
}

void print_facts(const Json& facts) {
  for (const auto& [name, value] : facts.items()) {
    if (value.is_string()) print_row(name, value.get<std::string>());
    if (value.is_array() && !value.empty())
      print_row(name, fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ", ")));
  }
}

void print_texts(const PageCommand& options, const Json& json) {
  if (options.text) print_text(json["text"].get<std::string>());
  if (options.main) print_text(json["main_text"].get<std::string>());
  if (options.markdown) print_text(json["markdown"].get<std::string>());
  if (options.facts) print_facts(json["facts"]);
}

bool is_web_address(std::string_view text) {
  const std::size_t colon = text.find("://");
  return colon != text.npos && (equals_ignoring_case(text.substr(0, colon), "http") ||
                                equals_ignoring_case(text.substr(0, colon), "https"));
}

Result<PageSource> read_source(const PageCommand& options) {
  for (const std::string_view name : kNetworkOptions) {
    if (options.network.is_given(name))
      refuse(fmt::format("--{}: only for pages that are fetched, and {} is a file", name, options.file));
  }
  PageSource source;
  if (!options.base.empty()) CHECK(parse_url(options.base, nullptr, source.url) == UrlFault::kNone);
  BB_TRY(source.bytes, read_file(options.file));
  source.xhtml = options.file.ends_with(".xhtml") || has_xhtml_root(source.bytes);
  source.facts["file"] = options.file;
  return source;
}

Result<PageSource> fetch_source(const PageCommand& options) {
  if (!options.base.empty()) refuse("--base is only for files");
  CrawlOptions crawl;
  options.network.apply(crawl_option_table(), crawl);
  if (const Status good = check_crawl_options(crawl); !good.ok()) refuse(good.error().text);
  if (has_secrets(crawl)) forbid_core_dumps();
  Url url;
  const UrlFault fault = canonical_url(options.file, nullptr, url);
  if (fault != UrlFault::kNone) return error("'{}': {}", printable(options.file), fault_text(fault));
  BB_TRY(SingleFetch single, fetch_single(crawl, std::string(url.text()), [] { return !interrupted(); }));
  PageSource source;
  CHECK(parse_url(single.url, nullptr, source.url) == UrlFault::kNone);
  const std::string_view type = head_field(single.fetch.head, "content-type");
  const ContentType content_type = content_type_of(single.fetch.head);
  source.charset = content_type.charset;
  source.xhtml = BodyTypes::is_xhtml(content_type.type);
  source.facts["url"] = single.url;
  source.facts["status"] = single.fetch.status;
  source.facts["content_type"] = type;
  source.facts["address"] = single.fetch.address ? single.fetch.address->text() : "";
  source.facts["redirects"] = single.redirects;
  const CodingResult decoded =
      decode_body(joined_fields(single.fetch.head, "content-encoding"), single.fetch.body, {}, source.bytes);
  if (decoded == CodingResult::kPlain) {
    source.bytes = std::move(single.fetch.body);
  } else if (decoded != CodingResult::kWhole && decoded != CodingResult::kWrongChecksum) {
    return error("{}: its body cannot be unpacked: {}", single.url, coding_result_text(decoded));
  }
  source.head = std::move(single.fetch.head);
  return source;
}

Status run(const PageCommand& options, const CommonOptions& common) {
  const int texts = options.main + options.text + options.markdown + options.facts;
  if (texts > 1 && !common.json)
    refuse("choose one of --main, --text, --markdown and --facts, or add --json");
  BB_TRY(const PageSource source,
         is_web_address(options.file) ? fetch_source(options) : read_source(options));
  const Json json = report(options, source);
  if (common.json) {
    print_json_line(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else if (texts > 0) {
    print_texts(options, json);
  } else {
    print_report(json);
  }
  return {};
}

Status check_base(const std::string& text) {
  Url base;
  const UrlFault fault = parse_url(text, nullptr, base);
  if (fault == UrlFault::kNone) return {};
  return error("'{}': {}", printable(text), fault_text(fault));
}

Status check_charset(const std::string& text) {
  if (encoding_of_label(text)) return {};
  return error(
      "'{}' is not a label of the Encoding Standard; utf-8, windows-1252 and shift_jis are, for example",
      printable(text));
}

constexpr CommandText kText = {
    "show how the crawler parses a page, or its text",
    "Shows a page as the crawler parses it: its encoding and how that was found, title, base, robots "
    "directives, the size of its text, its fingerprints, and its links in order with kind, rel and anchor "
    "text. --main, --markdown, --text and --facts show its text or metadata instead.\n"
    "\n"
    "The page is parsed by the HTML standard without running scripts, so <noscript> counts. Links are shown "
    "as written, or in canonical form if --base gives the URL of the page (or its <base> is absolute). + "
    "marks files that are needed to display the page: style sheets and icons; with --requisites also images, "
    "scripts and media.\n"
    "\n"
    "A URL is fetched first, under the rules of a crawl: robots.txt is obeyed, private networks need "
    "--allow-net, and --contact is required.",
    "# a page of the Web\nbowerbird page https://example.org/ --contact you@example.org\n# encoding, title, "
    "links and fingerprints of a file\nbowerbird page index.html\n# links as the crawler would queue "
    "them\nbowerbird page index.html --base https://www.example.org/\n# the main text, without menus and "
    "footers\nbowerbird page index.html --main\n# the same as Markdown, with absolute links\nbowerbird page "
    "index.html --markdown --base https://www.example.org/\n# title, author, dates\nbowerbird page "
    "index.html --facts\n# the links, for a script\nbowerbird page index.html --json | jq -r "
    "'.links[].href'\n"};

}  // namespace

void add_page(App& app) {
  auto options = std::make_shared<PageCommand>();
  CLI::App& command = app.add_command(
      app.root(), "page", kText, [options](const CommonOptions& common) { return run(*options, common); });
  command.add_option("FILE", options->file, "An HTML file or a URL; - is standard input")->required();
  command.add_option("--base", options->base, "The URL of the page")
      ->check(parsed_by(check_base))
      ->type_name("URL");
  command.add_option("--charset", options->charset, "Use this encoding, whatever the page declares")
      ->check(parsed_by(check_charset))
      ->type_name("LABEL");
  command.add_flag("--main", options->main, "Show only the main text: no menus, footers and related links");
  command.add_flag("--text", options->text, "Show all text");
  command.add_flag("--markdown", options->markdown, "Show the main text as Markdown");
  command.add_flag("--facts", options->facts, "Show title, author, dates and other metadata");
  command.add_flag("--comments", options->comments, "Include readers' comments in the main text");
  command.add_flag("--requisites", options->requisites, "Show images, scripts and media among the links");
  for (const std::string_view name : kNetworkOptions)
    options->network.add(command, *find_row(crawl_option_table(), name));
}

}  // namespace bowerbird
