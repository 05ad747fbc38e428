// Records of a member's log. Property: what was parsed, written and parsed again is the same. The input is a
// record without its tag and with uncompressed parts, so that mutations reach the reader: a byte with the
// length of the head, the head, and the parts.
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "fleet/log_record.h"
#include "fleet/seal.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr HashKey kKey{7, 8};
  const std::string raw(reinterpret_cast<const char*>(data), size);
  CHECK(!read_log_record(raw, kKey) || size > 8);
  if (raw.empty()) return 0;
  const std::size_t head = std::min<std::size_t>(static_cast<unsigned char>(raw[0]), size - 1);
  const std::string parts = raw.substr(1 + head);
  std::string packed(ZSTD_compressBound(parts.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), parts.data(), parts.size(), 1));
  const bool is_claim = head > 0 && raw[1] >= 3;
  const std::string message =
      sealed(raw.substr(1, head) + (is_claim ? parts : packed), MessageKind::kLogRecord, kKey);
  const auto record = read_log_record(message, kKey);
  if (!record) return 0;
  CHECK(read_log_head(message, kKey).has_value());
  const std::string again = write_log_record(*record, kKey);
  const auto reread = read_log_record(again, kKey);
  CHECK(reread.has_value());
  CHECK(write_log_record(*reread, kKey) == again);
  if (const auto* const piece = std::get_if<LogPiece>(&record->content)) {
    for (const LogPart& part : piece->parts) CHECK(part.bytes.size() <= parts.size());
  }
  return 0;
}
