#include "crawl/loop/host_failures.h"

namespace bowerbird {

void HostFailures::failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now) {
  if (rule_of(outcome).blame != Blame::kHost) return;
  Host& host = state_.hosts()[id];
  ++host.failures;
  host.trouble = outcome;
  last_ = host_trouble_text(host);
  state_.hosts().mark_changed(id);
  if (host.failures >= kHostFailures || outcome == Outcome::kRefusedAddress) {
    close(id, HostEnd::kUnreachable);
  } else {
    const Time until = now + wait_after(outcome, host.failures, retry_after);
    state_.hosts().back_off(id, until);
    if (until >= waits_until_) {
      waits_until_ = until;
      waiting_ = last_;
    }
  }
  state_.open_gate(id, now);
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
