#include "fleet/slots.h"

#include <algorithm>

#include "fleet/seal.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kAskAgainMs = 1000;  // a message may be lost, and a silent holder loses its slot
constexpr std::int64_t kNoGrantMs = 50;
// must be well below the time after which the book considers a holder lost
constexpr std::int64_t kUnwantedMs = 2000;
constexpr std::int64_t kDropEveryMs = 500;
// All processes have heard of a change of granters by then.
constexpr std::int64_t kHandoverMs = 3000;

}  // namespace

Status Slots::begin() {
  BB_TRY_VOID(bus_.subscribe(names_.to("ask", member_), [this](const BusMessage& m) { take_request(m); }));
  return bus_.subscribe(names_.to("slot", member_), [this](const BusMessage& m) { take_grant(m); });
}

// ---- asking for slots

// Waits are measured by our clock, because the crawl's clock starts at another time.
Time Slots::want(std::vector<SharedGate> gates, Time crawl_now) {
  if (gates.empty()) return crawl_now;
  std::sort(gates.begin(), gates.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::vector<std::string> granters;
  for (const SharedGate& gate : gates) granters.push_back(granters_.of(gate.name));
  const std::int64_t now = now_ms();
  std::int64_t wait = 0;
  {
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const std::int64_t own = look(gates[i], granters[i], now);
      wait = std::max(wait, own < 0 ? kNoGrantMs : own);
      if (own < 0) break;
    }
    if (wait == 0) {
      for (std::size_t i = 0; i < gates.size(); ++i) {
        wanted_.erase(gates[i].name);
        send(What::kUsed, gates[i].name, gates[i].interval.count(), granters[i]);
      }
    }
    drop_unwanted(now);
  }
  changed_.notify_all();
  return crawl_now + Duration{wait};
}

std::int64_t Slots::look(const SharedGate& gate, const std::string& granter, std::int64_t now) {
  if (granter.empty()) return -1;
  {
    Wanted& wanted = wanted_[gate.name];
    // Too old, or from a process that no longer grants it.
    const bool old = wanted.at_ms != 0 && now > std::max(wanted.seen_ms, wanted.at_ms) + kUnwantedMs;
    if (old || wanted.granter != granter) wanted = {granter, 0, 0, 0};
    wanted.seen_ms = now;
    if (wanted.asked_ms == 0 || now - wanted.asked_ms >= kAskAgainMs) {
      wanted.asked_ms = now;
      send(wanted.at_ms == 0 ? What::kAsk : What::kStillHold, gate.name, gate.interval.count(), granter);
    }
  }
  const Wanted& wanted = wanted_[gate.name];
  return wanted.at_ms == 0 ? -1 : std::max<std::int64_t>(0, wanted.at_ms - now);
}

void Slots::granted(const std::string& gate, std::int64_t wait_ms) {
  const auto found = wanted_.find(gate);
  if (found == wanted_.end()) {
    send(What::kUnused, gate, 0, granters_.of(gate));
  } else if (found->second.at_ms == 0) {
    found->second.at_ms = now_ms() + wait_ms;
  }
}

void Slots::drop_unwanted(std::int64_t now) {
  if (now - dropped_ms_ < kDropEveryMs) return;
  dropped_ms_ = now;
  for (auto one = wanted_.begin(); one != wanted_.end();) {
    if (now <= std::max(one->second.seen_ms, one->second.at_ms) + kUnwantedMs) {
      ++one;
      continue;
    }
    const std::string gate = one->first, granter = one->second.granter;
    one = wanted_.erase(one);
    send(What::kUnused, gate, 0, granter);
  }
}

void Slots::send(What what, const std::string& gate, std::int64_t interval_ms, const std::string& granter) {
  SlotRequest request{what, member_, gate, interval_ms};
  if (granter == member_) return answer(request);
  if (!granter.empty())
    waiting_.push_back({names_.to("ask", granter),
                        sealed(write_slot_request(request), MessageKind::kSlotRequest, names_.key)});
}

// ---- granting slots

void Slots::answer(const SlotRequest& request) {
  if (granters_.of(request.gate) != member_) return;  // another process owns its partition
  const std::int64_t now = now_ms();
  if (const std::int64_t changed = granters_.changed_ms(); changed != changed_ms_) {
    changed_ms_ = changed;
    book_.keep([this](const std::string& gate) { return granters_.of(gate) == member_; });
  }
  if (const std::uint64_t lapses = granters_.lapses(); lapses != lapses_) {
    lapses_ = lapses;
    lapsed_ms_ = now;
    book_ = SlotBook();
  }
  const std::int64_t last_ms = std::max(changed_ms_, lapsed_ms_);
  const std::int64_t not_before = last_ms == 0 ? 0 : last_ms + kHandoverMs;
  const bool asks = request.what == What::kAsk || request.what == What::kStillHold;
  const auto grant = asks ? book_.ask(request.member, request.gate, request.interval_ms, now, not_before)
                          : book_.give_back(request.member, request.gate, request.what == What::kUsed, now);
  if (!grant || (request.what == What::kStillHold && grant->who == request.member)) return;
  if (grant->who == member_) return granted(grant->gate, grant->wait_ms);
  waiting_.push_back({names_.to("slot", grant->who), sealed(write_slot_grant({grant->gate, grant->wait_ms}),
                                                            MessageKind::kSlotGrant, names_.key)});
}

// ---- messages

void Slots::take_request(const BusMessage& message) {
  const auto content = unsealed(message.data, MessageKind::kSlotRequest, names_.key);
  const auto request = content ? read_slot_request(*content) : std::nullopt;
  if (!request) return;
  {
    const MutexLock lock(mutex_);
    answer(*request);
  }
  changed_.notify_all();
}

void Slots::take_grant(const BusMessage& message) {
  const auto content = unsealed(message.data, MessageKind::kSlotGrant, names_.key);
  const auto grant = content ? read_slot_grant(*content) : std::nullopt;
  if (!grant) return;
  {
    const MutexLock lock(mutex_);
    granted(grant->gate, grant->wait_ms);
  }
  changed_.notify_all();
}

// A lost message is sent again, or its slot expires.
void Slots::publish(std::chrono::milliseconds most) {
  std::vector<BusRequest> requests;
  {
    const MutexLock lock(mutex_);
    if (waiting_.empty()) changed_.wait_for(mutex_, most);
    requests.swap(waiting_);
  }
  for (const BusRequest& one : requests) static_cast<void>(bus_.publish(one.subject, one.data).ok());
}

}  // namespace bowerbird
