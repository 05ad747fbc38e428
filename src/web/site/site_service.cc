#include "web/site/site_service.h"

#include "base/hash.h"

namespace bowerbird {

namespace {

class SiteHandler final : public HttpHandler {
 public:
  SiteHandler(const Site& site, SiteMemory& memory) : site_(site), memory_(memory) {}

  void answer(const HttpRequest& request, const Moment& moment, HttpResponse& response) override {
    SiteRequest asked;
    asked.method = request.method;
    asked.https = request.https;
    asked.authority = request.authority;
    asked.target = request.target;
    for (const HttpField& field : request.fields) {
      if (field_is(field.name, "accept-encoding")) {
        asked.codings = accepted_codings(field.value);
      } else if (field_is(field.name, "if-none-match")) {
        asked.if_none_match = field.value;
      } else if (field_is(field.name, "if-modified-since")) {
        asked.if_modified_since = field.value;
      }
    }
    site_.answer(asked, moment, memory_, scratch_, answer_);
    answer_.fault_name = fault_name(answer_.fault);
    std::swap(response, static_cast<HttpResponse&>(answer_));
  }

 private:
  const Site& site_;
  SiteMemory& memory_;
  SiteScratch scratch_;
  SiteAnswer answer_;
};

}  // namespace

std::unique_ptr<HttpHandler> SiteService::make_handler() {
  return std::make_unique<SiteHandler>(site_, memory_);
}

CertificateKind SiteService::certificate(std::string_view host) const {
  return site_.certificate(hash64(host));
}

Result<std::unique_ptr<Server>> serve_site(const Site& site, const ServerOptions& options) {
  return Server::start(std::make_shared<SiteService>(site), options);
}

}  // namespace bowerbird
