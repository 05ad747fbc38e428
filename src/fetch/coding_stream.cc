#include "fetch/coding_stream.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace bowerbird {

namespace {

constexpr std::size_t kPulled = std::size_t{64} << 10;
constexpr std::uint64_t kTried = std::uint64_t{4}
                                 << 20;      // output limit while the beginning of a body is tried
constexpr std::size_t kSmallestMember = 18;  // bytes of gzip

class Inflater final : public CodingDecoder {
 public:
  Inflater(Wrapping wrapping, bool checked) {
    good_ = inflateInit2(&stream_, static_cast<int>(wrapping)) == Z_OK;
    if (good_ && !checked) inflateValidate(&stream_, 0);
  }
  ~Inflater() override {
    if (good_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) override {
    wrote = 0;
    if (!good_) return CodingResult::kDamaged;
    if (ended_) {
      if (!another_follows(in)) return CodingResult::kWhole;
      inflateReset(&stream_);
      ended_ = false;
    }
    const auto given = static_cast<uInt>(std::min<std::size_t>(in.size(), 0xffffffffu));
    const auto space = static_cast<uInt>(std::min<std::size_t>(room, 0xffffffffu));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = space;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(given - stream_.avail_in);
    wrote = space - stream_.avail_out;
    if (code == Z_STREAM_END) {
      ended_ = true;
      return another_follows(in) ? CodingResult::kCut : CodingResult::kWhole;
    }
    return code == Z_OK || code == Z_BUF_ERROR ? CodingResult::kCut : CodingResult::kDamaged;
  }

 private:
  // RFC 1952, 2.2: further members may follow. Other bytes after the end are ignored.
  static bool another_follows(std::string_view in) {
    return in.size() >= kSmallestMember && in.starts_with("\x1f\x8b");
  }

  z_stream stream_{};
  bool good_ = false;
  bool ended_ = false;
};

// RFC 9110, 8.4.1.2 requires the zlib format; some servers send the raw deflate stream.
class DeflateDecoder final : public CodingDecoder {
 public:
  CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) override {
    const std::string_view whole = in;
    const CodingResult result = inflater_->step(in, out, room, wrote);
    const bool first = std::exchange(first_, false);
    if (!first || result != CodingResult::kDamaged || wrote > 0) return result;
    in = whole;
    inflater_ = make_inflater(Wrapping::kRaw, /*checked=*/false);
    return inflater_->step(in, out, room, wrote);
  }

 private:
  std::unique_ptr<CodingDecoder> inflater_ = make_inflater(Wrapping::kGzipOrZlib, /*checked=*/false);
  bool first_ = true;
};

class BrotliDecoder final : public CodingDecoder {
 public:
  CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) override {
    wrote = 0;
    if (state_ == nullptr) return CodingResult::kDamaged;
    std::size_t left = in.size(), space = room;
    const auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out);
    const auto code = BrotliDecoderDecompressStream(state_.get(), &left, &from, &space, &to, nullptr);
    in.remove_prefix(in.size() - left);
    wrote = room - space;
    if (code == BROTLI_DECODER_RESULT_ERROR) return CodingResult::kDamaged;
    return code == BROTLI_DECODER_RESULT_SUCCESS ? CodingResult::kWhole : CodingResult::kCut;
  }

 private:
  std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> state_{
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), BrotliDecoderDestroyInstance};
};

class ZstdDecoder final : public CodingDecoder {
 public:
  ZstdDecoder() {
    if (context_ != nullptr)
      ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 23);  // RFC 9659: 8 MB
  }
  CodingResult step(std::string_view& in, char* out, std::size_t room, std::size_t& wrote) override {
    wrote = 0;
    if (context_ == nullptr) return CodingResult::kDamaged;
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    const std::size_t code = ZSTD_decompressStream(context_.get(), &to, &from);
    in.remove_prefix(from.pos);
    wrote = to.pos;
    if (ZSTD_isError(code) != 0) {
      return ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong ? CodingResult::kWrongChecksum
                                                                  : CodingResult::kDamaged;
    }
    return code == 0 && in.empty() && wrote < room ? CodingResult::kWhole : CodingResult::kCut;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_{ZSTD_createDCtx(), ZSTD_freeDCtx};
};

// Undoes one coding. Ends where the bytes cannot be decoded any further.
class CodingStream {
 public:
  CodingStream(std::unique_ptr<CodingDecoder> decoder, ByteSource source)
      : decoder_(std::move(decoder)), source_(std::move(source)) {}

  Result<std::size_t> read(char* to, std::size_t size) {
    while (!over_) {
      while (!source_ended_ && rest_.size() < kSmallestMember) BB_TRY_VOID(fill());
      const std::size_t before = rest_.size();
      std::size_t wrote = 0;
      const CodingResult result = decoder_->step(rest_, to, size, wrote);
      const bool goes_on = result == CodingResult::kCut || result == CodingResult::kWhole;
      over_ = !goes_on || (wrote == 0 && rest_.size() == before);
      if (wrote > 0) return wrote;
    }
    return std::size_t{0};
  }

 private:
  Status fill() {
    std::string in(rest_);
    const std::size_t before = in.size();
    in.resize(before + kPulled);
    const auto got = source_(in.data() + before, kPulled);
    if (!got.ok()) return got.error();
    in.resize(before + *got);
    source_ended_ = *got == 0;
    in_ = std::move(in);
    rest_ = in_;
    return {};
  }

  std::unique_ptr<CodingDecoder> decoder_;
  ByteSource source_;
  std::string in_;
  std::string_view rest_;  // part of in_ that is not decoded yet
  bool source_ended_ = false;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<CodingDecoder> make_inflater(Wrapping wrapping, bool checked) {
  return std::make_unique<Inflater>(wrapping, checked);
}
std::unique_ptr<CodingDecoder> make_brotli_decoder() {
  return std::make_unique<BrotliDecoder>();
}
std::unique_ptr<CodingDecoder> make_zstd_decoder() {
  return std::make_unique<ZstdDecoder>();
}

std::unique_ptr<CodingDecoder> make_decoder(std::string_view coding) {
  if (coding == "gzip" || coding == "x-gzip") return make_inflater(Wrapping::kGzip, /*checked=*/false);
  if (coding == "deflate") return std::make_unique<DeflateDecoder>();
  if (coding == "br") return make_brotli_decoder();
  if (coding == "zstd") return make_zstd_decoder();
  return nullptr;
}

DecodedSource::DecodedSource(std::string coding, ByteSource source)
    : coding_(std::move(coding)), source_(std::move(source)) {}

Status DecodedSource::begin() {
  begun_ = true;
  bool ended = false;
  while (!ended && first_.size() < kPulled) {
    const std::size_t before = first_.size();
    first_.resize(kPulled);
    const auto got = source_(first_.data() + before, kPulled - before);
    first_.resize(before + (got.ok() ? *got : 0));
    if (!got.ok()) return got.error();
    ended = *got == 0;
  }
  std::string decoded;
  const CodingResult result = decode_body(coding_, first_, {kTried, kTried, kTried}, decoded);
  undecoded_ = result == CodingResult::kDamaged || result == CodingResult::kUnknown;
  if (undecoded_ || result == CodingResult::kPlain) return {};
  if (ended && result != CodingResult::kTooLarge) {
    first_ = std::move(decoded);
    return {};
  }
  // The beginning could be decoded, so the stream starts again from it.
  auto before = std::make_shared<std::string>(std::exchange(first_, {}));
  ByteSource whole = [before, at = std::size_t{0}, source = std::move(source_)](
                         char* to, std::size_t size) mutable -> Result<std::size_t> {
    if (at == before->size()) return source(to, size);
    const std::size_t n = std::min(size, before->size() - at);
    std::memcpy(to, before->data() + at, n);
    at += n;
    return n;
  };
  const std::vector<std::string> codings = split_codings(coding_);
  for (std::size_t i = codings.size(); i > 0; --i) {
    std::unique_ptr<CodingDecoder> decoder = make_decoder(codings[i - 1]);
    if (decoder == nullptr) continue;
    auto stream = std::make_shared<CodingStream>(std::move(decoder), std::move(whole));
    whole = [stream](char* to, std::size_t size) { return stream->read(to, size); };
  }
  source_ = std::move(whole);
  return {};
}

Result<std::size_t> DecodedSource::read(char* to, std::size_t size) {
  if (!begun_) BB_TRY_VOID(begin());
  if (first_used_ == first_.size()) return source_(to, size);
  const std::size_t n = std::min(size, first_.size() - first_used_);
  std::memcpy(to, first_.data() + first_used_, n);
  first_used_ += n;
  return n;
}

}  // namespace bowerbird
