// How long-running work reports its progress to the caller, and how the caller stops it.
//
// Library code calls tick() now and then (thousands of times per run, not millions); it never prints. The
// default Progress is silent and never stops. Called from one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace bowerbird {

class Progress {
 public:
  // what: "reading", "iteration 12, change 3.1e-07" ...; total 0 = unknown. Returns false to ask the work to
  // stop.
  using Callback = std::function<bool(std::string_view what, std::uint64_t done, std::uint64_t total)>;

  Progress() = default;
  explicit Progress(Callback callback) : callback_(std::move(callback)) {}

  bool tick(std::string_view what, std::uint64_t done, std::uint64_t total) const {
    return !callback_ || callback_(what, done, total);
  }

 private:
  Callback callback_;
};

}  // namespace bowerbird
