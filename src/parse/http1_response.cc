#include "parse/http1_response.h"

#include <algorithm>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::string_view kVersion = "HTTP/1.";
constexpr std::size_t kMostChunkLine = 4096;
constexpr int kMostChunkDigits = 15;
constexpr std::size_t kMostLengthDigits = 18;

bool has_status_digits(std::string_view line, std::size_t at) {
  return line.size() >= at + 3 && line[at] >= '1' && is_ascii_digit(line[at]) &&
         is_ascii_digit(line[at + 1]) && is_ascii_digit(line[at + 2]) &&
         (line.size() == at + 3 || line[at + 3] == ' ');
}

std::string_view without_line_end(std::string_view line) {
  line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The next element of a comma-separated list; false at its end.
bool next_of_list(std::string_view& rest, std::string_view& element) {
  if (rest.data() == nullptr) return false;
  const std::size_t comma = rest.find(',');
  element = trimmed(rest.substr(0, comma));
  rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  return true;
}

}  // namespace

void Http1ResponseReader::reset() {
  std::string line = std::move(line_);
  *this = Http1ResponseReader(max_head_);
  line_ = std::move(line);
  line_.clear();
}

Http1ResponseReader::Step Http1ResponseReader::fail(ResponseFault fault, const char* why) {
  state_ = State::kFailed;
  fault_ = fault;
  why_ = why;
  keep_alive_ = false;
  return Step::kBad;
}

// A line with its end. False: it is not complete, or there are too many bytes. Those of chunk sizes do not
// count: a body may have any number of them.
bool Http1ResponseReader::take_line(std::string_view& in, std::string_view& line) {
  const std::size_t end = in.find('\n');
  const std::size_t size = end == in.npos ? in.size() : end + 1;
  if (state_ == State::kChunkSize || state_ == State::kChunkEnd) {
    if (line_.size() + size > kMostChunkLine) {
      fail(ResponseFault::kBadChunk, "a chunk has no size");
      return false;
    }
  } else if ((counted_ += size) > max_head_) {
    fail(ResponseFault::kHeadTooLarge, "the headers are larger than allowed");
    return false;
  }
  if (end == in.npos) {
    line_.append(in);
    in = {};
    return false;
  }
  if (line_.empty()) {
    line = in.substr(0, size);
  } else {
    line_.append(in.substr(0, size));
    line = line_;
  }
  in.remove_prefix(size);
  return true;
}

Http1ResponseReader::Step Http1ResponseReader::read(std::string_view& in) {
  for (;;) {
    if (state_ == State::kFailed) return Step::kBad;
    if (state_ == State::kDone) return Step::kEnd;
    if (state_ == State::kBegin) {
      state_ = framing_ == Framing::kChunked ? State::kChunkSize : State::kBody;
      if (framing_ == Framing::kNone || (framing_ == Framing::kLength && left_ == 0)) state_ = State::kDone;
      continue;
    }
    if (in.empty()) return Step::kMore;
    begun_ = true;
    if (state_ == State::kBody || state_ == State::kChunk) return read_data(in);
    if (state_ == State::kStatusLine && line_.size() < kVersion.size()) {
      // Known at once, so that a server that speaks something else does not have to end its line.
      // Bytes beyond the limit are not looked at, however many have come.
      const std::size_t n = std::min({kVersion.size() - line_.size(), in.size(), max_head_ - counted_});
      if (in.substr(0, n) != kVersion.substr(line_.size(), n)) {
        return fail(ResponseFault::kMalformed, "the response does not begin with HTTP/1");
      }
    }
    std::string_view line;
    if (!take_line(in, line)) return state_ == State::kFailed ? Step::kBad : Step::kMore;
    Step step = Step::kMore;
    if (state_ == State::kStatusLine) {
      step = take_status_line(line);
    } else if (state_ == State::kFields) {
      step = take_field_line(line);
    } else if (state_ != State::kTrailers) {
      step = take_chunk_size(line);
    } else if (without_line_end(line).empty()) {
      state_ = State::kDone;
    }
    line_.clear();
    if (step != Step::kMore) return step;
  }
}

// RFC 9112, section 4. Some servers leave out the blank after the status, or the reason.
Http1ResponseReader::Step Http1ResponseReader::take_status_line(std::string_view raw) {
  const std::string_view line = without_line_end(raw);
  std::size_t at = kVersion.size();
  if (line.size() <= at || !is_ascii_digit(line[at])) {
    return fail(ResponseFault::kMalformed, "the status line is not valid");
  }
  minor_ = line[at] - '0';
  ++at;
  if (at == line.size() || line[at] != ' ') {
    return fail(ResponseFault::kMalformed, "the status line is not valid");
  }
  while (at < line.size() && line[at] == ' ') ++at;
  if (!has_status_digits(line, at)) return fail(ResponseFault::kMalformed, "the status is not a number");
  status_ = (line[at] - '0') * 100 + (line[at + 1] - '0') * 10 + (line[at + 2] - '0');
  head_.assign(raw);
  std::replace(head_.begin(), head_.begin() + static_cast<std::ptrdiff_t>(line.size()), '\0', ' ');
  std::replace(head_.begin(), head_.begin() + static_cast<std::ptrdiff_t>(line.size()), '\r', ' ');
  state_ = State::kFields;
  foldable_ = false;
  return Step::kMore;
}

Http1ResponseReader::Step Http1ResponseReader::take_field_line(std::string_view raw) {
  const std::string_view line = without_line_end(raw);
  if (line.empty()) {
    head_.append(raw);
    return finish_head();
  }
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\0' || c == '\r'; };
  const std::size_t begin = head_.size();
  const bool folded = is_blank(line[0]);
  if (folded) {
    if (!foldable_) return fail(ResponseFault::kMalformed, "a folded line does not continue a field");
    head_.back() = ' ';
    if (head_[begin - 2] == '\r') head_[begin - 2] = ' ';
  }
  head_.append(raw);
  const auto from = head_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::replace_if(
      from, from + static_cast<std::ptrdiff_t>(line.size()), [](char c) { return c == '\0' || c == '\r'; },
      ' ');
  unusual_ |= folded;
  if (folded) return Step::kMore;
  const std::size_t colon = head_.find(':', begin);
  foldable_ = colon != head_.npos && colon > begin;
  unusual_ |= !foldable_;
  if (!foldable_) return Step::kMore;
  if (const std::size_t name_end = head_.find_last_not_of(" \t", colon - 1) + 1; name_end < colon) {
    head_.erase(name_end, colon - name_end);
    unusual_ = true;
  }
  return Step::kMore;
}

Http1ResponseReader::Step Http1ResponseReader::finish_head() {
  if (status_ == 101) return fail(ResponseFault::kMalformed, "the server switched to another protocol");
  if (status_ < 200) {
    state_ = State::kStatusLine;  // the final response follows
    return Step::kMore;
  }
  keep_alive_ = minor_ >= 1;
  framing_ = Framing::kUntilEnd;
  if (const Step step = judge_framing(); step == Step::kBad) return step;
  state_ = State::kBegin;
  return Step::kHead;
}

// RFC 9112, section 6.3.
Http1ResponseReader::Step Http1ResponseReader::judge_framing() {
  std::size_t at = head_.find('\n') + 1;
  while (at < head_.size()) {
    const std::size_t end = head_.find('\n', at) + 1;
    const std::string_view line = without_line_end(std::string_view(head_).substr(at, end - at));
    at = end;
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const Step step = take_framing_field(line.substr(0, colon), trimmed(line.substr(colon + 1)));
    if (step == Step::kBad) return step;
  }
  if (framing_ == Framing::kChunked) {
    if (length_ || minor_ == 0) unusual_ = true;
    length_.reset();
  } else if (length_) {
    framing_ = Framing::kLength;
    left_ = *length_;
  }
  if (status_ == 204 || status_ == 304) {
    framing_ = Framing::kNone;
    length_ = 0;
  }
  if (unusual_ || framing_ == Framing::kUntilEnd) keep_alive_ = false;
  return Step::kMore;
}

Http1ResponseReader::Step Http1ResponseReader::take_framing_field(std::string_view name,
                                                                  std::string_view value) {
  std::string_view element;
  if (equals_ignoring_case(name, "content-length")) {
    if (value.empty()) return fail(ResponseFault::kMalformed, "Content-Length is empty");
    while (next_of_list(value, element)) {
      std::uint64_t length = 0;
      if (element.empty() || element.size() > kMostLengthDigits ||
          !std::all_of(element.begin(), element.end(), is_ascii_digit)) {
        return fail(ResponseFault::kMalformed, "Content-Length is not a number");
      }
      for (const char c : element) length = length * 10 + static_cast<std::uint64_t>(c - '0');
      if (length_ && *length_ != length) {
        return fail(ResponseFault::kMalformed, "the response has two different lengths");
      }
      length_ = length;
    }
  } else if (equals_ignoring_case(name, "transfer-encoding")) {
    while (next_of_list(value, element)) {
      if (equals_ignoring_case(element, "chunked") && framing_ != Framing::kChunked) {
        framing_ = Framing::kChunked;
      } else if (!element.empty() && !equals_ignoring_case(element, "identity")) {
        return fail(ResponseFault::kMalformed, "the transfer coding is not known");
      }
    }
  } else if (equals_ignoring_case(name, "connection")) {
    while (next_of_list(value, element)) {
      if (equals_ignoring_case(element, "close")) {
        unusual_ = true;
      } else if (equals_ignoring_case(element, "keep-alive")) {
        keep_alive_ = true;
      }
    }
  }
  return Step::kMore;
}

// RFC 9112, section 7.1. Also the line end behind the data of a chunk.
Http1ResponseReader::Step Http1ResponseReader::take_chunk_size(std::string_view raw) {
  const std::string_view line = without_line_end(raw);
  if (state_ == State::kChunkEnd) {
    if (!line.empty()) return fail(ResponseFault::kBadChunk, "a chunk is longer than its size");
    state_ = State::kChunkSize;
    return Step::kMore;
  }
  int digits = 0;
  left_ = 0;
  std::size_t at = 0;
  for (; at < line.size() && hex_value(line[at]) >= 0; ++at) {
    left_ = left_ * 16 + static_cast<std::uint64_t>(hex_value(line[at]));
    if (left_ > 0 && ++digits > kMostChunkDigits) {
      return fail(ResponseFault::kBadChunk, "a chunk is too large");
    }
  }
  const std::string_view rest = trimmed(line.substr(at));
  if (at == 0 || (!rest.empty() && rest[0] != ';')) {
    return fail(ResponseFault::kBadChunk, "a chunk has no size");
  }
  state_ = left_ == 0 ? State::kTrailers : State::kChunk;
  return Step::kMore;
}

Http1ResponseReader::Step Http1ResponseReader::read_data(std::string_view& in) {
  if (framing_ == Framing::kUntilEnd) {
    piece_ = in;
    in = {};
    return Step::kBody;
  }
  piece_ = in.substr(0, std::min<std::uint64_t>(left_, in.size()));
  in.remove_prefix(piece_.size());
  left_ -= piece_.size();
  if (left_ == 0) state_ = state_ == State::kChunk ? State::kChunkEnd : State::kDone;
  return Step::kBody;
}

Http1ResponseReader::Step Http1ResponseReader::end_of_input() {
  switch (state_) {
    case State::kFailed:
      return Step::kBad;
    case State::kDone:
      return Step::kEnd;
    case State::kStatusLine:
      if (!begun_) return fail(ResponseFault::kNothing, "the server closed the connection");
      [[fallthrough]];
    case State::kFields:
      return fail(ResponseFault::kEndedInHead, "the connection was closed inside the headers");
    case State::kBegin:
    case State::kBody:
      if (framing_ == Framing::kUntilEnd || framing_ == Framing::kNone ||
          (framing_ == Framing::kLength && left_ == 0)) {
        state_ = State::kDone;
        return Step::kEnd;
      }
      [[fallthrough]];
    default:
      return fail(ResponseFault::kCutShort, "the connection was closed inside the body");
  }
}

}  // namespace bowerbird
