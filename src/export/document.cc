#include "export/document.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/html_escape.h"
#include "encoding/decoder.h"
#include "export/site_blocks.h"
#include "parse/dates.h"
#include "parse/html_text.h"
#include "parse/text/block_text.h"
#include "parse/text/language.h"
#include "parse/text/markdown.h"
#include "parse/text/markdown_escape.h"
#include "parse/text/plain_facts.h"
#include "parse/text/repeated_blocks.h"
#include "pdf/pdf_reader.h"
#include "store/warc_writer.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

// Line ends are '\n', a form feed ends a paragraph, and there are no other control characters.
std::string cleaned(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') out += '\n';
    } else if (c == '\f') {
      out += out.ends_with('\n') ? "\n" : "\n\n";
    } else if (c == '\xC2' && i + 1 < text.size() &&
               (static_cast<unsigned char>(text[i + 1]) & 0xE0) == 0x80) {
      ++i;  // U+0080 to U+009F, control characters too
    } else if (c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)) {
      out += c;
    }
  }
  while (!out.empty() && is_ascii_space(out.back())) out.pop_back();
  if (!out.empty()) out += '\n';
  return out;
}

std::string markdown_of_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    // Four blanks at the beginning of a line would make it code.
    out += escaped_markdown(trimmed(text.substr(0, size), kAsciiSpaces));
    out += '\n';
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return out;
}

// Programs that make PDF files often write the name of the document's file where its title belongs.
bool is_file_name(std::string_view title) {
  if (starts_ignoring_case(title, "Microsoft Word - ") || starts_ignoring_case(title, "untitled"))
    return true;
  const std::size_t dot = title.rfind('.');
  if (dot == title.npos || title.size() - dot > 6 || title.size() - dot < 3) return false;
  return title.find(' ') == title.npos &&
         std::all_of(title.begin() + static_cast<std::ptrdiff_t>(dot) + 1, title.end(), is_ascii_alnum);
}

// The value of a <meta> that pdftotext writes.
std::string pdf_date(std::string_view head, std::string_view name) {
  const std::string begin = fmt::format("<meta name=\"{}\" content=\"", name);
  const std::size_t at = head.find(begin);
  if (at == head.npos) return {};
  const std::string_view value = head.substr(at + begin.size());
  const std::string_view date = value.substr(0, std::min<std::size_t>(value.find('"'), 40));
  return parse_w3c_date(date) ? std::string(date) : std::string();
}

}  // namespace

Result<Document::Outcome> Document::read(const RecordAddress& capture, const RecordAddress& payload) {
  texts_ = {};
  plain_.reset();
  extracted_ = false;
  scanned_ = true;
  has_links_ = true;
  numbers_ = {};
  fingerprint_.reset();
  kind_ = DocumentKind::kNone;
  BB_TRY(const RecordBody::Outcome outcome, record_.read(capture, payload));
  url_ = record_.url();
  if (outcome == RecordBody::Outcome::kUnreadable) return Outcome::kUnreadable;
  if (outcome == RecordBody::Outcome::kOtherType) return Outcome::kOtherType;
  kind_ = document_kind(record_.type());
  switch (kind_) {
    case DocumentKind::kNone:
      return Outcome::kOtherType;
    case DocumentKind::kHtml:
      read_html();
      return Outcome::kRead;
    case DocumentKind::kText:
      read_text();
      return Outcome::kRead;
    case DocumentKind::kPdf:
      return read_pdf();
    case DocumentKind::kFeed:
      feed_ = read_feed(record_.body(), record_.charset());
      feed_title_ = text_of(feed_.title);
      return feed_.kind == FeedKind::kNone ? Outcome::kOtherType : Outcome::kRead;
  }
  return Outcome::kOtherType;
}

void Document::read_html() {
  const ReadingHints hints = {record_.charset(), {}, BodyTypes::is_xhtml(record_.type())};
  scanned_ = !reader_.decode(record_.body(), hints);
  if (scanned_) reader_.read(record_.body(), hints, page_);
}

void Document::read_text() {
  const CharsetChoice choice = choose_charset(record_.body(), record_.charset());
  std::string utf8;
  append_decoded(utf8, choice.encoding, record_.body().substr(choice.mark));
  std::string text = cleaned(utf8);
  DocumentFacts facts = read_plain_facts(text);
  set_plain(std::move(text), std::move(facts));
}

Document::Outcome Document::read_pdf() {
  if (pdf_ == nullptr || !pdf_->available()) return Outcome::kNoPdfReader;
  const auto read = pdf_->text(record_.body());
  if (!read.ok()) return Outcome::kUnreadable;
  extractor_.read_content(read->head, url_);
  DocumentFacts facts = extractor_.facts();
  facts.published = pdf_date(read->head, "CreationDate");
  facts.modified = pdf_date(read->head, "ModDate");
  std::string utf8;
  append_decoded(utf8, Encoding::kUtf8, read->text);
  std::string text = cleaned(utf8);
  if (facts.title.empty() || is_file_name(facts.title)) facts.title = read_plain_facts(text).title;
  set_plain(std::move(text), std::move(facts));
  has_links_ = false;
  return Outcome::kRead;
}

void Document::set_plain(std::string text, DocumentFacts facts) {
  page_.clear();
  page_.text = text;
  page_.title = facts.title;
  fingerprint_ = fingerprint_text(page_.text, page_.weak);
  facts.language = detect_language(text);
  add_header_opt_outs(record_.head(), facts.opt_outs);
  const std::string heading = facts.title.empty() ? "" : "# " + escaped_markdown(facts.title) + "\n\n";
  std::string markdown = heading + markdown_of_lines(text);
  plain_ = PlainTexts{std::move(text), std::move(markdown)};
  texts_.facts = std::move(facts);
}

// Markup and references of a short text are undone.
std::string Document::text_of(const FeedText& text) {
  if (!text.html) return text.text;
  extractor_.read_content(text.text, {});
  std::string plain = extractor_.all_text();
  std::replace(plain.begin(), plain.end(), '\n', ' ');
  return std::string(trimmed(plain, kAsciiSpaces));
}

bool Document::use(std::size_t part) {
  if (kind_ != DocumentKind::kFeed) return true;
  texts_ = {};
  const FeedEntry& entry = feed_.entries[part];
  Url base;
  if (entry.base.empty() || parse_url(entry.base, &record_.url(), base) != UrlFault::kNone)
    base = record_.url();
  const std::string_view href = entry_url(entry);
  if (href.empty() || canonical_url(href, &base, url_, {}, Encoding::kUtf8) != UrlFault::kNone) return false;
  const std::string title = text_of(entry.title);
  const FeedText& text = entry.content.text.empty() ? entry.summary : entry.content;
  entry_html_ = "<title>";
  append_html_escaped(entry_html_, title);
  entry_html_ += "</title>";
  if (text.html) {
    entry_html_ += text.text;
  } else {
    entry_html_ += "<p>";
    append_html_escaped(entry_html_, text.text);
  }
  reader_.read(entry_html_, {"utf-8", "utf-8", false}, page_);
  fingerprint_ = fingerprint_text(page_.text, page_.weak);
  extractor_.read_content(reader_.utf8(), url_);
  extracted_ = true;
  texts_.facts = entry_facts(entry, title);
  return true;
}

DocumentFacts Document::entry_facts(const FeedEntry& entry, const std::string& title) {
  DocumentFacts facts;
  facts.title = title;
  facts.language = detect_language(main_text());
  if (facts.language.empty()) facts.language = lowered(feed_.language.substr(0, feed_.language.find('-')));
  facts.authors = entry.authors;
  if (entry.published) facts.published = warc_date(*entry.published * 1'000'000);
  if (entry.updated) facts.modified = warc_date(*entry.updated * 1'000'000);
  facts.site_name = feed_title_;
  facts.keywords = entry.categories;
  add_header_opt_outs(record_.head(), facts.opt_outs);
  return facts;
}

const TextFingerprint& Document::fingerprint() {
  if (!fingerprint_) {
    const HtmlPage& read = scanned_ ? page_ : page();
    fingerprint_ = fingerprint_text(read.text, read.weak);
  }
  return *fingerprint_;
}

const HtmlPage& Document::page() {
  if (!scanned_) {
    scanned_ = true;
    reader_.scan(page_);
  }
  if (!has_links_) {
    has_links_ = true;
    const auto links = pdf_->links(record_.body());
    if (links.ok()) reader_.read(*links, {"utf-8", "utf-8", false}, page_);
  }
  return page_;
}

const TextExtractor& Document::extractor() {
  if (!extracted_) {
    const auto repeated = sites_ != nullptr ? sites_->of(site_of(url_)) : std::span<const std::uint64_t>();
    extractor_.read(reader_.utf8(), url_, repeated);
  }
  extracted_ = true;
  return extractor_;
}

std::vector<std::uint64_t> Document::pairs() {
  return kind_ == DocumentKind::kHtml ? block_pairs(extractor_.read_tree(reader_.utf8()))
                                      : std::vector<std::uint64_t>();
}

bool Document::has_stored_text() const {
  return use_stored_ && kind_ == DocumentKind::kHtml && !companions().main_text.empty();
}

bool Document::main_found() {
  if (plain_) return !plain_->text.empty();
  return has_stored_text() || extractor().main_found();
}

const std::string& Document::main_text() {
  if (plain_) return plain_->text;
  if (has_stored_text()) return companions().main_text;
  if (!texts_.main) texts_.main = extractor().main_text();
  return *texts_.main;
}

const std::string& Document::markdown() {
  if (plain_) return plain_->markdown;
  if (!texts_.markdown) texts_.markdown = extractor().markdown();
  return *texts_.markdown;
}

const std::string& Document::all_text() {
  if (plain_) return plain_->text;
  if (!texts_.all) texts_.all = extractor().all_text();
  return *texts_.all;
}

const DocumentFacts& Document::facts() {
  if (!texts_.facts) {
    if (!extracted_ && has_stored_text()) {
      extractor_.read_content(reader_.utf8(), url_);
      texts_.facts = extractor_.facts(main_text());
    } else {
      texts_.facts = extractor().facts(main_text());
    }
    add_header_opt_outs(record_.head(), texts_.facts->opt_outs);
  }
  return *texts_.facts;
}

std::uint32_t Document::words() {
  WordReader reader(main_text());
  std::uint32_t count = 0;
  for (TextWord word; reader.next(word);) ++count;
  return count;
}

}  // namespace bowerbird
