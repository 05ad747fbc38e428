#include "store/record_compressor.h"

#include <libdeflate.h>
#include <zstd.h>

#include "base/check.h"

namespace bowerbird {

namespace {

constexpr int kGzipLevel = 1;
constexpr int kZstdLevel = 1;
constexpr std::size_t kKeptBuffer = std::size_t{1} << 22;

}  // namespace

struct RecordCompressor::Context {
  libdeflate_compressor* gzip = nullptr;
  ZSTD_CCtx* zstd = nullptr;
  std::unique_ptr<char[]> buffer;
  std::size_t capacity = 0;

  ~Context() {
    libdeflate_free_compressor(gzip);
    ZSTD_freeCCtx(zstd);
  }
  char* room(std::size_t size) {
    if (size > capacity || capacity > kKeptBuffer) {
      buffer.reset(new char[size]);  // not zero-initialised
      capacity = size;
    }
    return buffer.get();
  }
};

RecordCompressor::RecordCompressor(WarcCompression compression, int level)
    : compression_(compression), context_(std::make_unique<Context>()) {
  if (compression == Compression::kGzip) {
    context_->gzip = libdeflate_alloc_compressor(level != 0 ? level : kGzipLevel);
    CHECK(context_->gzip != nullptr);
  }
  if (compression == Compression::kZstd) {
    context_->zstd = ZSTD_createCCtx();
    CHECK(context_->zstd != nullptr);
    ZSTD_CCtx_setParameter(context_->zstd, ZSTD_c_compressionLevel, level != 0 ? level : kZstdLevel);
    ZSTD_CCtx_setParameter(context_->zstd, ZSTD_c_checksumFlag, 1);
  }
}

RecordCompressor::~RecordCompressor() = default;

std::string_view RecordCompressor::pack(std::string_view record) {
  switch (compression_) {
    case Compression::kNone:
      return record;
    case Compression::kGzip: {
      const std::size_t bound = libdeflate_gzip_compress_bound(context_->gzip, record.size());
      char* const out = context_->room(bound);
      const std::size_t size =
          libdeflate_gzip_compress(context_->gzip, record.data(), record.size(), out, bound);
      CHECK(size > 0);
      return {out, size};
    }
    case Compression::kZstd: {
      const std::size_t bound = ZSTD_compressBound(record.size());
      char* const out = context_->room(bound);
      const std::size_t size = ZSTD_compress2(context_->zstd, out, bound, record.data(), record.size());
      CHECK(ZSTD_isError(size) == 0);
      return {out, size};
    }
  }
  return record;
}

}  // namespace bowerbird
