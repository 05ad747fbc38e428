// Where the live page is served: the address, its tokens and certificates, checked before anything is opened.
//
// On a loopback address tokens are made when the server starts and kept in the folder, readable by its owner
// only. On any other address the token must be given in a file, and TLS with a certificate is required.
// Threads: any.
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

// Whether these options may be used to listen: every mistake is an error that says what to do.
Status check_listen(const CrawlOptions::Listen& options);

// The host and port in the address of the page: of all addresses of a machine, the first of `names`.
std::string page_host(const ListenAddress& address, std::uint16_t port,
                      const std::vector<std::string>& names);

// A server for the API. folder: where tokens are kept; empty: nowhere. options.address empty: only the Unix
// socket. local_path empty: no Unix socket.
struct ControlServer {
  std::shared_ptr<ServiceState> state;
  std::unique_ptr<Server> server;
  std::shared_ptr<std::atomic<Server*>> running = std::make_shared<std::atomic<Server*>>(nullptr);
  std::string url;      // for people, with the token as its fragment; empty: no port is open
  std::string warning;  // why there is no Unix socket; empty: there is, or none was wanted

  ~ControlServer();
};
Result<std::unique_ptr<ControlServer>> start_control_server(ControlBackend& backend,
                                                            const std::string& folder,
                                                            const CrawlOptions::Listen& options,
                                                            const std::string& local_path);

}  // namespace bowerbird
