// Tells the service manager (systemd) how the process is: ready, stopping, alive.
//
// The protocol of sd_notify(3): one datagram per message to the Unix socket that $NOTIFY_SOCKET names, which
// is a path or, with a leading '@', an abstract name. Without the variable nothing is sent. The watchdog is
// due at half of $WATCHDOG_USEC, if $WATCHDOG_PID is unset or ours. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

class ServiceNotify {
 public:
  // From the environment, whose variables are removed so that children do not use them.
  static ServiceNotify from_environment();
  ServiceNotify(std::string socket, std::int64_t watchdog_us)
      : socket_(std::move(socket)), watchdog_us_(watchdog_us) {}

  bool on() const { return !socket_.empty(); }
  void ready(std::string_view status) { send(std::string("READY=1\nSTATUS=").append(status)); }
  void stopping() { send("STOPPING=1"); }
  // A sentence for `systemctl status`, and the watchdog, each when it is time. Called often, as long as the
  // process works.
  void alive(std::int64_t now_us, std::string_view status);

 private:
  void send(const std::string& text) const;

  std::string socket_;
  std::int64_t watchdog_us_;  // 0: none
  std::int64_t fed_us_ = 0;
  std::int64_t told_us_ = 0;
};

}  // namespace bowerbird
