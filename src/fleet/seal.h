// Authenticates the messages of a fleet with its key.
//
// Problem: others may use the same NATS server, by mistake or not. A message with wrong numbers would stop a
// sender or make a receiver skip messages. So every message ends in a tag: SipHash-2-4 of its kind and bytes
// under the fleet's random key, which its members get from the server. A message without the right tag is
// dropped. Replayed messages are harmless, because they are numbered. Pure functions; threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/keyed_hash.h"

namespace bowerbird {

enum class MessageKind : std::uint8_t { kEnvelope = 1, kReceipts, kSlotRequest, kSlotGrant, kLogRecord };

// The bytes with their tag.
std::string sealed(std::string bytes, MessageKind kind, const HashKey& key);
// The bytes without their tag; none if it is wrong.
std::optional<std::string_view> unsealed(std::string_view bytes, MessageKind kind, const HashKey& key);

// 128 bits as hexadecimal digits, and back; none for other texts.
std::string key_text(const HashKey& key);
std::optional<HashKey> read_key(std::string_view text);

}  // namespace bowerbird
