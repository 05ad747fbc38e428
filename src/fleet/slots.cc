#include "fleet/slots.h"

#include "base/varint.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kAskAgainMs = 2000;  // no answer for so long: ask again
constexpr std::int64_t kLookMs = 50;
constexpr std::int64_t kUseWithinMs = 2000;
constexpr std::size_t kMost = 100'000;

std::int64_t monotonic_ms() {
  return MonotonicClock().now_us() / 1000;
}

}  // namespace

Status Slots::begin() {
  BB_TRY_VOID(bus_.subscribe(names_.to("ask", member_), [this](const BusMessage& m) { take_request(m); }));
  return bus_.subscribe(names_.to("slot", member_), [this](const BusMessage& m) { take_grant(m); });
}

// How long to wait for the slot that is granted by this.
std::int64_t Slots::grant(const std::string& key, std::int64_t interval_ms) {
  const std::int64_t now = monotonic_ms();
  if (next_ms_.size() > kMost) std::erase_if(next_ms_, [now](const auto& one) { return one.second <= now; });
  std::int64_t& next = next_ms_[key];
  const std::int64_t at = std::max(now, next);
  next = at + interval_ms;
  return at - now;
}

std::int64_t Slots::look(const SharedGate& gate, const std::string& granter, std::string& request) {
  const std::int64_t now = monotonic_ms();
  Wanted& wanted = wanted_[gate.name];
  if (wanted.at_ms != 0 && now > wanted.at_ms + kUseWithinMs) wanted = {};
  if (wanted.at_ms == 0 && granter == member_) wanted.at_ms = now + grant(gate.name, gate.interval_ms);
  if (wanted.at_ms != 0) return std::max<std::int64_t>(0, wanted.at_ms - now);
  if (granter.empty() || now - wanted.asked_ms < kAskAgainMs) return -1;
  wanted.asked_ms = now;
  put_string(request, member_);
  put_string(request, gate.name);
  put_varint(request, static_cast<std::uint64_t>(gate.interval_ms));
  return -1;
}

// Waits are by the monotonic clock; the caller's has another beginning.
std::int64_t Slots::want(const std::vector<SharedGate>& gates, std::int64_t now_ms) {
  std::int64_t wait = 0;
  for (const SharedGate& gate : gates) {
    const std::string granter = granter_(gate.name);
    std::string request;
    {
      const std::lock_guard lock(mutex_);
      if (wanted_.size() > kMost) forget_old(monotonic_ms());
      const std::int64_t own = look(gate, granter, request);
      wait = std::max(wait, own < 0 ? kLookMs : own);
    }
    // Should it be lost, it is asked again.
    if (!request.empty()) static_cast<void>(bus_.publish(names_.to("ask", granter), request).ok());
  }
  if (wait > 0) return now_ms + wait;
  const std::lock_guard lock(mutex_);
  for (const SharedGate& gate : gates) wanted_.erase(gate.name);
  return now_ms;
}

void Slots::forget_old(std::int64_t now_ms) {
  std::erase_if(wanted_,
                [now_ms](const auto& one) { return now_ms - one.second.asked_ms > 10 * kAskAgainMs; });
}

void Slots::take_request(const BusMessage& message) {
  VarintReader in(message.data);
  const std::string who(in.get_string());
  const std::string key(in.get_string());
  const std::uint64_t interval = in.get_at_most(3'600'000);
  if (!in.ok()) return;
  std::string answer;
  put_string(answer, key);
  {
    const std::lock_guard lock(mutex_);
    put_varint(answer, static_cast<std::uint64_t>(grant(key, static_cast<std::int64_t>(interval))));
  }
  static_cast<void>(bus_.publish(names_.to("slot", who), answer).ok());
}

void Slots::take_grant(const BusMessage& message) {
  VarintReader in(message.data);
  const std::string key(in.get_string());
  const std::uint64_t wait = in.get_at_most(24 * 3'600'000);
  if (!in.ok()) return;
  const std::lock_guard lock(mutex_);
  const auto found = wanted_.find(key);
  if (found != wanted_.end() && found->second.at_ms == 0) {
    found->second.at_ms = monotonic_ms() + static_cast<std::int64_t>(wait);
  }
}

}  // namespace bowerbird
