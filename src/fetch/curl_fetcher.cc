#include "fetch/curl_fetcher.h"

#include <charconv>

#include "fetch/coding.h"
#include "fetch/curl_transfer.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostSpare = 4096;

Status start_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_ALL);
  if (code != CURLE_OK) return error("cannot start libcurl: {}", curl_easy_strerror(code));
  return {};
}

// "address,address"
std::string address_list(const Resolution& resolution) {
  std::string list;
  for (const NetAddress& address : resolution.addresses) {
    if (!list.empty()) list += ',';
    list += address.host();
  }
  return list;
}

}  // namespace

class CurlFetcher::Timer final : public EventLoop::Handler {
 public:
  explicit Timer(CurlFetcher& fetcher) : fetcher_(fetcher) {}
  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    int running = 0;
    curl_multi_socket_action(fetcher_.multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }

 private:
  CurlFetcher& fetcher_;
};

CurlFetcher::CurlFetcher(CurlFetcherOptions options) : options_(std::move(options)) {
  const auto add = [this](std::string_view name, std::string_view value) {
    if (!value.empty()) common_request_.append(name).append(": ").append(value).append("\r\n");
  };
  add("User-Agent", options_.user_agent);
  add("Accept", options_.accept);
  add("Accept-Encoding", kAcceptedCodings);
  add("Accept-Language", options_.accept_language);
}

Result<std::unique_ptr<CurlFetcher>> CurlFetcher::make(CurlFetcherOptions options) {
  std::unique_ptr<CurlFetcher> fetcher(new CurlFetcher(std::move(options)));
  BB_TRY_VOID(fetcher->open());
  return fetcher;
}

Status CurlFetcher::open() {
  BB_TRY_VOID(start_curl());
  BB_TRY(loop_, EventLoop::create());
  sockets_ = std::make_unique<CurlSockets>(*loop_);
  BB_TRY(resolver_, Resolver::make(*loop_, options_.resolver));
  timer_ = std::make_unique<Timer>(*this);
  multi_ = curl_multi_init();
  if (multi_ == nullptr) return error("cannot start libcurl: out of memory");
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timeout);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, long{CURLPIPE_NOTHING});
  // Never reached: transfers close their connections themselves where there are enough (new_transfer).
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 1'000'000L);
  // Where every connection goes is our own doing if it is an address: libcurl's way looks at every open
  // connection for each request, since to it they are all to one host.
  const std::string_view target = options_.connect_to;
  if (const auto address = NetAddress::parse(target.substr(0, target.rfind(':')))) {
    unsigned port = 0;
    const std::string_view digits = target.substr(target.rfind(':') + 1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), port).ec != std::errc() || port > 65535)
      return error("'{}' is no address with a port", options_.connect_to);
    detour_ = Detour{*address, static_cast<std::uint16_t>(port)};
  } else if (!target.empty()) {
    connect_to_ = curl_slist_append(nullptr, ("::" + options_.connect_to).c_str());
  }
  return {};
}

CurlFetcher::~CurlFetcher() {
  if (multi_ == nullptr) return;
  cancel_all();
  resolver_.reset();
  spare_.clear();
  curl_multi_cleanup(multi_);
  curl_slist_free_all(connect_to_);
  loop_->clear_timer(*timer_);
}

// ---- starting

void CurlFetcher::start(FetchRequest request) {
  std::unique_ptr<Transfer> transfer = new_transfer();
  transfer->prepare(std::move(request));
  transfer->outcome.started_us = MonotonicClock().now_us();
  ++active_;
  const UrlFault fault = parse_url(transfer->request.url, nullptr, transfer->url);
  if (fault != UrlFault::kNone) {
    finish(std::move(transfer), FetchEnd::kMalformed, "this is no URL");
    return;
  }
  if (detour_ && options_.proxy.empty()) {
    resolved(std::move(transfer), {ResolveStatus::kFound, {detour_->address}, 0});
    return;
  }
  if (!options_.connect_to.empty() || !options_.proxy.empty()) {
    if (transfer->request.resolve_only) {
      finish(std::move(transfer), FetchEnd::kResolved, {});
    } else {
      begin(std::move(transfer));
    }
    return;
  }
  const std::string name(transfer->url.hostname());
  // The resolver's answer owns the transfer while it waits; std::function wants to be copied.
  auto shared = std::make_shared<std::unique_ptr<Transfer>>(std::move(transfer));
  resolver_->resolve(name, [this, shared, era = era_](const Resolution& resolution) {
    if (era == era_) resolved(std::move(*shared), resolution);
  });
}

void CurlFetcher::resolved(std::unique_ptr<Transfer> transfer, const Resolution& resolution) {
  if (resolution.status != ResolveStatus::kFound) {
    const bool none = resolution.status == ResolveStatus::kNoSuchName;
    finish(std::move(transfer), none ? FetchEnd::kNoSuchName : FetchEnd::kDnsFailed,
           none ? "the DNS knows no such name" : "the DNS does not answer");
    return;
  }
  transfer->outcome.address = resolution.addresses.front();
  if (transfer->request.resolve_only) {
    finish(std::move(transfer), FetchEnd::kResolved, {});
    return;
  }
  // An address libcurl reads itself.
  const bool name = !NetAddress::parse(transfer->url.hostname());
  transfer->tell_addresses(name ? address_list(resolution) : "");
  begin(std::move(transfer));
}

void CurlFetcher::begin(std::unique_ptr<Transfer> transfer) {
  Transfer* const key = transfer.get();
  key->outcome.started_us = MonotonicClock().now_us();
  running_.emplace(key, std::move(transfer));
  if (const CURLMcode code = curl_multi_add_handle(multi_, key->handle()); code != CURLM_OK) {
    std::unique_ptr<Transfer> failed = std::move(running_.extract(key).mapped());
    finish(std::move(failed), FetchEnd::kInternal, curl_multi_strerror(code));
  }
}

// libcurl (7.88) keeps a record of every host for which it has ever put an idle connection out of the way,
// and goes through all of them for every page. So that it never has to, a transfer keeps its connection only
// where there is room, and idle ones go when they are old.
std::unique_ptr<CurlFetcher::Transfer> CurlFetcher::new_transfer() {
  std::unique_ptr<Transfer> transfer;
  if (spare_.empty()) {
    transfer = std::make_unique<Transfer>(options_, connect_to_, detour_, *sockets_, room_);
  } else {
    transfer = std::move(spare_.back());
    spare_.pop_back();
  }
  transfer->keep_connection(sockets_->open_now() < options_.idle_connections);
  return transfer;
}

// ---- running

void CurlFetcher::poll(std::vector<FetchOutcome>& done, int wait_ms) {
  loop_->step(done_.empty() ? wait_ms : 0);
  finish_done();
  for (Transfer* transfer : room_.take_resumed()) transfer->resume();
  for (FetchOutcome& outcome : done_) done.push_back(std::move(outcome));
  done_.clear();
}

void CurlFetcher::finish_done() {
  int left = 0;
  while (CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const handle = message->easy_handle;
    const CURLcode code = message->data.result;
    char* pointer = nullptr;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &pointer);
    auto* const key = reinterpret_cast<Transfer*>(pointer);
    std::unique_ptr<Transfer> transfer = std::move(running_.extract(key).mapped());
    transfer->gather(code);
    curl_multi_remove_handle(multi_, handle);
    if (transfer->outcome.end == FetchEnd::kNoConnection) {
      resolver_->forget(std::string(transfer->url.hostname()));
    }
    const FetchEnd end = transfer->outcome.end;
    std::string trouble = std::move(transfer->outcome.trouble);
    finish(std::move(transfer), end, std::move(trouble));
  }
}

void CurlFetcher::finish(std::unique_ptr<Transfer> transfer, FetchEnd end, std::string trouble) {
  room_.leave(transfer.get(), transfer->outcome.body.size());
  transfer->outcome.end = end;
  transfer->outcome.trouble = std::move(trouble);
  transfer->outcome.ended_us = MonotonicClock().now_us();
  done_.push_back(std::move(transfer->outcome));
  --active_;
  if (spare_.size() < kMostSpare) spare_.push_back(std::move(transfer));
}

void CurlFetcher::cancel_all() {
  ++era_;
  for (auto& [key, transfer] : running_) curl_multi_remove_handle(multi_, key->handle());
  running_.clear();
  room_.clear();
  done_.clear();
  active_ = 0;
}

int CurlFetcher::on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  auto* const fetcher = static_cast<CurlFetcher*>(self);
  return fetcher->sockets_->want(fetcher->multi_, fd, what) ? 0 : -1;
}

int CurlFetcher::on_timeout(CURLM*, long ms, void* self) {
  auto* const fetcher = static_cast<CurlFetcher*>(self);
  if (ms < 0) {
    fetcher->loop_->clear_timer(*fetcher->timer_);
  } else {
    fetcher->loop_->set_timer(*fetcher->timer_, MonotonicClock().now_us() + ms * 1000);
  }
  return 0;
}

std::string CurlFetcher::request_text(const FetchRequest& request) const {
  Url url;
  if (parse_url(request.url, nullptr, url) != UrlFault::kNone) return {};
  std::string text;
  text.reserve(url.text().size() + common_request_.size() + request.fields.size() + 32);
  text.append("GET ").append(url.target()).append(" HTTP/1.1\r\nHost: ").append(url.host()).append("\r\n");
  return text.append(common_request_).append(request.fields).append("\r\n");
}

}  // namespace bowerbird
