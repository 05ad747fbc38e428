// ZIP files. Properties: entries lie within the file and do not overlap; names stay within a folder; what is
// read has the size and checksum that the directory gives, and no more than the limit.
#include <zlib.h>

#include <cstdint>
#include <string_view>

#include "archive/zip_reader.h"
#include "base/check.h"

namespace bowerbird {
namespace {

constexpr std::uint64_t kFuzzLimit = std::uint64_t{1} << 20;

void check_zip(std::string_view bytes) {
  const auto zip = ZipReader::open(bytes, "fuzz");
  if (!zip.ok()) return;
  std::uint64_t stored = 0;
  for (const ZipReader::Entry& entry : zip->entries()) {
    CHECK(entry.stored.data() >= bytes.data());
    CHECK(entry.stored.data() + entry.stored.size() <= bytes.data() + bytes.size());
    CHECK(("/" + entry.name + "/").find("/../") == std::string::npos);
    CHECK(!entry.name.starts_with('/'));
    CHECK(zip->find(entry.name) == &entry);
    stored += entry.stored.size();
    const auto text = zip->read(entry, kFuzzLimit);
    if (!text.ok()) continue;
    CHECK(text->size() == entry.size && text->size() <= kFuzzLimit);
    CHECK(crc32_z(0, reinterpret_cast<const Bytef*>(text->data()), text->size()) == entry.crc);
  }
  CHECK(stored <= bytes.size());
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bowerbird::check_zip({reinterpret_cast<const char*>(data), size});
  return 0;
}
