// Envelopes, receipts, and requests and grants of slots. Property: what was parsed, written and parsed again
// is the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "fleet/wire.h"

using namespace bowerbird;

namespace {

template <typename Value, typename Write, typename Read>
void check(const Value& value, const Write& write, const Read& read) {
  if (!value) return;
  const auto bytes = write(*value);
  const auto again = read(bytes);
  CHECK(again.has_value());
  CHECK(write(*again) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(
      read_envelope(bytes), [](const Envelope& one) { return write_envelope(one.carrier, one.message); },
      read_envelope);
  check(read_receipts(bytes), write_receipts, read_receipts);
  check(read_slot_request(bytes), write_slot_request, read_slot_request);
  check(read_slot_grant(bytes), write_slot_grant, read_slot_grant);
  if (const auto grant = read_slot_grant(bytes)) CHECK(grant->wait_ms >= 0);
  if (const auto request = read_slot_request(bytes)) CHECK(request->interval_ms >= 0);
  return 0;
}
