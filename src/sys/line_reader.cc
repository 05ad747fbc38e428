#include "sys/line_reader.h"

#include <algorithm>
#include <cstring>

#include "base/units.h"

namespace bowerbird {

namespace {
constexpr std::size_t kFirstCapacity = 1 << 18;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
}  // namespace

LineReader::LineReader(InputStream& in, std::size_t longest_line)
    : in_(in), limit_(longest_line), capacity_(kFirstCapacity), buffer_(new char[kFirstCapacity]) {}

std::string LineReader::where() const {
  return fmt::format("{}: line {}", in_.name(), line_number_);
}

Error LineReader::too_long() const {
  return error("{}: line {} is longer than {}: is this a text file of the right kind?", in_.name(),
               line_number_ + 1, format_bytes(limit_));
}

// Reads more bytes after end_, after making room.
Status LineReader::more() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    std::unique_ptr<char[]> larger(new char[capacity_ * 2]);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
    capacity_ *= 2;
  }
  BB_TRY(const std::size_t got, in_.read(buffer_.get() + end_, capacity_ - end_));
  at_end_ = got == 0;
  end_ += got;
  return {};
}

Status LineReader::skip_mark() {
  while (end_ < kByteOrderMark.size() && !at_end_) BB_TRY_VOID(more());
  if (std::string_view(buffer_.get(), end_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  return {};
}

std::string_view LineReader::take(std::size_t length, std::size_t with_end) {
  std::string_view line(buffer_.get() + begin_, length);
  begin_ += with_end;
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Result<bool> LineReader::next(std::string_view& line) {
  if (line_number_ == 0 && end_ == 0) BB_TRY_VOID(skip_mark());
  std::size_t looked_at = 0;
  for (;;) {
    const char* start = buffer_.get() + begin_;
    const std::size_t size = end_ - begin_;
    if (looked_at > limit_) return too_long();
    const void* found = std::memchr(start + looked_at, '\n', size - looked_at);
    if (found != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - start);
      if (length > limit_) return too_long();
      line = take(length, length + 1);
      return true;
    }
    if (at_end_) {
      if (size == 0) return false;
      if (size > limit_) return too_long();
      line = take(size, size);
      return true;
    }
    looked_at = size;
    BB_TRY_VOID(more());
  }
}

}  // namespace bowerbird
