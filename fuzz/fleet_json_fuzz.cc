// The records of a fleet in its broker, and the broker's answers. Property: what was parsed, written and
// parsed again is the same; nothing throws.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "fleet/broker_answers.h"
#include "fleet/names.h"
#include "fleet/plan.h"

using namespace bowerbird;

namespace {

void check_records(std::string_view text) {
  if (const auto fleet = FleetRecord::from_json(text); fleet.ok())
    CHECK(FleetRecord::from_json(fleet->to_json()).value().id == fleet->id);
  if (const auto record = MemberRecord::from_json(text); record.ok()) {
    const auto again = MemberRecord::from_json(record->to_json());
    CHECK(again.ok());
    CHECK(again->to_json() == record->to_json());
  }
  const std::string heartbeat = Heartbeat::from_json(text).to_json();
  CHECK(Heartbeat::from_json(heartbeat).to_json() == heartbeat);
  const std::string control = FleetControl::from_json(text).to_json();
  CHECK(FleetControl::from_json(control).to_json() == control);
}

void check_plan(std::string_view text) {
  const auto plan = FleetPlan::from_json(text);
  if (!plan.ok()) return;
  CHECK(plan->epochs.size() == plan->owners.size());
  const auto again = FleetPlan::from_json(plan->to_json());
  CHECK(again.ok());
  CHECK(again->to_json() == plan->to_json());
  CHECK(plan->accepts(static_cast<std::uint32_t>(plan->owners.size()), plan->settings).ok());
  static_cast<void>(plan->accepts(4, R"({"policy":["bfs"],"scope":[]})").ok());
  static_cast<void>(plan->setting("policy"));
}

void check_answers(std::string_view text) {
  const BrokerAnswer answer{std::string(text)};
  static_cast<void>(read_subjects(answer));
  static_cast<void>(read_value(answer));
  static_cast<void>(is_accepted(answer));
  static_cast<void>(is_deleted(answer));
  static_cast<void>(read_queue(answer));
  CHECK(decode_base64(text).size() <= text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_records(text);
  check_plan(text);
  check_answers(text);
  return 0;
}
