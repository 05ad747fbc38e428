// Bytes of a file in order, whether it is stored plain or compressed.
//
// gzip (any number of members, trailing zeros allowed) and zstd (any number of frames, skippable ones among
// them) are recognised by their first bytes, never by the name. Memory is a fixed buffer plus the window of
// the decompressor (at most 128 MiB, for zstd --long=27): nothing is allocated by a number in the file.
//
// Errors name the file and the offset in it as stored; input that ends in the middle of compressed data is an
// error, never a short file. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

enum class Compression { kNone, kGzip, kZstd };

// By the extension of `path`: ".gz", ".zst", or neither.
Compression compression_by_name(std::string_view path);
// `path` without ".gz" or ".zst".
std::string_view without_compression(std::string_view path);

class InputStream {
 public:
  // "-" is standard input. From byte `offset` of the file as stored on, where a member or frame begins.
  static Result<std::unique_ptr<InputStream>> open(const std::string& path, std::uint64_t offset = 0);
  // `bytes` must outlive the stream; `name` stands for the file in errors.
  static std::unique_ptr<InputStream> from_memory(std::string_view bytes, std::string name);
  ~InputStream();
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  // At least one byte into [to, to + size), or 0 at the end; size > 0.
  Result<std::size_t> read(char* to, std::size_t size);
  // The next `size` bytes (fewer at the end) without taking them; the view lives until the next call.
  Result<std::string_view> peek(std::size_t size);

  // The file, as errors call it.
  const std::string& name() const;
  // How much of the file as stored was taken, and its size (0 where unknown): for progress.
  std::uint64_t position() const;
  std::uint64_t stored_size() const;
  // Where in the file as stored the gzip member or zstd frame begins that the bytes of the last read() came
  // from (no read goes across one); where it is plain, where these bytes lie. Not for what was peeked at.
  std::uint64_t member_begin() const;
  // Known after the first read() or peek().
  Compression compression() const { return compression_; }

 private:
  class Raw;
  class Decoder;
  class PlainDecoder;
  class GzipDecoder;
  class ZstdDecoder;

  explicit InputStream(std::unique_ptr<Raw> raw);
  Status choose_decoder();
  Result<std::size_t> decode(char* to, std::size_t size);

  std::unique_ptr<Raw> raw_;
  std::unique_ptr<Decoder> decoder_;
  Compression compression_ = Compression::kNone;
  std::string ahead_;  // peeked at and not yet read
};

}  // namespace bowerbird
