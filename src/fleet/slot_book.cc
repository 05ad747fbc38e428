#include "fleet/slot_book.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr std::int64_t kLostMs = 5000;
constexpr std::size_t kMost = 100'000;

}  // namespace

std::optional<SlotBook::Grant> SlotBook::ask(const std::string& who, const std::string& name,
                                             std::int64_t interval_ms, std::int64_t now_ms,
                                             std::int64_t not_before_ms) {
  if (gates_.size() > kMost) forget_idle(now_ms);
  const auto [found, fresh] = gates_.try_emplace(name);
  Gate& gate = found->second;
  if (fresh) gate.opens_ms = std::max(now_ms, not_before_ms) + interval_ms;
  if (gate.holder == who) {
    gate.heard_ms = now_ms;
    return Grant{who, name, std::max<std::int64_t>(0, gate.opens_ms - now_ms)};
  }
  const bool waits = std::any_of(gate.waiting.begin(), gate.waiting.end(),
                                 [&who](const auto& one) { return one.first == who; });
  if (!waits) gate.waiting.emplace_back(who, interval_ms);
  if (!gate.holder.empty()) {
    if (now_ms - std::max(gate.heard_ms, gate.opens_ms) <= kLostMs) return {};
    gate.opens_ms = now_ms + gate.interval_ms;  // the request may have begun just now
  }
  return grant_next(name, gate, now_ms);
}

std::optional<SlotBook::Grant> SlotBook::give_back(const std::string& who, const std::string& name, bool used,
                                                   std::int64_t now_ms) {
  const auto found = gates_.find(name);
  if (found == gates_.end()) return {};
  Gate& gate = found->second;
  if (gate.holder != who) {
    if (!used) std::erase_if(gate.waiting, [&who](const auto& one) { return one.first == who; });
    return {};
  }
  if (used) gate.opens_ms = now_ms + gate.interval_ms;
  return grant_next(name, gate, now_ms);
}

std::optional<SlotBook::Grant> SlotBook::grant_next(const std::string& name, Gate& gate,
                                                    std::int64_t now_ms) {
  gate.holder.clear();
  if (gate.waiting.empty()) return {};
  std::tie(gate.holder, gate.interval_ms) = std::move(gate.waiting.front());
  gate.waiting.pop_front();
  gate.heard_ms = now_ms;
  return Grant{gate.holder, name, std::max<std::int64_t>(0, gate.opens_ms - now_ms)};
}

void SlotBook::forget_idle(std::int64_t now_ms) {
  std::erase_if(gates_, [now_ms](const auto& one) {
    return one.second.holder.empty() && one.second.opens_ms <= now_ms;
  });
}

}  // namespace bowerbird
