#include "fleet/wire.h"

#include "base/varint.h"

namespace bowerbird {

namespace {

// The longest Crawl-delay that is obeyed.
constexpr std::uint64_t kLongestIntervalMs = 86'400'000;
constexpr std::uint64_t kLongestWaitMs = kLongestIntervalMs;

}  // namespace

std::string write_envelope(const std::string& carrier, const Message& message) {
  std::string bytes;
  put_string(bytes, carrier);
  put_message(bytes, message);
  return bytes;
}

std::optional<Envelope> read_envelope(std::string_view bytes) {
  VarintReader in(bytes);
  Envelope envelope;
  envelope.carrier = in.get_string();
  envelope.message = get_message(in);
  if (!in.ok() || !in.at_end()) return {};
  return envelope;
}

std::string write_receipts(const std::vector<MessageId>& ids) {
  std::string bytes;
  for (const MessageId& id : ids) {
    put_string(bytes, id.sender);
    put_varint(bytes, id.partition);
    put_varint(bytes, id.number);
  }
  return bytes;
}

std::optional<std::vector<MessageId>> read_receipts(std::string_view bytes) {
  VarintReader in(bytes);
  std::vector<MessageId> ids;
  while (in.ok() && !in.at_end()) {
    MessageId id;
    id.sender = in.get_string();
    id.partition = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
    id.number = in.get();
    ids.push_back(std::move(id));
  }
  if (!in.ok()) return {};
  return ids;
}

std::string write_slot_request(const SlotRequest& request) {
  std::string bytes;
  put_varint(bytes, static_cast<std::uint64_t>(request.what));
  put_string(bytes, request.member);
  put_string(bytes, request.gate);
  put_varint(bytes, static_cast<std::uint64_t>(request.interval_ms));
  return bytes;
}

std::optional<SlotRequest> read_slot_request(std::string_view bytes) {
  VarintReader in(bytes);
  SlotRequest request;
  request.what =
      static_cast<SlotRequest::What>(in.get_at_most(static_cast<std::uint64_t>(SlotRequest::What::kUnused)));
  request.member = in.get_string();
  request.gate = in.get_string();
  request.interval_ms = static_cast<std::int64_t>(in.get_at_most(kLongestIntervalMs));
  if (!in.ok() || !in.at_end()) return {};
  return request;
}

std::string write_slot_grant(const SlotGrant& grant) {
  std::string bytes;
  put_string(bytes, grant.gate);
  put_varint(bytes, static_cast<std::uint64_t>(grant.wait_ms));
  return bytes;
}

std::optional<SlotGrant> read_slot_grant(std::string_view bytes) {
  VarintReader in(bytes);
  SlotGrant grant;
  grant.gate = in.get_string();
  grant.wait_ms = static_cast<std::int64_t>(in.get_at_most(kLongestWaitMs));
  if (!in.ok() || !in.at_end()) return {};
  return grant;
}

}  // namespace bowerbird
