// The test Web as a service of the HTTP server. Lifetime: the site outlives it. Threads: as HttpService.
#pragma once

#include <memory>

#include "base/result.h"
#include "web/http/handler.h"
#include "web/http/server.h"
#include "web/site/site.h"

namespace bowerbird {

class SiteService final : public HttpService {
 public:
  explicit SiteService(const Site& site) : site_(site) {}
  std::unique_ptr<HttpHandler> make_handler() override;
  CertificateKind certificate(std::string_view host) const override;
  std::string_view server_name() const override { return "bowerbird-web"; }

 private:
  const Site& site_;
  SiteMemory memory_;
};

// Listens and answers from here on.
Result<std::unique_ptr<Server>> serve_site(const Site& site, const ServerOptions& options);

}  // namespace bowerbird
