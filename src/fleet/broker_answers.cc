#include "fleet/broker_answers.h"

#include <openssl/evp.h>

#include <nlohmann/json.hpp>

namespace bowerbird {

namespace {

using nlohmann::json;

constexpr std::uint64_t kNotFound = 404;

json object_in(const BrokerAnswer& answer) {
  json read = json::parse(answer.value_or(""), nullptr, false);
  return read.is_object() ? read : json();
}

// The member of an object; null if there is none or it is not an object.
const json& member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string text_in(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::uint64_t number_in(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

bool is_missing(const json& answer) {
  return number_in(member(answer, "error"), "code") == kNotFound;
}

}  // namespace

std::string decode_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size() / 4 * 4));
  if (size < 0) return {};
  bytes.resize(static_cast<std::size_t>(size));
  for (std::size_t i = text.size(); i > 0 && text[i - 1] == '=' && !bytes.empty(); --i) bytes.pop_back();
  return bytes;
}

std::optional<std::vector<std::string>> read_subjects(const BrokerAnswer& answer) {
  const json info = object_in(answer);
  if (!info.is_object() || info.contains("error")) return {};
  std::vector<std::string> subjects;
  const json& state = member(info, "state");
  const json& counted = member(state, "subjects");
  if (counted.is_object()) {
    for (const auto& [subject, count] : counted.items()) subjects.push_back(subject);
  }
  return subjects;
}

std::optional<StoredValue> read_value(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  if (is_missing(read)) return StoredValue();  // it has just expired
  const json& message = member(read, "message");
  if (!message.is_object() || read.contains("error")) return {};
  const bool removed = decode_base64(text_in(message, "hdrs")).find("KV-Operation") != std::string::npos;
  if (removed) return StoredValue();
  return StoredValue{BusEntry{decode_base64(text_in(message, "data")), number_in(message, "seq")}};
}

bool is_accepted(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  return read.is_object() && read.contains("seq") && !read.contains("error");
}

std::optional<LogAnswer> read_log_end(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  if (is_missing(read)) return LogAnswer();
  const json& state = member(read, "state");
  if (!state.is_object() || read.contains("error")) return {};
  return LogAnswer{
      LogEnd{number_in(state, "first_seq"), number_in(state, "last_seq"), number_in(state, "bytes")}};
}

std::optional<LogMessageAnswer> read_log_message(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  if (is_missing(read)) return LogMessageAnswer();
  const json& message = member(read, "message");
  if (!message.is_object() || read.contains("error")) return {};
  return LogMessageAnswer{LogMessage{number_in(message, "seq"), decode_base64(text_in(message, "data"))}};
}

// A sequence that does not follow `last` is that of a broker that does not know the expected sequence.
AppendResult read_appended(const BrokerAnswer& answer, std::uint64_t last) {
  const json read = object_in(answer);
  if (!read.is_object()) return AppendResult::kUnknown;
  constexpr std::uint64_t kWrongLast = 10071, kWrongLastConstant = 10164;
  const std::uint64_t code = number_in(member(read, "error"), "err_code");
  if (code == kWrongLast || code == kWrongLastConstant) return AppendResult::kConflict;
  if (!is_accepted(answer)) return AppendResult::kUnknown;
  return number_in(read, "seq") == last + 1 ? AppendResult::kAccepted : AppendResult::kConflict;
}

bool is_not_found(const BrokerAnswer& answer) {
  return is_missing(object_in(answer));
}

bool is_deleted(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  return read.is_object() && (!read.contains("error") || is_missing(read));
}

std::optional<QueueAnswer> read_queue(const BrokerAnswer& answer) {
  const json read = object_in(answer);
  if (!read.is_object()) return {};
  if (read.contains("error")) return QueueAnswer();
  QueueInfo info;
  info.waiting = number_in(read, "num_pending");
  info.delivered = number_in(member(read, "delivered"), "consumer_seq");
  info.to = text_in(member(read, "config"), "deliver_subject");
  return QueueAnswer{std::move(info)};
}

}  // namespace bowerbird
