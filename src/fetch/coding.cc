#include "fetch/coding.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/ascii.h"
#include "fetch/coding_stream.h"
#include "parse/mime_sniff.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kMostCodings = 3;

// An output buffer that grows up to the limits.
class Output {
 public:
  Output(std::string& out, std::size_t input, const CodingLimits& limits)
      : out_(out), most_(std::min(limits.max_bytes, std::max(limits.ratio_from, input * limits.max_ratio))) {
    out_.clear();
  }

  // Makes room for more. False: the limit is reached.
  bool open() {
    if (used_ >= most_) return false;
    out_.resize(std::min<std::uint64_t>(most_, used_ + std::max(kPiece, used_)));
    return true;
  }
  char* at() { return out_.data() + used_; }
  std::size_t room() const { return out_.size() - used_; }
  void took(std::size_t bytes) { used_ += bytes; }
  void close() { out_.resize(used_); }

 private:
  std::string& out_;
  std::uint64_t most_;
  std::uint64_t used_ = 0;
};

CodingResult decode_all(CodingDecoder& decoder, std::string_view body, Output& out) {
  while (out.open()) {
    std::size_t wrote = 0;
    const CodingResult result = decoder.step(body, out.at(), out.room(), wrote);
    const bool full = wrote == out.room();
    out.took(wrote);
    if (result != CodingResult::kCut) return result;
    if (body.empty() && !full) return CodingResult::kCut;
  }
  return CodingResult::kTooLarge;
}

bool begins_as_gzip(std::string_view body) {
  return body.starts_with("\x1f\x8b");
}

// Whether all data was decoded, and only the checksum and length behind it are missing, or some of their
// bytes. Data that is incomplete would use up at least one of the zeros.
bool lacks_only_checksum(CodingDecoder& unchecked, bool gzip) {
  constexpr std::string_view kZeros("\0\0\0\0\0\0\0\0", 8);
  std::string_view end = kZeros.substr(0, gzip ? 8 : 4);  // RFC 1952, 2.3.1; RFC 1950, 2.2
  char more = 0;
  std::size_t wrote = 0;
  return unchecked.step(end, &more, 1, wrote) == CodingResult::kWhole && wrote == 0;
}

CodingResult inflate_any(std::string_view body, Wrapping wrapping, const CodingLimits& limits,
                         std::string& text) {
  const auto decode = [&](CodingDecoder& decoder) {
    Output out(text, body.size(), limits);
    const CodingResult result = decode_all(decoder, body, out);
    out.close();
    return result;
  };
  const CodingResult result = decode(*make_inflater(wrapping, /*checked=*/true));
  const bool failed = result == CodingResult::kDamaged || result == CodingResult::kCut;
  if (!failed || text.empty() || wrapping == Wrapping::kRaw) return result;
  const auto unchecked = make_inflater(wrapping, /*checked=*/false);
  const CodingResult again = decode(*unchecked);
  if (again == CodingResult::kWhole) return CodingResult::kWrongChecksum;
  if (again == CodingResult::kCut && lacks_only_checksum(*unchecked, begins_as_gzip(body)))
    return CodingResult::kWrongChecksum;
  return again;
}

// RFC 9110, 8.4.1.2 requires the zlib format; some servers send the raw deflate stream.
CodingResult deflate_any(std::string_view body, const CodingLimits& limits, std::string& text) {
  const CodingResult result = inflate_any(body, Wrapping::kGzipOrZlib, limits, text);
  if (result != CodingResult::kDamaged || !text.empty()) return result;
  return inflate_any(body, Wrapping::kRaw, limits, text);
}

bool begins_as_zstd(std::string_view body) {
  return body.starts_with("\x28\xb5\x2f\xfd");
}

// Whether it is neither text nor another type known by its first bytes.
bool looks_compressed(std::string_view body) {
  const std::string_view type = sniff_type(body, /*nosniff=*/true);
  return type == "application/octet-stream" || begins_as_gzip(body) || begins_as_zstd(body);
}

CodingResult decode_named(std::string_view coding, std::string_view body, const CodingLimits& limits,
                          std::string& text) {
  if (coding == "gzip" || coding == "x-gzip") return inflate_any(body, Wrapping::kGzip, limits, text);
  if (coding == "deflate") return deflate_any(body, limits, text);
  Output out(text, body.size(), limits);
  CodingResult result = CodingResult::kUnknown;
  if (coding == "br") result = decode_all(*make_brotli_decoder(), body, out);
  if (coding == "zstd") result = decode_all(*make_zstd_decoder(), body, out);
  out.close();
  return result;
}

// kPlain: the body is not compressed, whatever the coding is.
CodingResult decode_one(std::string_view coding, std::string_view body, const CodingLimits& limits,
                        std::string& text) {
  CodingResult result = decode_named(coding, body, limits, text);
  if (result == CodingResult::kUnknown && begins_as_gzip(body)) {
    result = decode_named("gzip", body, limits, text);
  } else if (result == CodingResult::kUnknown && begins_as_zstd(body)) {
    result = decode_named("zstd", body, limits, text);
  }
  const bool failed =
      result == CodingResult::kUnknown || result == CodingResult::kDamaged || result == CodingResult::kCut;
  if (!failed || looks_compressed(body)) return result;
  text.clear();
  return CodingResult::kPlain;
}

}  // namespace

std::vector<std::string> split_codings(std::string_view value) {
  std::vector<std::string> codings;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    std::string word;
    for (const char c : value.substr(0, comma)) {
      if (c != ' ' && c != '\t') word += ascii_lower(c);
    }
    if (!word.empty() && word != "identity") codings.push_back(std::move(word));
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return codings;
}

std::string_view coding_result_text(CodingResult result) {
  switch (result) {
    case CodingResult::kWhole:
      return "whole";
    case CodingResult::kPlain:
      return "plain";
    case CodingResult::kWrongChecksum:
      return "the checksum of the compressed body is wrong";
    case CodingResult::kCut:
      return "the compressed body is truncated";
    case CodingResult::kDamaged:
      return "the compressed body is damaged";
    case CodingResult::kTooLarge:
      return "the decompressed body is too large";
    case CodingResult::kUnknown:
      return "unknown content coding";
  }
  return "";
}

bool is_common_coding(std::string_view coding) {
  const std::vector<std::string> codings = split_codings(coding);
  return codings.empty() ||
         (codings.size() == 1 && (codings[0] == "gzip" || codings[0] == "x-gzip" || codings[0] == "br"));
}

CodingResult decode_body(std::string_view coding, std::string_view body, const CodingLimits& limits,
                         std::string& out) {
  out.clear();
  const std::vector<std::string> codings = split_codings(coding);
  if (codings.empty() || body.empty()) return CodingResult::kPlain;
  if (codings.size() > kMostCodings)
    return looks_compressed(body) ? CodingResult::kUnknown : CodingResult::kPlain;
  std::string input;  // the body without the codings undone so far
  CodingResult worst = CodingResult::kPlain;
  for (std::size_t i = codings.size(); i > 0; --i) {
    const bool decoded = worst != CodingResult::kPlain;
    if (decoded) {
      input.swap(out);
      body = input;
    }
    const CodingResult result = decode_one(codings[i - 1], body, limits, out);
    if (result > CodingResult::kCut) return result;
    if (result == CodingResult::kPlain && decoded) out.swap(input);
    worst = std::max(worst, result);
  }
  return worst;
}

}  // namespace bowerbird
