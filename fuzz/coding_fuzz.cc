// Bodies with content codings. Properties: output stays within its limits, and decompression restores what
// was compressed. The first byte of the input chooses the coding.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "fetch/coding.h"

using namespace bowerbird;

namespace {

constexpr std::string_view kCodings[] = {"gzip", "deflate", "br", "zstd", "gzip, br", "UTF-8", "", "x-gzip"};
constexpr CodingLimits kSmall{64 << 10, 20, 4 << 10};

std::string deflated(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  CHECK(compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                 text.size()) == Z_OK);
  out.resize(size);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string out;
  const CodingResult result = decode_body(kCodings[data[0] % std::size(kCodings)], body, kSmall, out);
  CHECK(out.size() <= kSmall.max_bytes);
  if (result == CodingResult::kPlain) CHECK(out.empty());
  CHECK(decode_body("deflate", deflated(body), {}, out) == CodingResult::kWhole);
  CHECK(out == body);
  return 0;
}
