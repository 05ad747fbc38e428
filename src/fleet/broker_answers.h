// Reads the broker's JSON answers to JetStream API requests.
//
// The broker is another program and may answer anything: a reader returns nothing for what it cannot use, and
// never throws. "None" also means no answer at all. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/bus.h"

namespace bowerbird {

using BrokerAnswer = std::optional<std::string>;

// STREAM.INFO: the subjects of a store's keys.
std::optional<std::vector<std::string>> read_subjects(const BrokerAnswer& answer);

// STREAM.MSG.GET: the last value of a key. An empty `entry`: the key was removed or has expired.
struct StoredValue {
  std::optional<BusEntry> entry;
};
std::optional<StoredValue> read_value(const BrokerAnswer& answer);

// The answer to a message published to a stream: whether the stream stored it.
bool is_accepted(const BrokerAnswer& answer);

// STREAM.INFO: the broker has no such stream.
bool is_not_found(const BrokerAnswer& answer);

// STREAM.INFO of a log. An empty `end`: there is no such stream.
struct LogAnswer {
  std::optional<LogEnd> end;
};
std::optional<LogAnswer> read_log_end(const BrokerAnswer& answer);

// STREAM.MSG.GET of a log. An empty `message`: there is none with this sequence.
struct LogMessageAnswer {
  std::optional<LogMessage> message;
};
std::optional<LogMessageAnswer> read_log_message(const BrokerAnswer& answer);

// The answer to a message that was appended after the message `last`.
AppendResult read_appended(const BrokerAnswer& answer, std::uint64_t last);

// CONSUMER.DELETE: whether the queue is gone.
bool is_deleted(const BrokerAnswer& answer);

// CONSUMER.CREATE and CONSUMER.INFO. An empty `info`: the queue does not exist.
struct QueueAnswer {
  std::optional<QueueInfo> info;
};
std::optional<QueueAnswer> read_queue(const BrokerAnswer& answer);

// Empty for text that is not base64.
std::string decode_base64(std::string_view text);

}  // namespace bowerbird
