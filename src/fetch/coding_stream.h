// Content codings undone piece by piece, for bodies that do not fit into memory.
//
// CodingDecoder undoes one coding of bytes that its caller has; fetch/coding.h uses it for whole bodies.
// DecodedSource pulls bytes from a source and passes on what they decode to. Small bodies are decoded as
// decode_body() does. Of a larger one the beginning decides: if it is not what its codings say, the body is
// passed on as it is; if the body is damaged later, it ends there, and checksums are not compared. Errors are
// those of the source. Memory: a few buffers, and the windows of the codings. Threads: one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fetch/coding.h"

namespace bowerbird {

class CodingDecoder {
 public:
  virtual ~CodingDecoder() = default;
  // Removes what it used from the front of `in`, and writes at most `room` bytes; `wrote` says how many.
  // kCut: it goes on with more input or more room; kWhole: this is the end, unless more input is of the same
  // kind.
  virtual CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) = 0;
};

// What zlib calls what is around the compressed data.
enum class Wrapping : int { kRaw = -15, kGzip = 31, kGzipOrZlib = 47 };
// checked: checksum and length at the end must be right. Null: no memory.
std::unique_ptr<CodingDecoder> make_inflater(Wrapping wrapping, bool checked);
std::unique_ptr<CodingDecoder> make_brotli_decoder();
std::unique_ptr<CodingDecoder> make_zstd_decoder();
// By the name in Content-Encoding, in lower case; null: not one that we know.
std::unique_ptr<CodingDecoder> make_decoder(std::string_view coding);

// Bytes written to [to, to + size), at least one; 0: the end.
using ByteSource = std::function<Result<std::size_t>(char* to, std::size_t size)>;

class DecodedSource {
 public:
  // coding: the values of Content-Encoding.
  DecodedSource(std::string coding, ByteSource source);
  // At least one byte, or 0 at the end.
  Result<std::size_t> read(char* to, std::size_t size);
  // After the first read: its codings could not be undone.
  bool undecoded() const { return undecoded_; }

 private:
  Status begin();

  std::string coding_;
  ByteSource source_;  // after begin(): without its codings
  bool begun_ = false;
  bool undecoded_ = false;
  std::string first_;  // comes before what is in source_
  std::size_t first_used_ = 0;
};

}  // namespace bowerbird
