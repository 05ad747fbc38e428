#include "fetch/http_fetcher.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostLastAddresses = 50'000;
constexpr std::int64_t kHour = 3'600'000'000;
constexpr std::int64_t kSweepUs = 1'000'000;
constexpr std::size_t kBuffer = 32 << 10;

}  // namespace

class HttpFetcher::Sweeper final : public EventLoop::Handler {
 public:
  Sweeper(EventLoop& loop, IdleConnections& idle) : loop_(loop), idle_(idle) {
    loop_.set_timer(*this, loop_.now_us() + kSweepUs);
  }
  ~Sweeper() override { loop_.clear_timer(*this); }
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    idle_.expire(loop_.now_us());
    loop_.set_timer(*this, loop_.now_us() + kSweepUs);
  }

 private:
  EventLoop& loop_;
  IdleConnections& idle_;
};

HttpFetcher::HttpFetcher(FetcherOptions options)
    : options_(std::move(options)),
      text_(options_),
      too_late_([this](HttpExchange& exchange, const char* why) { too_late(exchange, why); }),
      idle_({options_.idle_connections, options_.idle_bytes, options_.idle_s * 1'000'000},
            [this](ClientConnection& connection) { close(connection); }),
      buffer_(kBuffer) {}

Result<std::unique_ptr<HttpFetcher>> HttpFetcher::make(FetcherOptions options,
                                                       std::shared_ptr<TlsClient> tls) {
  std::unique_ptr<HttpFetcher> fetcher(new HttpFetcher(std::move(options)));
  fetcher->tls_ = std::move(tls);
  BB_TRY_VOID(fetcher->open());
  return fetcher;
}

Result<std::unique_ptr<TlsClient>> HttpFetcher::make_tls(const FetcherOptions& options) {
  TlsOptions tls;
  tls.certificates = options.certificates;
  tls.crl = options.crl;
  tls.record = options.record_certificate_errors;
  return TlsClient::make(tls);
}

Status HttpFetcher::open() {
  BB_TRY(loop_, EventLoop::create());
  BB_TRY(resolver_, Resolver::make(*loop_, options_.resolver));
  if (tls_ == nullptr) {
    BB_TRY(tls_, make_tls(options_));
  }
  sweeper_ = std::make_unique<Sweeper>(*loop_, idle_);
  return read_detour();
}

Status HttpFetcher::read_detour() {
  const std::string_view target = options_.connect_to;
  if (target.empty()) return {};
  const std::size_t colon = target.rfind(':');
  unsigned port = 0;
  const std::string_view digits = target.substr(colon + 1);
  if (colon == target.npos ||
      std::from_chars(digits.data(), digits.data() + digits.size(), port).ec != std::errc() || port == 0 ||
      port > 65535) {
    return error("'{}' is not an address with a port", options_.connect_to);
  }
  detour_ = Detour{std::string(target.substr(0, colon)), static_cast<std::uint16_t>(port)};
  return {};
}

HttpFetcher::~HttpFetcher() {
  cancel_all();
  resolver_.reset();
  idle_.close_all();
  connections_.clear();
}

// ---- starting

void HttpFetcher::start(FetchRequest request) {
  auto owned = std::make_unique<HttpExchange>(options_, room_, *loop_, too_late_);
  HttpExchange& exchange = *owned;
  exchanges_.emplace(&exchange, std::move(owned));
  exchange.serial = ++started_;
  exchange.request = std::move(request);
  exchange.outcome.id = exchange.request.id;
  exchange.outcome.started_us = MonotonicClock().now_us();
  if (parse_url(exchange.request.url, nullptr, exchange.url) != UrlFault::kNone) {
    finish(exchange, FetchEnd::kMalformed, "not a URL");
  } else if (!detour_ && !exchange.request.addresses.empty()) {
    resolved(exchange, {ResolveStatus::kFound, exchange.request.addresses, 0});
  } else {
    look_up(exchange);
  }
}

// The answer may come at once, or after the exchange was cancelled.
void HttpFetcher::look_up(HttpExchange& exchange) {
  const std::string name(detour_ ? detour_->name : exchange.url.hostname());
  resolver_->resolve(name, [this, key = &exchange, serial = exchange.serial](const Resolution& resolution) {
    if (exchanges_.contains(key) && key->serial == serial) resolved(*key, resolution);
  });
}

void HttpFetcher::resolved(HttpExchange& exchange, const Resolution& resolution) {
  if (resolution.status != ResolveStatus::kFound) {
    const bool none = resolution.status == ResolveStatus::kNoSuchName;
    finish(exchange, none ? FetchEnd::kNoSuchName : FetchEnd::kDnsFailed,
           none ? "no such host" : "DNS did not answer");
    return;
  }
  std::vector<NetAddress> addresses = resolution.addresses;
  addresses.resize(std::min(addresses.size(), kMostHostAddresses));
  exchange.outcome.address = addresses.front();
  if (exchange.request.resolve_only) {
    exchange.outcome.other_addresses.assign(addresses.begin() + 1, addresses.end());
    exchange.outcome.addresses_until_us = detour_ ? MonotonicClock().now_us() + kHour : resolution.until_us;
    finish(exchange, FetchEnd::kResolved, {});
    return;
  }
  std::erase_if(addresses, [this](const NetAddress& one) { return !options_.filter.admits(one); });
  if (addresses.empty()) {
    std::string trouble = refusal_text(exchange.outcome.address->text());
    finish(exchange, FetchEnd::kRefused, std::move(trouble));
    return;
  }
  exchange.addresses = std::move(addresses);
  exchange.begin(MonotonicClock().now_us());
  find_connection(exchange);
}

void HttpFetcher::find_connection(HttpExchange& exchange) {
  ClientConnection* kept = nullptr;
  if (!exchange.request.new_connection && !exchange.http1_only) {
    const std::string_view host = exchange.url.host();
    kept = idle_.take(host, exchange.url.https(), exchange.addresses);
    if (const auto shared = shared_.find(host);
        kept == nullptr && exchange.url.https() && shared != shared_.end() && shared->second->has_room() &&
        std::ranges::find(exchange.addresses, shared->second->address()) != exchange.addresses.end()) {
      kept = shared->second;
    }
  }
  if (kept != nullptr) {
    send(*kept, exchange);
  } else if (!follow(exchange)) {
    connect(exchange);
  }
}

void HttpFetcher::send(ClientConnection& connection, HttpExchange& exchange) {
  exchange.connection = &connection;
  exchange.outcome.address = connection.address();
  if (const char* const fault = connection.certificate_fault()) exchange.outcome.certificate_error = fault;
  exchange.set_connected(true, MonotonicClock().now_us());
  if (connection.http2()) shared_.try_emplace(connection.host, &connection);
  connection.send(exchange);
}

// ---- sharing connections

bool HttpFetcher::offers_http2(const HttpExchange& exchange) const {
  return exchange.url.https() && !exchange.http1_only &&
         (options_.http2 || http2_only_.contains(exchange.url.host()));
}

// Returns whether it waits for a connection that another exchange makes.
bool HttpFetcher::follow(HttpExchange& exchange) {
  if (!offers_http2(exchange) || exchange.request.new_connection) return false;
  const auto [at, first] = connecting_.try_emplace(std::string(exchange.url.host()), &exchange);
  if (first) return false;
  exchange.leader = at->second;
  at->second->followers.push_back(&exchange);
  return true;
}

// The exchange no longer makes a connection: those that waited for it look for another one.
void HttpFetcher::release_followers(HttpExchange& exchange) {
  if (exchange.leader != nullptr) {
    std::erase(exchange.leader->followers, &exchange);
    exchange.leader = nullptr;
  }
  const auto at = connecting_.find(exchange.url.host());
  if (at == connecting_.end() || at->second != &exchange) return;
  connecting_.erase(at);
  const std::vector<HttpExchange*> followers = std::exchange(exchange.followers, {});
  for (HttpExchange* const follower : followers) follower->leader = nullptr;
  for (HttpExchange* const follower : followers) find_connection(*follower);
}

// ---- connecting

void HttpFetcher::connect(HttpExchange& exchange) {
  std::vector<NetAddress> order = exchange.addresses;
  if (order.size() > 1) {
    const auto winner = last_address_.find(std::string(exchange.url.host()));
    const auto at = winner == last_address_.end() ? order.end() : std::ranges::find(order, winner->second);
    if (at != order.end()) std::rotate(order.begin(), at, at + 1);
    order = Connector::interlaced(order);
  }
  const std::uint16_t port = detour_ ? detour_->port : exchange.url.port();
  exchange.connector = std::make_unique<Connector>(
      *loop_, std::move(order), port,
      [this, &exchange](Connector::Result result) { connected(exchange, std::move(result)); });
  exchange.connector->start();
}

void HttpFetcher::connected(HttpExchange& exchange, Connector::Result result) {
  loop_->retire(std::move(exchange.connector));
  if (result.fd < 0) {
    // If descriptors are short, idle connections are closed first.
    if (result.internal && idle_.close_one(loop_->now_us())) {
      connect(exchange);
      return;
    }
    exchange.outcome.address = result.address;
    resolver_->forget(std::string(exchange.url.hostname()));
    finish(exchange, result.internal ? FetchEnd::kInternal : FetchEnd::kNoConnection,
           std::move(result.trouble));
    return;
  }
  exchange.outcome.address = result.address;
  if (exchange.addresses.size() > 1) {
    if (last_address_.size() >= kMostLastAddresses) last_address_.clear();
    last_address_[std::string(exchange.url.host())] = result.address;
  }
  auto owned = std::make_unique<ClientConnection>(*this, *loop_, result.fd, result.address, options_.max_head,
                                                  buffer_);
  ClientConnection& connection = *owned;
  connections_.emplace(&connection, std::move(owned));
  connection.host = exchange.url.host();
  connection.reserve(exchange);
  exchange.connection = &connection;
  if (exchange.url.https()) {
    connection.start_tls(*tls_, exchange.url, offers_http2(exchange));
  } else {
    on_connected(connection);
  }
}

void HttpFetcher::on_connected(ClientConnection& connection) {
  HttpExchange& exchange = *connection.exchange();
  // With HTTP/1.1, exchanges that waited for it need connections of their own.
  if (!connection.http2()) release_followers(exchange);
  send(connection, exchange);
  if (exchanges_.contains(&exchange)) release_followers(exchange);
}

void HttpFetcher::on_handshake_failed(ClientConnection& connection, std::string trouble) {
  HttpExchange& exchange = *connection.exchange();
  const bool refused = connection.refuses_http1();
  drop_connection(exchange);
  if (refused && !exchange.repeated && !offers_http2(exchange)) {
    if (http2_only_.size() >= kMostLastAddresses) http2_only_.clear();
    http2_only_.emplace(exchange.url.host());
    repeat(exchange);
    return;
  }
  finish(exchange, FetchEnd::kTls, std::move(trouble));
}

std::string HttpFetcher::request_text(const HttpExchange& exchange) const {
  const std::string& fields = exchange.request.fields;
  return text_.of(exchange.url,
                  exchange.outcome.certificate_error.empty() ? fields : harmless_fields(fields));
}

// ---- running

void HttpFetcher::poll(std::vector<FetchOutcome>& done, int wait_ms) {
  loop_->step(done_.empty() && more_.empty() ? wait_ms : 0);
  const std::vector<ClientConnection*> more = std::exchange(more_, {});
  for (ClientConnection* const connection : more) {
    if (connections_.contains(connection)) connection->proceed();
  }
  const std::int64_t now = MonotonicClock().now_us();
  for (HttpExchange* const exchange : room_.take_slow(now)) {
    too_late(*exchange, "cancelled because it was much slower than others");
  }
  for (HttpExchange* const exchange : room_.take_resumed(now)) {
    exchange->resume(now);
    exchange->connection->resume(*exchange);
  }
  if (done.empty()) {
    done.swap(done_);
  } else {
    for (FetchOutcome& outcome : done_) done.push_back(std::move(outcome));
    done_.clear();
  }
}

void HttpFetcher::on_end(ClientConnection& connection, std::vector<EndedExchange> ended) {
  const bool used_before = connection.requests() > ended.size();
  for (const EndedExchange& one : ended) one.exchange->connection = nullptr;
  dispose_of(connection, ended.empty() ? nullptr : ended.back().exchange);
  for (EndedExchange& one : ended) take_end(std::move(one), used_before);
}

// Decides what happens to a connection after a response.
void HttpFetcher::dispose_of(ClientConnection& connection, const HttpExchange* last) {
  const bool usable = connection.is_usable();
  if (connection.streams() > 0 && usable) return;
  if (const auto shared = shared_.find(connection.host);
      shared != shared_.end() && shared->second == &connection) {
    shared_.erase(shared);
  }
  if (connection.streams() > 0) return;
  if (usable && last != nullptr) {
    idle_.add(connection, last->begun_us() + last->request.next_ms * 1000, loop_->now_us());
  } else {
    close(connection);
  }
}

void HttpFetcher::take_end(EndedExchange end, bool used_before) {
  HttpExchange& exchange = *end.exchange;
  const bool lost =
      end.untouched || (end.end == FetchEnd::kBroken && !exchange.has_response() && used_before);
  const int status = end.end == FetchEnd::kAnswered ? exchange.outcome.status : 0;
  if (!exchange.repeated && (lost || status == 421 || (status == 408 && used_before))) {
    exchange.http1_only = exchange.http1_only || end.needs_http1;
    repeat(exchange);
  } else {
    finish(exchange, end.end, std::move(end.trouble));
  }
}

void HttpFetcher::repeat(HttpExchange& exchange) {
  exchange.repeated = true;
  exchange.start_over();
  exchange.set_connected(false, MonotonicClock().now_us());
  connect(exchange);
}

void HttpFetcher::on_idle_end(ClientConnection& connection) {
  idle_.remove(connection);
  close(connection);
}

void HttpFetcher::close(ClientConnection& connection) {
  connection.send_close_notify();
  const auto found = connections_.find(&connection);
  std::unique_ptr<ClientConnection> owned = std::move(found->second);
  connections_.erase(found);
  owned->disconnect();
  loop_->retire(std::move(owned));
}

// ---- ending

// Separates the exchange from its connection.
void HttpFetcher::drop_connection(HttpExchange& exchange) {
  if (ClientConnection* const connection = std::exchange(exchange.connection, nullptr)) {
    connection->abandon(exchange);
    dispose_of(*connection, nullptr);
  }
  if (exchange.connector) {
    exchange.connector->close();
    loop_->retire(std::move(exchange.connector));
  }
}

void HttpFetcher::too_late(HttpExchange& exchange, const char* why) {
  if (exchange.connection != nullptr) exchange.outcome.status = exchange.connection->status(exchange);
  drop_connection(exchange);
  finish(exchange, FetchEnd::kTimedOut, why);
}

void HttpFetcher::finish(HttpExchange& exchange, FetchEnd end, std::string trouble) {
  room_.leave(&exchange);
  FetchOutcome& outcome = exchange.outcome;
  outcome.end = end;
  outcome.trouble = std::move(trouble);
  outcome.ended_us = MonotonicClock().now_us();
  if (outcome.first_byte_us == 0) outcome.first_byte_us = outcome.started_us;
  done_.push_back(std::move(outcome));
  auto node = exchanges_.extract(&exchange);
  release_followers(exchange);
  loop_->retire(std::move(node.mapped()));
}

void HttpFetcher::cancel(std::uint64_t id) {
  constexpr const char* kWhy = "cancelled because it was much slower than others";
  const auto found =
      std::ranges::find_if(exchanges_, [id](const auto& one) { return one.second->request.id == id; });
  if (found == exchanges_.end()) return;
  HttpExchange& exchange = *found->second;
  if (exchange.addresses.empty()) {
    finish(exchange, FetchEnd::kDnsFailed, kWhy);
  } else {
    too_late(exchange, kWhy);
  }
}

void HttpFetcher::cancel_all() {
  connecting_.clear();
  for (auto& [key, exchange] : exchanges_) {
    exchange->leader = nullptr;
    exchange->followers.clear();
    drop_connection(*exchange);
    loop_->retire(std::move(exchange));
  }
  exchanges_.clear();
  room_.clear();
  done_.clear();
}

}  // namespace bowerbird
