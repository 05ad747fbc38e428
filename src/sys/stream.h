// Reads a file in order, whether it is plain or compressed.
//
// gzip (any number of members, trailing zeros allowed) and zstd (any number of frames, including skippable
// ones) are recognised by their first bytes, never by the name. Memory is a fixed buffer plus the window of
// the decompressor (at most 128 MiB, for zstd --long=27): nothing is allocated by a number in the file.
//
// Errors name the file and the offset in the stored file; input that ends in the middle of compressed data is
// an error, never a short file. Threads: one user at a time.
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
  // "-" is standard input. Starts at byte `offset` of the stored file, where a member or frame must begin.
  static Result<std::unique_ptr<InputStream>> open(const std::string& path, std::uint64_t offset = 0);
  // `bytes` must outlive the stream; `name` is used in errors.
  static std::unique_ptr<InputStream> from_memory(std::string_view bytes, std::string name);
  ~InputStream();
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  // Reads at least one byte into [to, to + size); returns 0 at the end; size > 0.
  Result<std::size_t> read(char* to, std::size_t size);
  // The next `size` bytes (fewer at the end) without consuming them; the view is valid until the next call.
  Result<std::string_view> peek(std::size_t size);

  // The name of the file in errors.
  const std::string& name() const;
  // How much of the stored file was consumed, and its size (0 if unknown): for progress.
  std::uint64_t position() const;
  std::uint64_t stored_size() const;
  // The offset in the stored file of the gzip member or zstd frame that the bytes of the last read() came
  // from (no read crosses a boundary); in a plain file, the offset of these bytes. Not for peeked bytes.
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
  std::string ahead_;  // peeked and not yet read
};

}  // namespace bowerbird
