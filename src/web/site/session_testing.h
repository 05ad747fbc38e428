// A test Web and the context of a session over it, for tests of sessions without a network.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "web/http/session.h"
#include "web/site/site_service.h"
#include "web/site/web_testing.h"

namespace bowerbird {

class SessionSite {
 public:
  explicit SessionSite(const SiteOptions& options = {}, PageId pages = 20)
      : web_(make_ring(pages)),
        site_(make_site(web_, options)),
        sink_([this](std::string_view lines) { log_text_ += lines; }),
        handler_(service_.make_handler()),
        context_(*handler_, "bowerbird-web", clock_, &sink_) {}

  std::vector<AccessEntry> log() {
    context_.log.flush();
    std::vector<AccessEntry> entries;
    std::string_view rest = log_text_;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      entries.push_back(std::move(parse_access_line(line)).value());
      rest.remove_prefix(line.size() + 1);
    }
    return entries;
  }
  ServeContext& context() { return context_; }

  std::int64_t now = 1'000'000;

 private:
  Web web_;
  std::unique_ptr<Site> site_;
  SiteService service_{*site_};
  ManualClock clock_{1'750'000'000'000'000};
  std::string log_text_;
  AccessSink sink_;
  std::unique_ptr<HttpHandler> handler_;
  ServeContext context_;
};

}  // namespace bowerbird
