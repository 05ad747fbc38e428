// The server of the live page: its address, tokens and certificates are checked before anything is
// opened.
//
// On a loopback address tokens are generated at the start and kept in the folder, readable by the owner
// only. On any other address a token file and TLS with a certificate are required. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/access.h"
#include "control/service.h"
#include "crawl/config/options.h"
#include "sys/listen_address.h"
#include "web/http/server.h"

namespace bowerbird {

namespace control_files {
inline constexpr char kSocket[] = "control.sock";
inline constexpr char kToken[] = "control.token";
inline constexpr char kReadToken[] = "control.read-token";
}  // namespace control_files

// Checks the options, and that tokens, certificate and key can be read. The error says what to do.
Status check_listen(const CrawlOptions::Listen& options);
// Without the files.
Status check_listen_options(const CrawlOptions::Listen& options);

// The host and port in the address of the page: of all addresses of a machine, the first of `names`.
std::string page_host(const ListenAddress& address, std::uint16_t port,
                      const std::vector<std::string>& names);

// A server for the API. folder: where tokens are kept; empty: nowhere. If options.address is empty, only
// the Unix socket is served. If local_path is empty, there is no Unix socket.
struct ControlServer {
  std::shared_ptr<ServiceState> state;
  std::unique_ptr<Server> server;
  std::shared_ptr<std::atomic<Server*>> running = std::make_shared<std::atomic<Server*>>(nullptr);
  std::string url;      // shown to the user, with the token as its fragment; empty: no port is open
  std::string warning;  // why there is no Unix socket; empty: there is one, or none was requested

  ~ControlServer();
};
Result<std::unique_ptr<ControlServer>> start_control_server(ControlBackend& backend,
                                                            const std::string& folder,
                                                            const CrawlOptions::Listen& options,
                                                            const std::string& local_path);

}  // namespace bowerbird
