// Reads HTTP/1.x responses as their bytes arrive (RFC 9112): head, body without its transfer coding, end.
//
// Problem: a response comes in pieces of any size, from a server that may lie about where it ends. The reader
// takes bytes and returns one step at a time; pieces of the body are views into the bytes, so nothing is
// copied except the head. Invariant: heads, body, end and fault depend only on the bytes, not on how they
// were cut. Memory: at most max_head bytes.
//
// Our choices where the RFC leaves them open, or servers leave the RFC: a lone LF ends a line (2.2); a folded
// line is joined by blanks (5.2); blanks between a field's name and its colon are removed (5.1); CR and NUL
// inside a line become blanks (RFC 9110, 5.5); a line without a colon is kept. Content-Length fields that
// contradict each other or are not numbers, transfer codings other than chunked, and 101 are faults (6.1,
// 6.3). With Transfer-Encoding the length is ignored. After anything unusual, no further response is expected
// on the connection (keep_alive). Provisional responses (1xx) and trailers are skipped; they count towards
// max_head. Only for responses to GET. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

enum class ResponseFault : std::uint8_t {
  kNone,
  kMalformed,     // not an HTTP response
  kHeadTooLarge,  // or provisional responses, or trailers
  kBadChunk,
  kNothing,      // the input ended before the first byte
  kEndedInHead,  // ... before the end of the head
  kCutShort,     // ... before the end of the body
};

class Http1ResponseReader {
 public:
  enum class Step : std::uint8_t {
    kMore,  // all bytes are used, more are needed
    kHead,  // status() and head() of the final response
    kBody,  // piece()
    kEnd,   // of the response; bytes that are left do not belong to it
    kBad,   // fault(); nothing more can be read
  };

  explicit Http1ResponseReader(std::size_t max_head) : max_head_(max_head) {}
  // For the next response.
  void reset();

  // Removes what it used from `in`.
  Step read(std::string_view& in);
  // The sender has closed: kEnd if that ends the response, otherwise kBad.
  Step end_of_input();

  // The status line and the fields, with the empty line. Provisional ones until the final one is there.
  int status() const { return status_; }
  std::string& head() { return head_; }
  // From Content-Length; nullopt: chunked, or everything until the end of the input.
  std::optional<std::uint64_t> length() const { return length_; }
  std::string_view piece() const { return piece_; }
  // After kEnd: whether the connection may be used again.
  bool keep_alive() const { return keep_alive_; }
  // Whether a body is over only when the connection is.
  bool ends_with_input() const { return framing_ == Framing::kUntilEnd; }
  ResponseFault fault() const { return fault_; }
  const char* why() const { return why_; }

 private:
  enum class State : std::uint8_t {
    kStatusLine,
    kFields,
    kBegin,  // of the body
    kBody,
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailers,
    kDone,
    kFailed,
  };
  enum class Framing : std::uint8_t { kNone, kLength, kChunked, kUntilEnd };

  Step fail(ResponseFault fault, const char* why);
  bool take_line(std::string_view& in, std::string_view& line);
  Step take_status_line(std::string_view line);
  Step take_field_line(std::string_view line);
  Step finish_head();
  Step judge_framing();
  Step take_framing_field(std::string_view name, std::string_view value);
  Step take_chunk_size(std::string_view line);
  Step read_data(std::string_view& in);

  std::size_t max_head_;
  std::size_t counted_ = 0;  // bytes of heads and trailers
  State state_ = State::kStatusLine;
  Framing framing_ = Framing::kUntilEnd;
  ResponseFault fault_ = ResponseFault::kNone;
  bool keep_alive_ = false;
  bool begun_ = false;  // a byte has come
  int minor_ = 1;
  int status_ = 0;
  const char* why_ = "";
  std::string line_;  // the beginning of a line whose end has not come
  std::string head_;
  std::string_view piece_;
  std::optional<std::uint64_t> length_;
  std::uint64_t left_ = 0;  // of the body or chunk
  bool foldable_ = false;   // the next line may continue a field
  bool unusual_ = false;
};

}  // namespace bowerbird
