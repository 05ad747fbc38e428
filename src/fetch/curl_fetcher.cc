#include "fetch/curl_fetcher.h"

#include <algorithm>
#include <charconv>

#include "base/keyed_hash.h"
#include "fetch/curl_transfer.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostSpare = 256;  // per shard
constexpr std::size_t kMostKept = 1024;  // libcurl scans all of them whenever one has to be closed
constexpr std::int64_t kDetourUs = 3'600'000'000;

Status start_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_ALL);
  if (code != CURLE_OK) return error("cannot start libcurl: {}", curl_easy_strerror(code));
  return {};
}

// "address,address"
std::string address_list(const std::vector<NetAddress>& addresses) {
  std::string list;
  for (const NetAddress& address : addresses) {
    if (!list.empty()) list += ',';
    list += address.host();
  }
  return list;
}

}  // namespace

// One of several multi handles. libcurl (7.88) scans the open connections of a multi handle when a
// transfer is removed from it, so hosts are divided among a few. An easy handle always uses the same
// multi handle: addresses it has set there must be removed by it.
class CurlFetcher::Shard final : public EventLoop::Handler {
 public:
  Shard(EventLoop& loop, CurlSockets& sockets) : loop_(loop), sockets_(sockets), multi_(curl_multi_init()) {
    if (multi_ == nullptr) return;
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timeout);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, long{CURLPIPE_NOTHING});
    // Never reached: new_transfer() limits the number of connections that are kept.
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 1'000'000L);
  }
  ~Shard() override {
    spare.clear();
    curl_multi_cleanup(multi_);
    loop_.clear_timer(*this);
  }
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  std::vector<std::unique_ptr<Transfer>> spare;

  CURLM* multi() const { return multi_; }
  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    int running = 0;
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }

 private:
  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    auto* const shard = static_cast<Shard*>(self);
    return shard->sockets_.want(shard->multi_, fd, what) ? 0 : -1;
  }
  static int on_timeout(CURLM*, long ms, void* self) {
    auto* const shard = static_cast<Shard*>(self);
    if (ms < 0) {
      shard->loop_.clear_timer(*shard);
    } else {
      shard->loop_.set_timer(*shard, MonotonicClock().now_us() + ms * 1000);
    }
    return 0;
  }

  EventLoop& loop_;
  CurlSockets& sockets_;
  CURLM* multi_;
};

CurlFetcher::CurlFetcher(FetcherOptions options) : options_(std::move(options)), text_(options_) {}

Result<std::unique_ptr<CurlFetcher>> CurlFetcher::make(FetcherOptions options) {
  std::unique_ptr<CurlFetcher> fetcher(new CurlFetcher(std::move(options)));
  BB_TRY_VOID(fetcher->open());
  return fetcher;
}

Status CurlFetcher::open() {
  BB_TRY_VOID(start_curl());
  BB_TRY(loop_, EventLoop::create());
  sockets_ = std::make_unique<CurlSockets>(*loop_);
  BB_TRY(resolver_, Resolver::make(*loop_, options_.resolver));
  for (std::unique_ptr<Shard>& shard : shards_) {
    shard = std::make_unique<Shard>(*loop_, *sockets_);
    if (shard->multi() == nullptr) return error("cannot start libcurl: out of memory");
  }
  // If every connection goes to one address, we redirect it ourselves: libcurl's own option scans all
  // open connections for each request, since they all have the same host.
  const std::string_view target = options_.connect_to;
  if (const auto address = NetAddress::parse(target.substr(0, target.rfind(':')))) {
    unsigned port = 0;
    const std::string_view digits = target.substr(target.rfind(':') + 1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), port).ec != std::errc() || port > 65535)
      return error("'{}' is not an address with a port", options_.connect_to);
    detour_ = Detour{*address, static_cast<std::uint16_t>(port)};
  } else if (!target.empty()) {
    connect_to_ = curl_slist_append(nullptr, ("::" + options_.connect_to).c_str());
  }
  return {};
}

CurlFetcher::~CurlFetcher() {
  cancel_all();
  resolver_.reset();
  for (std::unique_ptr<Shard>& shard : shards_) shard.reset();
  curl_slist_free_all(connect_to_);
}

// ---- starting

void CurlFetcher::start(FetchRequest request) {
  const UrlFault fault = parse_url(request.url, nullptr, url_);
  std::unique_ptr<Transfer> transfer = new_transfer(fault == UrlFault::kNone ? shard_of(url_) : *shards_[0]);
  std::swap(transfer->url, url_);
  transfer->prepare(std::move(request));
  transfer->outcome.started_us = MonotonicClock().now_us();
  ++active_;
  if (fault != UrlFault::kNone) {
    finish(std::move(transfer), FetchEnd::kMalformed, "not a URL");
    return;
  }
  // A proxy resolves names, but we can still refuse IP addresses.
  if (!options_.proxy.empty() && options_.filter.refuses_host(transfer->url.hostname())) {
    std::string trouble = refusal_text(transfer->url.hostname());
    finish(std::move(transfer), FetchEnd::kRefused, std::move(trouble));
    return;
  }
  if (detour_ && options_.proxy.empty()) {
    resolved(std::move(transfer),
             {ResolveStatus::kFound, {detour_->address}, MonotonicClock().now_us() + kDetourUs});
  } else if (!options_.connect_to.empty() || !options_.proxy.empty()) {
    if (transfer->request.resolve_only) {
      finish(std::move(transfer), FetchEnd::kResolved, {});
    } else {
      begin(std::move(transfer));
    }
  } else if (!transfer->request.addresses.empty()) {
    const std::vector<NetAddress> addresses = transfer->request.addresses;
    resolved(std::move(transfer), {ResolveStatus::kFound, addresses, 0});
  } else {
    look_up(std::move(transfer));
  }
}

// resolving_ owns the transfer while it waits. The answer may come at once, or after the transfer was
// cancelled.
void CurlFetcher::look_up(std::unique_ptr<Transfer> transfer) {
  const std::uint64_t id = transfer->request.id;
  const std::string name(transfer->url.hostname());
  Transfer* const key = transfer.get();
  resolving_[id] = std::move(transfer);
  resolver_->resolve(name, [this, id, key](const Resolution& resolution) {
    const auto found = resolving_.find(id);
    if (found == resolving_.end() || found->second.get() != key) return;
    std::unique_ptr<Transfer> waiting = std::move(resolving_.extract(found).mapped());
    resolved(std::move(waiting), resolution);
  });
}

void CurlFetcher::resolved(std::unique_ptr<Transfer> transfer, const Resolution& resolution) {
  if (resolution.status != ResolveStatus::kFound) {
    const bool none = resolution.status == ResolveStatus::kNoSuchName;
    finish(std::move(transfer), none ? FetchEnd::kNoSuchName : FetchEnd::kDnsFailed,
           none ? "no such host" : "DNS did not answer");
    return;
  }
  std::vector<NetAddress> addresses = resolution.addresses;
  addresses.resize(std::min(addresses.size(), kMostHostAddresses));
  transfer->outcome.address = addresses.front();
  if (transfer->request.resolve_only) {
    transfer->outcome.other_addresses.assign(addresses.begin() + 1, addresses.end());
    transfer->outcome.addresses_until_us = resolution.until_us;
    finish(std::move(transfer), FetchEnd::kResolved, {});
    return;
  }
  // libcurl parses an IP address itself.
  const bool name = !NetAddress::parse(transfer->url.hostname());
  transfer->tell_addresses(name ? address_list(addresses) : "");
  begin(std::move(transfer));
}

void CurlFetcher::begin(std::unique_ptr<Transfer> transfer) {
  Transfer* const key = transfer.get();
  key->outcome.started_us = MonotonicClock().now_us();
  running_.emplace(key, std::move(transfer));
  if (const CURLMcode code = curl_multi_add_handle(key->shard->multi(), key->handle()); code != CURLM_OK) {
    std::unique_ptr<Transfer> failed = std::move(running_.extract(key).mapped());
    finish(std::move(failed), FetchEnd::kInternal, curl_multi_strerror(code));
  }
}

// All transfers to a host use the same shard, so that they share connections. With a proxy, all go to one
// host.
CurlFetcher::Shard& CurlFetcher::shard_of(const Url& url) const {
  return *shards_[options_.proxy.empty() ? keyed_hash(url.hostname()) % kShards : 0];
}

// libcurl (7.88) keeps a record of every host to which it has closed an idle connection, and scans all
// records for every page. So libcurl must not close any: a transfer keeps its connection only if there is
// room, and old idle connections are closed by their age.
std::unique_ptr<CurlFetcher::Transfer> CurlFetcher::new_transfer(Shard& shard) {
  std::unique_ptr<Transfer> transfer;
  if (shard.spare.empty()) {
    transfer = std::make_unique<Transfer>(options_, connect_to_, detour_, *sockets_, room_);
    transfer->shard = &shard;
  } else {
    transfer = std::move(shard.spare.back());
    shard.spare.pop_back();
  }
  transfer->keep_connection(sockets_->open_now() < std::min(options_.idle_connections, kMostKept));
  return transfer;
}

// ---- running

void CurlFetcher::poll(std::vector<FetchOutcome>& done, int wait_ms) {
  loop_->step(done_.empty() ? wait_ms : 0);
  finish_done();
  const std::int64_t now = MonotonicClock().now_us();
  for (Transfer* transfer : room_.take_slow(now)) cancel(transfer->request.id);
  for (Transfer* transfer : room_.take_resumed(now)) transfer->resume();
  for (FetchOutcome& outcome : done_) done.push_back(std::move(outcome));
  done_.clear();
}

void CurlFetcher::finish_done() {
  for (const std::unique_ptr<Shard>& shard : shards_) finish_done(shard->multi());
}

void CurlFetcher::finish_done(CURLM* multi) {
  int left = 0;
  while (CURLMsg* const message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const handle = message->easy_handle;
    const CURLcode code = message->data.result;
    char* pointer = nullptr;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &pointer);
    auto* const key = reinterpret_cast<Transfer*>(pointer);
    std::unique_ptr<Transfer> transfer = std::move(running_.extract(key).mapped());
    transfer->gather(code);
    curl_multi_remove_handle(multi, handle);
    if (transfer->outcome.end == FetchEnd::kNoConnection) {
      resolver_->forget(std::string(transfer->url.hostname()));
    }
    const FetchEnd end = transfer->outcome.end;
    std::string trouble = std::move(transfer->outcome.trouble);
    finish(std::move(transfer), end, std::move(trouble));
  }
}

void CurlFetcher::finish(std::unique_ptr<Transfer> transfer, FetchEnd end, std::string trouble) {
  room_.leave(transfer.get());
  transfer->outcome.end = end;
  transfer->outcome.trouble = std::move(trouble);
  transfer->outcome.ended_us = MonotonicClock().now_us();
  done_.push_back(std::move(transfer->outcome));
  --active_;
  std::vector<std::unique_ptr<Transfer>>& spare = transfer->shard->spare;
  if (spare.size() < kMostSpare) spare.push_back(std::move(transfer));
}

void CurlFetcher::cancel(std::uint64_t id) {
  constexpr const char* kWhy = "cancelled because it was much slower than others";
  if (const auto found = resolving_.find(id); found != resolving_.end()) {
    std::unique_ptr<Transfer> transfer = std::move(resolving_.extract(found).mapped());
    finish(std::move(transfer), FetchEnd::kDnsFailed, kWhy);
    return;
  }
  const auto found =
      std::ranges::find_if(running_, [id](const auto& running) { return running.first->request.id == id; });
  if (found == running_.end()) return;
  std::unique_ptr<Transfer> transfer = std::move(running_.extract(found).mapped());
  curl_multi_remove_handle(transfer->shard->multi(), transfer->handle());
  finish(std::move(transfer), FetchEnd::kTimedOut, kWhy);
}

void CurlFetcher::cancel_all() {
  resolving_.clear();
  for (auto& [key, transfer] : running_) curl_multi_remove_handle(key->shard->multi(), key->handle());
  running_.clear();
  room_.clear();
  done_.clear();
  active_ = 0;
}

}  // namespace bowerbird
