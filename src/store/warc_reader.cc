#include "store/warc_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/ascii.h"
#include "base/check.h"
#include "store/arc_head.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPiece = 1 << 16;

}  // namespace

std::string_view WarcHead::field(std::string_view name) const {
  for (const auto& [other, value] : fields) {
    if (equals_ignoring_case(other, name)) return value;
  }
  return {};
}

WarcReader::WarcReader(std::unique_ptr<InputStream> in)
    : in_(std::move(in)), piece_(std::make_unique_for_overwrite<char[]>(kPiece)) {}

Result<std::unique_ptr<WarcReader>> WarcReader::open(const std::string& path, std::uint64_t offset) {
  BB_TRY(std::unique_ptr<InputStream> in, InputStream::open(path, offset));
  return std::make_unique<WarcReader>(std::move(in));
}

Error WarcReader::bad(std::string_view what) const {
  return error("{}: record at byte {}: {}", in_->name(), offset_, what);
}

// Reads more bytes into the buffer. False at the end of the file.
Result<bool> WarcReader::refill() {
  if (used_ > 0) {
    buffer_.erase(0, used_);
    piece_at_ += in_->compression() == Compression::kNone ? used_ : 0;
    piece_begins_member_ = false;
    used_ = 0;
  }
  BB_TRY(const std::size_t got, in_->read(piece_.get(), kPiece));
  if (got == 0) return false;
  if (buffer_.empty()) {
    piece_at_ = in_->member_begin();
    piece_begins_member_ = piece_at_ != last_member_;
  }
  last_member_ = in_->member_begin();
  buffer_.append(piece_.get(), got);
  return true;
}

// How much of the rest of the block is in the buffer: at least one byte.
Result<std::size_t> WarcReader::available() {
  if (used_ == buffer_.size()) {
    BB_TRY(const bool more, refill());
    if (!more) return bad(fmt::format("the file ends {} bytes before the record does", left_));
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - used_, left_));
}

void WarcReader::use(std::size_t size) {
  used_ += size;
  left_ -= size;
}

Result<std::size_t> WarcReader::read(char* to, std::size_t size) {
  CHECK(size > 0);
  if (left_ == 0) return std::size_t{0};
  BB_TRY(std::size_t n, available());
  n = std::min(n, size);
  std::memcpy(to, buffer_.data() + used_, n);
  use(n);
  return n;
}

Result<std::string> WarcReader::read_all(std::size_t limit) {
  if (left_ > limit) return bad(fmt::format("its block of {} bytes does not fit into memory", left_));
  std::string block;
  while (left_ > 0) {
    BB_TRY(const std::size_t n, available());
    block.append(buffer_, used_, n);
    use(n);
  }
  return block;
}

// Skips the rest of the block and the two line ends after it.
Status WarcReader::finish_record() {
  while (left_ > 0) {
    BB_TRY(const std::size_t n, available());
    use(n);
  }
  if (arc_) return {};  // line ends are skipped before the next record
  std::string_view wanted = "\r\n\r\n";
  while (!wanted.empty()) {
    if (used_ == buffer_.size()) {
      BB_TRY(const bool more, refill());
      if (!more) return bad("the file ends before the empty lines that end the record");
    }
    if (buffer_[used_] != wanted.front())
      return bad("the block is not followed by two line ends: its length is wrong");
    wanted.remove_prefix(1);
    ++used_;
  }
  return {};
}

// Some writers add line ends between records. False at the end of the file.
Result<bool> WarcReader::skip_line_ends() {
  for (;;) {
    while (used_ < buffer_.size() && (buffer_[used_] == '\r' || buffer_[used_] == '\n')) ++used_;
    if (used_ < buffer_.size()) return true;
    BB_TRY(const bool more, refill());
    if (!more) return false;
  }
}

Result<std::string> WarcReader::take_head() {
  std::size_t seen = used_;
  for (;;) {
    // Lines may end in LF alone.
    for (std::size_t feed = buffer_.find('\n', seen); feed != std::string::npos;
         feed = buffer_.find('\n', feed + 1)) {
      const std::string_view text = std::string_view(buffer_).substr(used_, feed + 1 - used_);
      if (text.ends_with("\n\r\n") || text.ends_with("\n\n")) {
        std::string head(text);
        used_ = feed + 1;
        return head;
      }
    }
    if (buffer_.size() - used_ > kLargestHead) return bad("its head is longer than a megabyte");
    seen = buffer_.size() - used_;
    BB_TRY(const bool more, refill());
    if (!more) return bad("the file ends within the head of a record");
  }
}

Result<bool> WarcReader::take_arc_head() {
  constexpr std::string_view kWarc = "WARC/";
  while (buffer_.size() - used_ < kWarc.size()) {
    BB_TRY(const bool more, refill());
    if (!more) return false;
  }
  if (std::string_view(buffer_).substr(used_).starts_with(kWarc)) return false;
  std::size_t feed;
  while ((feed = buffer_.find('\n', used_)) == std::string::npos &&
         buffer_.size() - used_ <= kLongestArcHead) {
    BB_TRY(const bool more, refill());
    if (!more) return false;
  }
  if (feed == std::string::npos) return false;
  std::optional<WarcHead> head = arc_head(std::string_view(buffer_).substr(used_, feed - used_), offset_);
  if (!head) return false;
  head_ = std::move(*head);
  used_ = feed + 1;
  return true;
}

Status WarcReader::parse_head(std::string_view text) {
  head_ = {};
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (first) {
      if (!line.starts_with("WARC/"))
        return bad("not a WARC record: it must begin with WARC/1.1 or another version");
      head_.version = line;
      first = false;
      continue;
    }
    if (line.empty()) continue;
    if ((line[0] == ' ' || line[0] == '\t') && !head_.fields.empty()) {
      head_.fields.back().second.append(" ").append(trimmed(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return bad("a line of its head is not a field");
    head_.fields.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  }
  const std::string_view length = head_.field("Content-Length");
  const auto [rest, code] =
      std::from_chars(length.data(), length.data() + length.size(), head_.content_length);
  if (length.empty() || code != std::errc() || rest != length.data() + length.size()) {
    return bad("it has no Content-Length that is a number");
  }
  return {};
}

Result<bool> WarcReader::next() {
  if (started_) BB_TRY_VOID(finish_record());
  started_ = false;
  if (used_ == buffer_.size()) offset_ = in_->position();  // position of an error in the next record
  BB_TRY(const bool more, skip_line_ends());
  if (!more) return false;
  const bool plain = in_->compression() == Compression::kNone;
  offset_ = plain ? piece_at_ + used_ : piece_at_;
  packed_alone_ = plain || (piece_begins_member_ && used_ == 0);
  BB_TRY(arc_, take_arc_head());
  if (!arc_) {
    BB_TRY(const std::string text, take_head());
    BB_TRY_VOID(parse_head(text));
  }
  left_ = head_.content_length;
  started_ = true;
  return true;
}

}  // namespace bowerbird
