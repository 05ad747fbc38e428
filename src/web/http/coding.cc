#include "web/http/coding.h"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <array>

#include "base/check.h"
#include "web/http/http1.h"

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, kCodings> kNames = {"identity", "gzip", "deflate", "br", "zstd"};

// 12.4.2: q=0 is "not acceptable"; all other weights are treated as 1.
bool weight_is_zero(std::string_view parameters) {
  const std::size_t q = parameters.find("q=");
  if (q == parameters.npos) return false;
  const std::string_view number = parameters.substr(q + 2);
  return !number.empty() && number[0] == '0' && number.find_first_of("123456789") == number.npos;
}

}  // namespace

std::string_view coding_name(Coding coding) {
  return kNames[static_cast<std::size_t>(coding)];
}

Coding coding_named(std::string_view name) {
  for (int i = 1; i < kCodings; ++i) {
    if (field_is(name, kNames[static_cast<std::size_t>(i)])) return static_cast<Coding>(i);
  }
  return field_is(name, "x-gzip") ? Coding::kGzip : Coding::kIdentity;
}

Coding CodingSet::pick(std::uint64_t choice) const {
  int size = 0;
  for (int i = 0; i < kCodings; ++i) size += has(static_cast<Coding>(i)) ? 1 : 0;
  if (size == 0) return Coding::kIdentity;
  auto left = static_cast<int>(choice % static_cast<std::uint64_t>(size));
  for (int i = 0;; ++i) {
    if (has(static_cast<Coding>(i)) && left-- == 0) return static_cast<Coding>(i);
  }
}

CodingSet accepted_codings(std::string_view accept_encoding) {
  CodingSet named, refused, accepted;
  bool any = false;
  std::string_view rest = accept_encoding;
  for (auto element = next_element(rest); !element.empty(); element = next_element(rest)) {
    const std::size_t semicolon = element.find(';');
    std::string_view name = element.substr(0, semicolon);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    const bool zero = semicolon != element.npos && weight_is_zero(element.substr(semicolon));
    if (name == "*") any = !zero;
    const Coding coding = coding_named(name);
    if (coding != Coding::kIdentity) (zero ? refused : named).add(coding);
  }
  for (int i = 1; i < kCodings; ++i) {
    const auto coding = static_cast<Coding>(i);
    if (named.has(coding) || (any && !refused.has(coding))) accepted.add(coding);
  }
  return accepted;
}

struct BodyEncoder::State {
  std::string out;
  z_stream gzip{};
  z_stream deflate{};
  bool gzip_ready = false;
  bool deflate_ready = false;
  ZSTD_CCtx* zstd = nullptr;

  void zlib(z_stream& stream, bool& ready, int window, std::string_view body) {
    if (!ready) {
      CHECK(deflateInit2(&stream, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
      ready = true;
    } else {
      CHECK(deflateReset(&stream) == Z_OK);
    }
    out.resize(deflateBound(&stream, body.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream.avail_in = static_cast<uInt>(body.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(out.size() - stream.avail_out);
  }

  void brotli(std::string_view body) {
    std::size_t size = BrotliEncoderMaxCompressedSize(body.size());
    out.resize(size);
    CHECK(BrotliEncoderCompress(2, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, body.size(),
                                reinterpret_cast<const std::uint8_t*>(body.data()), &size,
                                reinterpret_cast<std::uint8_t*>(out.data())) == BROTLI_TRUE);
    out.resize(size);
  }

  void zstandard(std::string_view body) {
    if (zstd == nullptr) zstd = ZSTD_createCCtx();
    CHECK(zstd != nullptr);
    out.resize(ZSTD_compressBound(body.size()));
    const std::size_t size = ZSTD_compressCCtx(zstd, out.data(), out.size(), body.data(), body.size(), 1);
    CHECK(ZSTD_isError(size) == 0);
    out.resize(size);
  }
};

BodyEncoder::BodyEncoder() : state_(std::make_unique<State>()) {}

BodyEncoder::~BodyEncoder() {
  if (state_->gzip_ready) deflateEnd(&state_->gzip);
  if (state_->deflate_ready) deflateEnd(&state_->deflate);
  ZSTD_freeCCtx(state_->zstd);
}

void BodyEncoder::encode(Coding coding, std::string& body) {
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kZlibWindow = 15;
  switch (coding) {
    case Coding::kIdentity:
      return;
    case Coding::kGzip:
      state_->zlib(state_->gzip, state_->gzip_ready, kGzipWindow, body);
      break;
    case Coding::kDeflate:
      state_->zlib(state_->deflate, state_->deflate_ready, kZlibWindow, body);
      break;
    case Coding::kBrotli:
      state_->brotli(body);
      break;
    case Coding::kZstd:
      state_->zstandard(body);
      break;
  }
  body.swap(state_->out);
}

}  // namespace bowerbird
