#include "crawl/loop/host_failures.h"

namespace bowerbird {

void HostFailures::note(HostId id, Outcome outcome) {
  Host& host = state_.hosts()[id];
  ++host.failures;
  host.trouble = outcome;
  last_ = host_trouble_text(host);
  state_.hosts().mark_changed(id);
}

void HostFailures::wait_until(HostId id, Time until) {
  state_.hosts().back_off(id, until);
  if (until < waits_until_) return;
  waits_until_ = until;
  waiting_ = last_;
}

void HostFailures::failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now) {
  if (rule_of(outcome).blame != Blame::kHost) return;
  note(id, outcome);
  const std::uint32_t failures = state_.hosts()[id].failures;
  if (failures >= kHostFailures || outcome == Outcome::kRefusedAddress) {
    close(id, HostEnd::kUnreachable);
  } else {
    wait_until(id, now + wait_after(outcome, failures, retry_after));
  }
  state_.open_gate(id, now);
}

void HostFailures::robots_failed(HostId id, Outcome outcome, Time until) {
  note(id, outcome);
  wait_until(id, until);
}

void HostFailures::reopen(HostId id) {
  Host& host = state_.hosts()[id];
  if (host.closed != 0 && closed_[host.closed] > 0) --closed_[host.closed];
  if (host.closed != 0) std::erase(examples_[host.closed], id);
  host.closed = 0;
  host.failures = 0;
  state_.hosts().mark_changed(id);
}

void HostFailures::close(HostId id, HostEnd end) {
  Host& host = state_.hosts()[id];
  if (host.closed == 0) ++closed_[static_cast<std::size_t>(end)];
  if (auto& some = examples_[static_cast<std::size_t>(end)]; host.closed == 0 && some.size() < kExamples)
    some.push_back(id);
  host.closed = static_cast<std::uint8_t>(end);
}

}  // namespace bowerbird
