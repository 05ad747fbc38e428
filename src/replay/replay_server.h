// Serves captures to a browser on the loopback interface: the list of pages on one port, the captured
// pages on another.
//
// Captured pages are untrusted code. They have their own port, and so their own origin. A sandbox policy
// allows no scripts (unless requested) and no loading except from that port. Cookies and other header
// fields of the capture are dropped. Both ports only answer requests for names of this machine. All
// content comes from the archive. Addresses and header fields follow RFC 7089 (Memento). Ownership: the
// library outlives the server. Threads: like Server.
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
  std::uint16_t port = 8701;       // of the list; 0: any free port. Pages get the next port, or any free one
  bool scripts = false;            // allow captured scripts
  bool respect_noarchive = false;  // leave out pages with noarchive
  std::string name;                // shown as the headline
};

// Shared by both services.
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
