// The live page and its API over HTTP, as described by openapi.json (src/dash/assets/live).
//
// The files of the page contain no data and need no token. GET changes nothing; changes are POST requests
// with a JSON object. What is not available at once is a PendingResponse, so that no thread waits.
// Lifetime: the backend outlives the service. Threads: like an HttpService.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "control/access.h"
#include "control/backend.h"
#include "web/http/handler.h"

namespace bowerbird {

// Shared by the service and its handlers. The server has one thread.
struct ServiceState {
  ControlBackend& backend;
  AccessRules access;
  std::function<void()> wake;                // wakes the server; set before requests are accepted
  std::function<void(std::uint16_t)> bound;  // may be empty
  std::atomic<bool> ready{false};
  std::atomic<bool> closing{false};
  std::atomic<std::uint64_t> streams{0};
  std::atomic<std::uint64_t> pending{0};
  std::array<std::atomic<std::uint64_t>, 6> codes{};
  std::int64_t process_start_ms = 0;

  explicit ServiceState(ControlBackend& b) : backend(b) {}
  // The Status of the latest snapshot, formatted once for all streams; empty: none is known yet. From the
  // server's thread only.
  const std::string& status_text();

 private:
  std::shared_ptr<const LiveSnapshot> rendered_for_;
  std::string rendered_;
};

class ControlService final : public HttpService {
 public:
  static constexpr std::size_t kLargestBody = std::size_t{1} << 20;
  static constexpr std::uint64_t kMostStreams = 256;
  static constexpr std::uint64_t kMostPending = 64;

  explicit ControlService(std::shared_ptr<ServiceState> state) : state_(std::move(state)) {}
  std::unique_ptr<HttpHandler> make_handler() override;
  void on_bound(std::uint16_t port) override {
    if (state_->bound) state_->bound(port);
  }
  std::size_t largest_body() const override { return kLargestBody; }

 private:
  std::shared_ptr<ServiceState> state_;
};

}  // namespace bowerbird
