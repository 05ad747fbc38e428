#include "sys/sink.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

namespace bowerbird {

namespace {

constexpr std::size_t kBuffer = 1 << 16;

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> to) : to_(std::move(to)), buffer_(kBuffer) {
    constexpr int kGzip = 16 + MAX_WBITS;
    constexpr int kMemory = 8;
    CHECK(deflateInit2(&z_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipSink() override { deflateEnd(&z_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  Status write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t n = std::min<std::size_t>(bytes.size(), 1u << 30);
      BB_TRY_VOID(pass(bytes.substr(0, n), Z_NO_FLUSH));
      bytes.remove_prefix(n);
    }
    return {};
  }
  Status finish() override {
    BB_TRY_VOID(pass({}, Z_FINISH));
    return to_->finish();
  }

 private:
  Status pass(std::string_view bytes, int flush) {
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z_.avail_in = static_cast<uInt>(bytes.size());
    int code = Z_OK;
    do {
      z_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      z_.avail_out = static_cast<uInt>(buffer_.size());
      code = deflate(&z_, flush);
      CHECK(code != Z_STREAM_ERROR);
      BB_TRY_VOID(to_->write({buffer_.data(), buffer_.size() - z_.avail_out}));
    } while (z_.avail_out == 0 || (flush == Z_FINISH && code != Z_STREAM_END));
    return {};
  }

  std::unique_ptr<ByteSink> to_;
  std::vector<char> buffer_;
  z_stream z_{};
};

class ZstdSink final : public ByteSink {
 public:
  ZstdSink(std::unique_ptr<ByteSink> to, std::optional<std::uint64_t> size)
      : to_(std::move(to)), buffer_(ZSTD_CStreamOutSize()), z_(ZSTD_createCCtx()) {
    CHECK(z_ != nullptr);
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(z_, ZSTD_c_checksumFlag, 1)) == 0);
    if (size) CHECK(ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(z_, *size)) == 0);
  }
  ~ZstdSink() override { ZSTD_freeCCtx(z_); }
  ZstdSink(const ZstdSink&) = delete;
  ZstdSink& operator=(const ZstdSink&) = delete;

  Status write(std::string_view bytes) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size) BB_TRY_VOID(pass(in, ZSTD_e_continue));
    return {};
  }
  Status finish() override {
    ZSTD_inBuffer none{nullptr, 0, 0};
    for (;;) {
      BB_TRY(const std::size_t left, pass(none, ZSTD_e_end));
      if (left == 0) break;
    }
    return to_->finish();
  }

 private:
  // One step; returns how much is known to be left.
  Result<std::size_t> pass(ZSTD_inBuffer& in, ZSTD_EndDirective directive) {
    ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(z_, &out, &in, directive);
    if (ZSTD_isError(left) != 0) return error("zstd cannot compress: {}", ZSTD_getErrorName(left));
    BB_TRY_VOID(to_->write({buffer_.data(), out.pos}));
    return left;
  }

  std::unique_ptr<ByteSink> to_;
  std::vector<char> buffer_;
  ZSTD_CCtx* z_;
};

}  // namespace

std::unique_ptr<ByteSink> compressing(Compression compression, std::unique_ptr<ByteSink> to,
                                      std::optional<std::uint64_t> size) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipSink>(std::move(to));
    case Compression::kZstd:
      return std::make_unique<ZstdSink>(std::move(to), size);
    case Compression::kNone:
      break;
  }
  return to;
}

Result<std::unique_ptr<ByteSink>> create_output(const std::string& path) {
  BB_TRY(std::unique_ptr<ByteSink> file, OutputFile::create(path));
  return compressing(compression_by_name(path), std::move(file));
}

}  // namespace bowerbird
