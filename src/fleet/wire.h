// The bytes of the fleet's short-lived messages: envelopes, receipts, and requests and grants of slots.
//
// Readers accept any bytes and return nothing for those that no writer produces. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/batch/message.h"

namespace bowerbird {

// A message and the process that carries it: its sender, or the process that took over the sender.
struct Envelope {
  std::string carrier;
  Message message;
};
std::string write_envelope(const std::string& carrier, const Message& message);
std::optional<Envelope> read_envelope(std::string_view bytes);

// Messages that their receiver has committed.
std::string write_receipts(const std::vector<MessageId>& ids);
std::optional<std::vector<MessageId>> read_receipts(std::string_view bytes);

// Sent by a process that wants to start a request to the process that grants slots for the gate.
struct SlotRequest {
  enum class What : std::uint8_t { kAsk, kStillHold, kUsed, kUnused };
  What what = What::kAsk;
  std::string member;
  std::string gate;
  std::int64_t interval_ms = 0;
};
std::string write_slot_request(const SlotRequest& request);
std::optional<SlotRequest> read_slot_request(std::string_view bytes);

// The answer.
struct SlotGrant {
  std::string gate;
  std::int64_t wait_ms = 0;
};
std::string write_slot_grant(const SlotGrant& grant);
std::optional<SlotGrant> read_slot_grant(std::string_view bytes);

}  // namespace bowerbird
