// Messages between the processes of a fleet. Property: what was parsed, written and parsed again is the same.
// The input is an uncompressed message, so that mutations reach the reader.
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "fleet/batch/message.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string raw(reinterpret_cast<const char*>(data), size);
  static_cast<void>(unpack(raw).ok());
  if (raw.empty()) return 0;
  std::string packed(1 + ZSTD_compressBound(size - 1), '\0');
  packed[0] = raw[0];
  packed.resize(1 + ZSTD_compress(packed.data() + 1, packed.size() - 1, raw.data() + 1, size - 1, 1));
  const auto body = unpack(packed);
  if (!body.ok()) return 0;
  const std::string again = pack(*body);
  CHECK(is_transfer(again) == std::holds_alternative<PartitionTransfer>(*body));
  const auto body_again = unpack(again);
  CHECK(body_again.ok());
  CHECK(pack(*body_again) == again);
  if (const auto* const links = std::get_if<LinkBatch>(&*body)) {
    for (const LinkBatch::Group& group : links->groups) {
      CHECK(group.links.size() <= group.visit.links);
      for (const SentLink& link : group.links) CHECK(link.url < links->urls.size());
    }
  }
  return 0;
}
