// Streaming decoders of content codings, for bodies that do not fit into memory.
//
// CodingDecoder undoes one coding of bytes in memory; fetch/coding.h uses it for whole bodies.
// DecodedSource reads bytes from a source and returns them decoded. Small bodies are decoded like
// decode_body() does. For larger bodies the first bytes are tried: if they cannot be decoded, the body is
// returned unchanged. If a body is damaged later, it ends there, and checksums are not verified. Errors
// are those of the source. Memory: a few buffers, and the windows of the codings. Threads: one.
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
  // Removes the bytes it used from the front of `in`, and writes at most `room` bytes; `wrote` is their
  // number. kCut: continue with more input or more room. kWhole: the end, unless another member follows.
  virtual CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) = 0;
};

// The container format around deflate data, as zlib's windowBits.
enum class Wrapping : int { kRaw = -15, kGzip = 31, kGzipOrZlib = 47 };
// checked: verify checksum and length at the end. Null: out of memory.
std::unique_ptr<CodingDecoder> make_inflater(Wrapping wrapping, bool checked);
std::unique_ptr<CodingDecoder> make_brotli_decoder();
std::unique_ptr<CodingDecoder> make_zstd_decoder();
// coding: a name in Content-Encoding, lower case. Null: unknown.
std::unique_ptr<CodingDecoder> make_decoder(std::string_view coding);

// Writes at least one byte to [to, to + size); 0: the end.
using ByteSource = std::function<Result<std::size_t>(char* to, std::size_t size)>;

class DecodedSource {
 public:
  // coding: the value of Content-Encoding.
  DecodedSource(std::string coding, ByteSource source);
  // At least one byte; 0 at the end.
  Result<std::size_t> read(char* to, std::size_t size);
  // After the first read: whether the codings could not be undone.
  bool undecoded() const { return undecoded_; }

 private:
  Status begin();

  std::string coding_;
  ByteSource source_;  // after begin(): decoded
  bool begun_ = false;
  bool undecoded_ = false;
  std::string first_;  // bytes before those of source_
  std::size_t first_used_ = 0;
};

}  // namespace bowerbird
