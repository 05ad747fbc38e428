#include "fleet/slots.h"

#include <algorithm>

#include "base/varint.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kAskAgainMs = 1000;  // a letter may be lost, and who holds a slot must be heard of
constexpr std::int64_t kNoGrantMs = 50;
constexpr std::int64_t kUnwantedMs = 2000;  // must be well below what the book takes for lost
constexpr std::int64_t kDropEveryMs = 500;

std::int64_t monotonic_ms() {
  return MonotonicClock().now_us() / 1000;
}

}  // namespace

Status Slots::begin() {
  BB_TRY_VOID(bus_.subscribe(names_.to("ask", member_), [this](const BusMessage& m) { take_request(m); }));
  return bus_.subscribe(names_.to("slot", member_), [this](const BusMessage& m) { take_grant(m); });
}

// ---- as one who asks

// Waits are by the monotonic clock; the caller's has another beginning.
std::int64_t Slots::want(std::vector<SharedGate> gates, std::int64_t now_ms) {
  if (gates.empty()) return now_ms;
  std::sort(gates.begin(), gates.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::vector<std::string> granters;
  for (const SharedGate& gate : gates) granters.push_back(granter_(gate.name));
  const std::int64_t now = monotonic_ms();
  std::int64_t wait = 0;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const std::int64_t own = look(gates[i], granters[i], now);
      wait = std::max(wait, own < 0 ? kNoGrantMs : own);
      if (own < 0) break;
    }
    if (wait == 0) {
      for (std::size_t i = 0; i < gates.size(); ++i) {
        wanted_.erase(gates[i].name);
        say(Word::kUsed, gates[i].name, gates[i].interval_ms, granters[i]);
      }
    }
    drop_unwanted(now);
  }
  send_letters();
  return now_ms + wait;
}

std::int64_t Slots::look(const SharedGate& gate, const std::string& granter, std::int64_t now) {
  if (granter.empty()) return -1;
  {
    Wanted& wanted = wanted_[gate.name];
    // Too old, or from one who grants no longer.
    const bool old = wanted.at_ms != 0 && now > std::max(wanted.seen_ms, wanted.at_ms) + kUnwantedMs;
    if (old || wanted.granter != granter) wanted = {granter, 0, 0, 0};
    wanted.seen_ms = now;
    if (wanted.asked_ms == 0 || now - wanted.asked_ms >= kAskAgainMs) {
      wanted.asked_ms = now;
      say(wanted.at_ms == 0 ? Word::kAsk : Word::kStillHold, gate.name, gate.interval_ms, granter);
    }
  }
  const Wanted& wanted = wanted_[gate.name];
  return wanted.at_ms == 0 ? -1 : std::max<std::int64_t>(0, wanted.at_ms - now);
}

void Slots::granted(const std::string& gate, std::int64_t wait_ms) {
  const auto found = wanted_.find(gate);
  if (found == wanted_.end()) {
    say(Word::kUnused, gate, 0, granter_(gate));
  } else if (found->second.at_ms == 0) {
    found->second.at_ms = monotonic_ms() + wait_ms;
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
    say(Word::kUnused, gate, 0, granter);
  }
}

void Slots::say(Word word, const std::string& gate, std::int64_t interval_ms, const std::string& granter) {
  if (granter == member_) {
    hear(word, member_, gate, interval_ms);
    return;
  }
  if (granter.empty()) return;
  std::string text;
  put_varint(text, static_cast<std::uint64_t>(word));
  put_string(text, member_);
  put_string(text, gate);
  put_varint(text, static_cast<std::uint64_t>(interval_ms));
  letters_.push_back({names_.to("ask", granter), std::move(text)});
}

// ---- as one who grants

void Slots::hear(Word word, const std::string& who, const std::string& gate, std::int64_t interval_ms) {
  const std::int64_t now = monotonic_ms();
  const bool asks = word == Word::kAsk || word == Word::kStillHold;
  const auto grant =
      asks ? book_.ask(who, gate, interval_ms, now) : book_.give_back(who, gate, word == Word::kUsed, now);
  if (!grant || (word == Word::kStillHold && grant->who == who)) return;
  if (grant->who == member_) {
    granted(grant->gate, grant->wait_ms);
    return;
  }
  std::string text;
  put_string(text, grant->gate);
  put_varint(text, static_cast<std::uint64_t>(grant->wait_ms));
  letters_.push_back({names_.to("slot", grant->who), std::move(text)});
}

// ---- letters

void Slots::take_request(const BusMessage& message) {
  VarintReader in(message.data);
  const std::uint64_t word = in.get_at_most(static_cast<std::uint64_t>(Word::kUnused));
  const std::string who(in.get_string());
  const std::string gate(in.get_string());
  const std::uint64_t interval = in.get_at_most(3'600'000);
  if (!in.ok()) return;
  {
    const std::lock_guard lock(mutex_);
    hear(static_cast<Word>(word), who, gate, static_cast<std::int64_t>(interval));
  }
  send_letters();
}

void Slots::take_grant(const BusMessage& message) {
  VarintReader in(message.data);
  const std::string gate(in.get_string());
  const std::uint64_t wait = in.get_at_most(std::uint64_t{24} * 3'600'000);
  if (!in.ok()) return;
  {
    const std::lock_guard lock(mutex_);
    granted(gate, static_cast<std::int64_t>(wait));
  }
  send_letters();
}

// What is lost of them is said again, or taken for lost.
void Slots::send_letters() {
  std::vector<Letter> letters;
  {
    const std::lock_guard lock(mutex_);
    letters.swap(letters_);
  }
  for (const Letter& letter : letters) static_cast<void>(bus_.publish(letter.to, letter.text).ok());
}

}  // namespace bowerbird
