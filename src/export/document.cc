#include "export/document.h"

#include <algorithm>
#include <charconv>

#include "archive/warc_records.h"
#include "crawl/judge/body_types.h"
#include "fetch/coding.h"
#include "parse/http_head.h"
#include "parse/text/block_text.h"

namespace bowerbird {

namespace {

// The body that chunks carry (RFC 9112, section 7.1): others store them as they came. False where these are
// no chunks; a body that ends early is kept as far as it goes.
bool join_chunks(std::string_view chunked, std::string& body) {
  body.clear();
  while (!chunked.empty()) {
    std::uint64_t size = 0;
    const auto [end, code] = std::from_chars(chunked.data(), chunked.data() + chunked.size(), size, 16);
    const std::size_t line = chunked.find("\r\n");
    if (code != std::errc() || line == chunked.npos) return !body.empty();
    if (size == 0) return true;
    const std::string_view chunk = chunked.substr(line + 2, size);
    body += chunk;
    chunked.remove_prefix(std::min(line + 2 + chunk.size() + 2, chunked.size()));
  }
  return !body.empty();
}

}  // namespace

Result<Document::Outcome> Document::read(const RecordAddress& capture, const RecordAddress& payload) {
  extracted_ = false;
  main_text_.reset();
  markdown_.reset();
  all_text_.reset();
  facts_.reset();
  numbers_ = {};
  BB_TRY(const Outcome outcome, read_record(capture, payload));
  if (outcome != Outcome::kPage) return outcome;
  const ContentType type = content_type_of(http_head_);
  reader_.read(body_, {type.charset, {}, BodyTypes::is_xhtml(type_)}, page_);
  fingerprint_ = fingerprint_text(page_.text, page_.weak);
  return outcome;
}

Result<Document::Outcome> Document::read_record(const RecordAddress& capture, const RecordAddress& payload) {
  BB_TRY(std::unique_ptr<WarcReader> reader, WarcReader::open(capture.path, capture.offset));
  BB_TRY(const bool found, reader->next());
  if (!found) return error("{}: byte {}: a record is missing", capture.path, capture.offset);
  warc_ = reader->head();
  if (parse_url(record_url(warc_), nullptr, url_) != UrlFault::kNone) return Outcome::kUnreadable;
  if (payload.offset != capture.offset || payload.path != capture.path) {
    BB_TRY(reader, WarcReader::open(payload.path, payload.offset));
    BB_TRY(const bool has_payload, reader->next());
    if (!has_payload) return error("{}: byte {}: a record is missing", payload.path, payload.offset);
  }
  if (reader->head().content_length > kLargestRecord) return Outcome::kUnreadable;
  const bool http = is_http(reader->head());
  http_head_.clear();
  type_ = parse_content_type(reader->head().field("Content-Type")).type;
  status_ = 200;
  BB_TRY(block_, reader->read_all(kLargestRecord));
  if (http) return decode(block_);
  body_ = block_;
  return BodyTypes::is_html(type_) ? Outcome::kPage : Outcome::kOtherType;
}

// The body of a response, and what its head says.
Document::Outcome Document::decode(std::string_view block) {
  HttpSplitter http;
  body_ = http.feed(block);
  http_head_ = http.head();
  status_ = http.status();
  type_ = content_type_of(http_head_).type;
  if (!BodyTypes::is_html(type_)) return Outcome::kOtherType;
  if (!http.field("Transfer-Encoding").empty() && join_chunks(body_, joined_)) body_ = joined_;
  const CodingLimits limits{kLargestRecord, 1000, std::uint64_t{16} << 20};
  switch (decode_body(joined_fields(http_head_, "content-encoding"), body_, limits, decoded_)) {
    case CodingResult::kPlain:
      return Outcome::kPage;
    case CodingResult::kWhole:
    case CodingResult::kWrongChecksum:
    case CodingResult::kCut:
      body_ = decoded_;
      return Outcome::kPage;
    case CodingResult::kDamaged:
    case CodingResult::kTooLarge:
    case CodingResult::kUnknown:
      break;
  }
  return Outcome::kUnreadable;
}

const TextExtractor& Document::extractor() {
  if (!extracted_) extractor_.read(reader_.utf8(), url_);
  extracted_ = true;
  return extractor_;
}

bool Document::main_found() {
  return extractor().main_found();
}

const std::string& Document::main_text() {
  if (!main_text_) main_text_ = extractor().main_text();
  return *main_text_;
}

const std::string& Document::markdown() {
  if (!markdown_) markdown_ = extractor().markdown();
  return *markdown_;
}

const std::string& Document::all_text() {
  if (!all_text_) all_text_ = extractor().all_text();
  return *all_text_;
}

const PageFacts& Document::facts() {
  if (!facts_) {
    facts_ = extractor().facts();
    add_header_opt_outs(http_head_, facts_->opt_outs);
  }
  return *facts_;
}

std::uint32_t Document::words() {
  WordReader reader(main_text());
  std::uint32_t count = 0;
  for (TextWord word; reader.next(word);) ++count;
  return count;
}

}  // namespace bowerbird
