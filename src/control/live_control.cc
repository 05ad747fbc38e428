#include "control/live_control.h"

namespace bowerbird {

Result<std::unique_ptr<LiveControl>> LiveControl::start(Crawler& crawler) {
  const CrawlOptions& options = crawler.options();
  std::unique_ptr<LiveControl> made(new LiveControl(options.out));
  made->backend_.begin(crawler);
  const std::string socket = options.out + "/" + control_files::kSocket;
  auto server = start_control_server(made->backend_, options.out, options.listen, socket);
  if (!server.ok() && options.listen.address.empty()) {
    // The user did not ask for the socket, so a folder that cannot have one is still usable.
    made->warning_ =
        fmt::format("`bowerbird ctl` and `watch` cannot reach this crawl: {}", server.error().text);
    made->server_ = std::make_unique<ControlServer>();
    made->server_->state = std::make_shared<ServiceState>(made->backend_);
    return made;
  }
  if (!server.ok()) return server.error();
  made->server_ = std::move(*server);
  made->warning_ = made->server_->warning;
  made->server_->state->ready = true;
  const auto state = made->server_->state;
  made->backend_.on_publish([state] {
    if (state->streams.load() > 0 && state->wake) state->wake();
  });
  return made;
}

LiveControl::~LiveControl() {
  server_.reset();
}

CrawlRequest LiveControl::watch(const CrawlStatus& status) {
  return backend_.watch(status);
}

void LiveControl::end(CrawlEnd end, const CrawlStatus& status) {
  backend_.end(end, status);
}

}  // namespace bowerbird
