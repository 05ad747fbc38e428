#include "archive/captured_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/http1_response.h"
#include "parse/http_head.h"
#include "store/warc_check.h"

namespace bowerbird {

namespace {

constexpr std::size_t kBodyPiece = std::size_t{64} << 10;

// Decodes chunked transfer coding. What does not begin with a chunk is passed on unchanged.
class Dechunker {
 public:
  explicit Dechunker(ByteSource source) : source_(std::move(source)) {
    std::string_view head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    CHECK(reader_.read(head) == Http1ResponseReader::Step::kHead);
  }

  Result<std::size_t> read(char* to, std::size_t size) {
    while (piece_.empty() && !over_) BB_TRY_VOID(advance());
    const std::size_t n = std::min(size, piece_.size());
    std::memcpy(to, piece_.data(), n);
    piece_.remove_prefix(n);
    return n;
  }

 private:
  Status advance() {
    if (rest_.empty()) {
      buffer_.resize(kBodyPiece);
      BB_TRY(const std::size_t got, source_(buffer_.data(), buffer_.size()));
      buffer_.resize(got);
      rest_ = buffer_;
      over_ = got == 0;
      if (over_) return {};
    }
    if (plain_) {
      piece_ = std::exchange(rest_, {});
      return {};
    }
    const Http1ResponseReader::Step step = reader_.read(rest_);
    if (step == Http1ResponseReader::Step::kBody) piece_ = reader_.piece();
    begun_ = begun_ || !piece_.empty();
    if (step == Http1ResponseReader::Step::kEnd) over_ = true;
    if (step != Http1ResponseReader::Step::kBad) return {};
    if (begun_) {
      over_ = true;
    } else {
      plain_ = true;
      rest_ = buffer_;
    }
    return {};
  }

  ByteSource source_;
  Http1ResponseReader reader_{HttpSplitter::kLargestHead};
  std::string buffer_;
  std::string_view rest_;   // part of the buffer that is not parsed yet
  std::string_view piece_;  // part of the buffer to be passed on
  bool begun_ = false;
  bool plain_ = false;
  bool over_ = false;
};

unsigned status_of(const HttpSplitter& http) {
  return static_cast<unsigned>(std::clamp(http.status(), 0, 999));
}

}  // namespace

Result<std::unique_ptr<CapturedBody>> CapturedBody::open(std::shared_ptr<WarcReader> reader,
                                                         std::string head) {
  std::unique_ptr<CapturedBody> body(new CapturedBody());
  CapturedBody& self = *body;
  self.reader_ = std::move(reader);
  self.source_ = [&self](char* to, std::size_t size) { return self.read_stored(to, size); };
  const WarcHead& record = self.reader_->head();
  if (!is_http(record)) {
    self.head_ = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n", record.field("Content-Type"));
    self.length_ = record.content_length;
    self.take_head(std::move(head));
    return body;
  }
  HttpSplitter http;
  std::uint64_t used = 0;
  std::string piece(kBodyPiece, '\0');
  while (!http.in_body()) {
    BB_TRY(const std::size_t got, self.reader_->read(piece.data(), piece.size()));
    if (got == 0) break;
    used += got;
    self.first_ = http.feed(std::string_view(piece).substr(0, got));
  }
  self.head_ = http.head();
  self.status_ = status_of(http);
  const std::string codings = joined_fields(self.head_, "Content-Encoding");
  // Some writers store bodies chunked.
  const bool chunked =
      lowered(joined_fields(self.head_, "Transfer-Encoding")).find("chunked") != std::string::npos;
  if (!chunked && codings.empty())
    self.length_ = self.first_.size() + (record.content_length - std::min(used, record.content_length));
  if (chunked) {
    auto chunks = std::make_shared<Dechunker>(std::move(self.source_));
    self.source_ = [chunks](char* to, std::size_t size) { return chunks->read(to, size); };
  }
  if (!codings.empty()) {
    self.decoded_ = std::make_shared<DecodedSource>(codings, std::move(self.source_));
    self.source_ = [decoded = self.decoded_](char* to, std::size_t size) { return decoded->read(to, size); };
  }
  self.take_head(std::move(head));
  return body;
}

void CapturedBody::take_head(std::string head) {
  if (head.empty()) return;
  HttpSplitter http;
  http.feed(head);
  status_ = status_of(http);
  head_ = std::move(head);
}

Result<std::size_t> CapturedBody::read_stored(char* to, std::size_t size) {
  if (first_used_ == first_.size()) return reader_->read(to, size);
  const std::size_t n = std::min(size, first_.size() - first_used_);
  std::memcpy(to, first_.data() + first_used_, n);
  first_used_ += n;
  return n;
}

Status CapturedBody::append(std::string& out, std::size_t most) {
  while (most > 0) {
    const std::size_t before = out.size();
    out.resize(before + std::min(most, kBodyPiece));
    const auto got = source_(out.data() + before, out.size() - before);
    out.resize(before + (got.ok() ? *got : 0));
    if (!got.ok()) return got.error();
    if (*got == 0) break;
    most -= *got;
  }
  return {};
}

Status CapturedBody::skip(std::uint64_t bytes) {
  std::string passed;
  while (bytes > 0) {
    passed.clear();
    BB_TRY_VOID(append(passed, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kBodyPiece))));
    if (passed.empty()) break;
    bytes -= passed.size();
  }
  return {};
}

}  // namespace bowerbird
