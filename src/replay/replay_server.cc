#include "replay/replay_server.h"

#include "replay/our_page.h"

namespace bowerbird {

namespace {

std::string url_host(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

Result<std::unique_ptr<Server>> start_on(std::shared_ptr<HttpService> service, const std::string& host,
                                         std::uint16_t port) {
  ServerOptions options;
  options.addresses = {host};
  options.port = port;
  options.http2 = false;  // browsers only use it with TLS, and it does not support streams here
  return Server::start(std::move(service), options);
}

}  // namespace

std::string ReplayContext::list_url(std::string_view authority) const {
  return fmt::format("http://{}:{}/", host_of_authority(authority), list_port.load());
}

std::string ReplayContext::page_origin(std::string_view authority) const {
  return fmt::format("http://{}:{}", host_of_authority(authority), page_port.load());
}

std::string ReplayContext::page_source(std::string_view authority) const {
  return host_of_authority(authority).starts_with('[') ? "'self'" : page_origin(authority);
}

Result<std::unique_ptr<ReplayServer>> ReplayServer::start(const CaptureLibrary& library,
                                                          const ReplayOptions& options) {
  if (!Server::check_address(options.host, false).ok())
    return error("'{}' is not a loopback address such as 127.0.0.1", options.host);
  std::unique_ptr<ReplayServer> server(new ReplayServer());
  server->context_ = std::shared_ptr<ReplayContext>(new ReplayContext{library, options});
  BB_TRY(server->list_, start_on(make_list_service(server->context_), options.host, options.port));
  const std::uint16_t port = server->list_->port();
  auto pages = start_on(make_page_service(server->context_), options.host,
                        options.port == 0 || port == 65'535 ? 0 : static_cast<std::uint16_t>(port + 1));
  if (!pages.ok()) pages = start_on(make_page_service(server->context_), options.host, 0);
  BB_TRY(server->pages_, std::move(pages));
  server->context_->list_port = port;
  server->context_->page_port = server->pages_->port();
  return server;
}

std::string ReplayServer::url() const {
  return fmt::format("http://{}:{}/", url_host(context_->options.host), list_->port());
}

void ReplayServer::stop() {
  list_->stop();
  pages_->stop();
}

}  // namespace bowerbird
