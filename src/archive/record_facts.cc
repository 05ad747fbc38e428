#include "archive/record_facts.h"

#include <algorithm>

#include "archive/warc_records.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "fetch/coding.h"
#include "parse/dates.h"
#include "parse/http_head.h"
#include "parse/robots_directives.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPageBytes = std::size_t{2} << 20;
constexpr std::size_t kLongestTitle = 256;
constexpr char kAgent[] = "bowerbird";

HtmlOptions title_options() {
  HtmlOptions options;
  options.text = false;
  options.agent = kAgent;
  options.max_links = 0;
  return options;
}

bool is_html_type(std::string_view mime) {
  return mime == "text/html" || mime == "application/xhtml+xml";
}

// Metadata about the crawl or the file, not a capture.
bool is_about_crawl(std::string_view url) {
  return url.starts_with("dns:") || url.starts_with("whois:") || url.starts_with("filedesc:");
}

bool is_robots_url(std::string_view url) {
  const std::size_t host = url.find("://");
  if (host == url.npos) return false;
  const std::size_t path = url.find('/', host + 3);
  return path != url.npos && url.substr(path) == "/robots.txt";
}

// A path such as "LLE". The letters for requisites are those of Heritrix: found in a page, guessed by a
// script reader, inferred. A redirect of a requisite is one, too.
bool ends_with_requisite(std::string_view hops) {
  while (hops.ends_with('R')) hops.remove_suffix(1);
  return !hops.empty() && std::string_view("EXI").find(hops.back()) != std::string_view::npos;
}

}  // namespace

Result<bool> read_about(WarcReader& reader, RecordFacts& facts) {
  constexpr std::size_t kLongestAbout = std::size_t{1} << 20;  // of other records the rest is not needed
  const std::string_view type = reader.head().type();
  if ((type != "request" && type != "metadata") || record_url(reader.head()) != facts.url) return false;
  std::string fields;
  if (type == "metadata") fields = "\n";  // it has no first line, which a request has
  char piece[16384];
  while (fields.size() < kLongestAbout) {
    BB_TRY(const std::size_t n, reader.read(piece, sizeof piece));
    if (n == 0) break;
    fields.append(piece, n);
  }
  if (type == "request") {
    const std::string_view use = head_field(fields, "Sec-Fetch-Dest");
    if (!use.empty() && use != "document") facts.requisite = true;
  } else if (ends_with_requisite(head_field(fields, "hopsFromSeed"))) {
    facts.requisite = true;
  }
  return true;
}

FactReader::FactReader(bool pages) : wants_pages_(pages), pages_(title_options()) {}

Result<std::optional<RecordFacts>> FactReader::begin(const WarcReader& reader) {
  const WarcHead& head = reader.head();
  const std::string_view type = head.type();
  if (type != "response" && type != "revisit" && type != "resource") return std::optional<RecordFacts>();
  RecordFacts facts;
  facts.url = record_url(head);
  if (facts.url.empty()) return error("{}: byte {}: a record without a URL", reader.name(), reader.offset());
  if (is_about_crawl(facts.url)) return std::optional<RecordFacts>();
  facts.revisit = type == "revisit";
  facts.prerequisite = is_robots_url(facts.url);
  facts.status = 200;
  facts.digest = head.field("WARC-Payload-Digest");
  if (const auto time = parse_w3c_date(head.field("WARC-Date"))) facts.time_us = *time * 1'000'000;
  if (!is_http(head)) facts.mime = parse_content_type(head.field("Content-Type")).type;
  return std::optional<RecordFacts>(std::move(facts));
}

void FactReader::add(RecordFacts& facts, const HttpSplitter& http, std::string_view body) {
  const ContentType type = content_type_of(http.head());
  facts.status = static_cast<unsigned>(std::max(http.status(), 0));
  facts.mime = type.type;
  if (!wants_pages_) return;
  RobotsDirectives directives;
  each_field(http.head(), "x-robots-tag",
             [&](std::string_view value) { add_x_robots_tag(value, kAgent, 0, directives); });
  if (is_html_type(type.type) && !facts.revisit && !body.empty()) {
    std::string decoded;
    const CodingResult result = decode_body(joined_fields(http.head(), "content-encoding"), body,
                                            {kPageBytes, ~std::uint64_t{0}, kPageBytes}, decoded);
    if (result != CodingResult::kPlain) body = decoded;
    pages_.read(body, {type.charset, {}, type.type != "text/html"}, html_);
    for (const RobotsMeta& meta : html_.robots) {
      const std::string_view name = html_.string(meta.name);
      if (name == "robots" || name == kAgent) add_robots_meta(html_.string(meta.content), 0, directives);
    }
    std::string_view title = std::string_view(html_.title).substr(0, kLongestTitle);
    facts.title = title.substr(0, title.size() - incomplete_utf8_tail(title));
  }
  facts.noarchive = directives.noarchive;
  if (is_html_type(type.type) && !facts.digest.empty()) take_noarchive(facts);
}

// The meta elements of a revisit are in its original.
void FactReader::take_noarchive(RecordFacts& facts) {
  const std::uint64_t digest = hash64(facts.digest);
  if (facts.noarchive && !facts.revisit) noarchive_.insert(digest);
  facts.noarchive = facts.noarchive || (facts.revisit && noarchive_.contains(digest));
}

Result<std::optional<RecordFacts>> FactReader::read(WarcReader& reader) {
  BB_TRY(std::optional<RecordFacts> facts, begin(reader));
  if (!facts || !is_http(reader.head())) return facts;
  HttpSplitter http;
  std::string body;
  char piece[16384];
  bool wanted = true;
  while (wanted) {
    BB_TRY(const std::size_t n, reader.read(piece, sizeof piece));
    if (n == 0) break;
    body.append(http.feed({piece, n}));
    if (http.in_body())
      wanted = wants_pages_ && body.size() < kPageBytes && !facts->revisit &&
               is_html_type(content_type_of(http.head()).type);
  }
  add(*facts, http, body);
  return facts;
}

Result<std::optional<RecordFacts>> FactReader::of(const WarcReader& reader, std::string_view block) {
  BB_TRY(std::optional<RecordFacts> facts, begin(reader));
  if (!facts || !is_http(reader.head())) return facts;
  HttpSplitter http;
  const std::string_view body = http.feed(block);
  add(*facts, http, body.substr(0, kPageBytes));
  return facts;
}

}  // namespace bowerbird
