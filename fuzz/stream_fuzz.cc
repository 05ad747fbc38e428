// Any bytes can be read as a stream, whatever format they claim; compressed data is decompressed unchanged,
// and its lines are those of the plain text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "sys/line_reader.h"
#include "sys/sink.h"
#include "sys/stream.h"

using namespace bowerbird;

namespace {

constexpr std::size_t kMost = 1 << 22;  // a few bytes may decompress to gigabytes

Result<std::string> unpacked(std::string_view stored, std::size_t piece) {
  const auto in = InputStream::from_memory(stored, "X");
  std::vector<char> buffer(piece);
  std::string text;
  while (text.size() < kMost) {
    BB_TRY(const std::size_t n, in->read(buffer.data(), buffer.size()));
    if (n == 0) break;
    text.append(buffer.data(), n);
  }
  return text;
}

std::vector<std::string> lines_of(std::string_view stored) {
  const auto in = InputStream::from_memory(stored, "X");
  LineReader lines(*in, kMost * 2);
  std::string_view line;
  std::vector<std::string> found;
  for (;;) {
    const auto more = lines.next(line);
    CHECK(more.ok());
    if (!*more) return found;
    found.emplace_back(line);
  }
}

// The same in the obvious way.
std::vector<std::string> lines_by_hand(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    found.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto text = unpacked(input, 4096);
  const auto slowly = unpacked(input, 13);
  CHECK(text.ok() == slowly.ok());
  if (!text.ok()) return 0;
  CHECK(*text == *slowly || text->size() >= kMost);
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    std::string stored;
    const auto sink = compressing(compression, std::make_unique<StringSink>(stored));
    CHECK(sink->write(*text).ok());
    CHECK(sink->finish().ok());
    const auto again = unpacked(stored, 4096);
    CHECK(again.ok());
    CHECK(again->substr(0, kMost) == text->substr(0, kMost));
    if (text->size() < kMost) CHECK(lines_of(stored) == lines_by_hand(*text));
  }
  return 0;
}
