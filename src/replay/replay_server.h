// A capture on the loopback interface, for a browser: the list of pages on one port, the captured pages on
// another.
//
// Captured pages are strangers' code. They have a port, and so an origin, of their own; their policy is a
// sandbox that runs no script (unless asked for), and lets nothing be loaded but from that port; cookies and
// other fields of the capture are not passed on. Both ports answer only requests for names of this machine.
// Everything shown comes from the archive. Addresses and fields follow RFC 7089 (Memento). Ownership: the
// library outlives the server. Threads: as Server.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "archive/capture_library.h"
#include "base/result.h"
#include "web/http/server.h"

namespace bowerbird {

struct ReplayOptions {
  std::string host = "127.0.0.1";  // a loopback address
  std::uint16_t port = 8701;       // of the list; 0: any free one. Pages get the next one, or any free one
  bool scripts = false;            // captured scripts run
  bool respect_noarchive = false;  // pages that say noarchive are left out
  std::string name;                // what is shown, for the headline
};

// What both services know.
struct ReplayContext {
  const CaptureLibrary& library;
  ReplayOptions options;
  std::atomic<std::uint16_t> list_port{0};
  std::atomic<std::uint16_t> page_port{0};

  std::string list_url(std::string_view authority) const;
  std::string page_origin(std::string_view authority) const;
  // The same for a content security policy, which cannot name IPv6 addresses (CSP 3, section 2.3.1).
  std::string page_source(std::string_view authority) const;
};

std::shared_ptr<HttpService> make_list_service(std::shared_ptr<const ReplayContext> context);
std::shared_ptr<HttpService> make_page_service(std::shared_ptr<const ReplayContext> context);

class ReplayServer {
 public:
  static Result<std::unique_ptr<ReplayServer>> start(const CaptureLibrary& library,
                                                     const ReplayOptions& options);

  // "http://127.0.0.1:8701/"
  std::string url() const;
  std::uint16_t list_port() const { return list_->port(); }
  std::uint16_t page_port() const { return pages_->port(); }
  void stop();

 private:
  ReplayServer() = default;

  std::shared_ptr<ReplayContext> context_;
  std::unique_ptr<Server> list_;
  std::unique_ptr<Server> pages_;
};

}  // namespace bowerbird
