#include "export/record_body.h"

#include <algorithm>
#include <charconv>

#include "archive/warc_records.h"
#include "base/ascii.h"
#include "base/units.h"
#include "base/utf8.h"
#include "fetch/coding.h"
#include "parse/http_head.h"
#include "store/digest_text.h"
#include "store/warc_writer.h"

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

// The value of the first line "name: value".
std::string_view warc_field_in(std::string_view block, std::string_view name) {
  while (!block.empty()) {
    const std::size_t size = std::min(block.find('\n'), block.size());
    const std::string_view line = block.substr(0, size);
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':')
      return trimmed(line.substr(name.size() + 1), kAsciiSpaces);
    block.remove_prefix(std::min(size + 1, block.size()));
  }
  return {};
}

void take_metadata(std::string_view block, Companions& found) {
  const auto score = parse_number(warc_field_in(block, "score"));
  if (score.ok()) found.score = *score;
}

// Adds what the records after the one just read say about it. What cannot be read is not there: a running
// crawl may be writing it.
void take_companions(WarcReader& reader, const std::string& id, Companions& found) {
  constexpr int kMost = 4;
  for (int i = 0; i < kMost; ++i) {
    const auto more = reader.next();
    if (!more.ok() || !*more) return;
    const WarcHead& head = reader.head();
    const bool conversion = head.type() == "conversion";
    if (head.field(conversion ? "WARC-Refers-To" : "WARC-Concurrent-To") != id) return;
    const bool text = conversion && head.field(kTextField) == kMainText;
    if (!text && head.type() != "metadata") continue;
    auto block = reader.read_all(RecordBody::kLargestRecord);
    if (!block.ok()) return;
    if (!text) {
      take_metadata(*block, found);
    } else if (is_valid_utf8(*block)) {
      found.main_text = std::move(*block);
    }
  }
}

// Those of a record that is not read otherwise.
Companions companions_at(const RecordAddress& address) {
  Companions found;
  const auto reader = WarcReader::open(address.path, address.offset);
  if (!reader.ok()) return found;
  const auto record = (*reader)->next();
  if (!record.ok() || !*record) return found;
  take_companions(**reader, std::string((*reader)->head().field("WARC-Record-ID")), found);
  return found;
}

}  // namespace

Result<RecordBody::Outcome> RecordBody::read(const RecordAddress& capture, const RecordAddress& payload) {
  BB_TRY(std::unique_ptr<WarcReader> reader, WarcReader::open(capture.path, capture.offset));
  BB_TRY(const bool found, reader->next());
  if (!found) return error("{}: byte {}: a record is missing", capture.path, capture.offset);
  address_ = capture;
  companions_ = {};
  warc_ = reader->head();
  compression_ = reader->compression();
  if (parse_url(record_url(warc_), nullptr, url_) != UrlFault::kNone) return Outcome::kUnreadable;
  std::string own_head;
  if (payload != capture) {
    BB_TRY(own_head, revisit_head(*reader));
    BB_TRY(reader, WarcReader::open(payload.path, payload.offset));
    BB_TRY(const bool has_payload, reader->next());
    if (!has_payload) return error("{}: byte {}: a record is missing", payload.path, payload.offset);
    const auto wanted = sha1_of_text(warc_.field("WARC-Payload-Digest"));
    const auto stored = sha1_of_text(reader->head().field("WARC-Payload-Digest"));
    if (wanted && stored && *wanted != *stored) return Outcome::kUnreadable;
  }
  if (reader->head().content_length > kLargestRecord) return Outcome::kUnreadable;
  const bool http = is_http(reader->head());
  http_head_.clear();
  const ContentType type = parse_content_type(reader->head().field("Content-Type"));
  type_ = type.type;
  charset_ = type.charset;
  status_ = 200;
  const std::string id(reader->head().field("WARC-Record-ID"));
  BB_TRY(block_, reader->read_all(kLargestRecord));
  if (with_companions_) {
    take_companions(*reader, id, companions_);
    // The text belongs to the body, all else to the capture.
    if (payload != capture) {
      std::string text = std::move(companions_.main_text);
      companions_ = companions_at(capture);
      companions_.main_text = std::move(text);
    }
  }
  if (http) return decode(own_head);
  body_ = block_;
  return document_kind(type_) == DocumentKind::kNone ? Outcome::kOtherType : Outcome::kRead;
}

// The body of a response, and what its head says, or that of the revisit that refers to it.
RecordBody::Outcome RecordBody::decode(const std::string& own_head) {
  HttpSplitter http, own;
  body_ = http.feed(block_);
  const std::string codings = joined_fields(http.head(), "content-encoding");
  own.feed(own_head);
  http_head_ = own_head.empty() ? http.head() : own_head;
  status_ = own_head.empty() ? http.status() : own.status();
  const ContentType type = content_type_of(http_head_);
  type_ = type.type;
  charset_ = type.charset;
  if (document_kind(type_) == DocumentKind::kNone) return Outcome::kOtherType;
  if (!http.field("Transfer-Encoding").empty() && join_chunks(body_, joined_)) body_ = joined_;
  const CodingLimits limits{kLargestRecord, 1000, std::uint64_t{16} << 20};
  switch (decode_body(codings, body_, limits, decoded_)) {
    case CodingResult::kPlain:
      return Outcome::kRead;
    case CodingResult::kWhole:
    case CodingResult::kWrongChecksum:
    case CodingResult::kCut:
      body_ = decoded_;
      return Outcome::kRead;
    case CodingResult::kDamaged:
    case CodingResult::kTooLarge:
    case CodingResult::kUnknown:
      break;
  }
  return Outcome::kUnreadable;
}

}  // namespace bowerbird
