#include "fetch/curl_transfer.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <charconv>
#include <cstring>

#include "fetch/coding.h"
#include "parse/http_head.h"

namespace bowerbird {

namespace {

constexpr std::size_t kUsualHead = 512;
constexpr long kCurlBuffer = 64 << 10;

std::uint64_t content_length(std::string_view head) {
  const std::string_view value = head_field(head, "content-length");
  std::uint64_t length = 0;
  std::from_chars(value.data(), value.data() + value.size(), length);
  return length;
}

}  // namespace

CurlFetcher::Transfer::Transfer(const FetcherOptions& options, curl_slist* connect_to,
                                const std::optional<Detour>& detour, CurlSockets& sockets,
                                BodyRoom<Transfer>& room)
    : options_(options), detour_(detour), sockets_(sockets), room_(room), handle_(curl_easy_init()) {
  CHECK(handle_ != nullptr);
  set_constant_options();
  if (connect_to != nullptr) curl_easy_setopt(handle_, CURLOPT_CONNECT_TO, connect_to);
}

CurlFetcher::Transfer::~Transfer() {
  curl_easy_cleanup(handle_);
  curl_slist_free_all(common_fields_);
  curl_slist_free_all(fields_);
  curl_slist_free_all(addresses_);
}

void CurlFetcher::Transfer::set_constant_options() {
  const auto ms = [](double seconds) { return static_cast<long>(seconds * 1000); };
  curl_easy_setopt(handle_, CURLOPT_PRIVATE, this);
  curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, errors_);
  curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle_, CURLOPT_HTTP_VERSION,
                   options_.http2 ? long{CURL_HTTP_VERSION_2TLS} : long{CURL_HTTP_VERSION_1_1});
  curl_easy_setopt(handle_, CURLOPT_HTTP09_ALLOWED, 0L);
  curl_easy_setopt(handle_, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(handle_, CURLOPT_USERAGENT, options_.user_agent.c_str());
  curl_easy_setopt(handle_, CURLOPT_PROXY,
                   options_.proxy.c_str());  // empty: no proxy, whatever the environment says
  curl_easy_setopt(handle_, CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
  curl_easy_setopt(handle_, CURLOPT_BUFFERSIZE, kCurlBuffer);
  curl_easy_setopt(handle_, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(handle_, CURLOPT_DNS_CACHE_TIMEOUT,
                   2 * 3600L);  // longer than a transfer takes
  curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT_MS, ms(options_.connect_timeout_s));
  curl_easy_setopt(handle_, CURLOPT_TIMEOUT_MS, ms(options_.timeout_s));
  curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options_.slow_bytes_per_second));
  curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(options_.slow_s)));
  curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, on_head);
  curl_easy_setopt(handle_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(handle_, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  curl_easy_setopt(handle_, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(handle_, CURLOPT_CLOSESOCKETFUNCTION, CurlSockets::on_close);
  curl_easy_setopt(handle_, CURLOPT_CLOSESOCKETDATA, &sockets_);
  curl_easy_setopt(handle_, CURLOPT_MAXAGE_CONN, options_.idle_s);
  set_certificates();
  const auto add = [this](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    common_fields_ = curl_slist_append(common_fields_, fmt::format("{}: {}", name, value).c_str());
  };
  add("Accept", options_.accept);
  add("Accept-Encoding", kAcceptedCodings);
  add("Accept-Language", options_.accept_language);
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, common_fields_);
}

void CurlFetcher::Transfer::set_certificates() {
  curl_easy_setopt(handle_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(handle_, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!options_.crl.empty()) curl_easy_setopt(handle_, CURLOPT_CRLFILE, options_.crl.c_str());
  if (!options_.certificates.empty()) {
    curl_easy_setopt(handle_, CURLOPT_CAINFO, options_.certificates.c_str());
  }
}

void CurlFetcher::Transfer::prepare(FetchRequest asked) {
  request = std::move(asked);
  outcome = {};
  outcome.id = request.id;
  head_bytes_ = 0;
  skipped_ = 0;
  stop_ = Stop::kNo;
  refused_ = false;
  head_ended_ = false;
  in_body_ = false;
  errors_[0] = '\0';
  max_body_ = request.max_body == 0 ? options_.max_body : request.max_body;
  curl_easy_setopt(handle_, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(handle_, CURLOPT_FRESH_CONNECT, request.new_connection ? 1L : 0L);
  set_fields();
}

void CurlFetcher::Transfer::set_fields() {
  if (fields_ == nullptr && request.fields.empty()) return;
  curl_slist_free_all(fields_);
  fields_ = nullptr;
  if (request.fields.empty()) {
    curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, common_fields_);
    return;
  }
  for (const curl_slist* line = common_fields_; line != nullptr; line = line->next) {
    if (!names_same_field(request.fields, line->data)) fields_ = curl_slist_append(fields_, line->data);
  }
  std::string_view rest = request.fields;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    fields_ = curl_slist_append(fields_, std::string(rest.substr(0, end)).c_str());
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, fields_);
}

void CurlFetcher::Transfer::tell_addresses(const std::string& list) {
  curl_slist_free_all(addresses_);
  addresses_ = nullptr;
  const auto add = [this](const std::string& line) {
    addresses_ = curl_slist_append(addresses_, line.c_str());
  };
  std::string name = list.empty() ? "" : fmt::format("{}:{}", url.hostname(), url.port());
  if (!addresses_for_.empty() && addresses_for_ != name) add("-" + addresses_for_);
  if (!name.empty()) add("+" + name + ":" + list);
  addresses_for_ = std::move(name);
  curl_easy_setopt(handle_, CURLOPT_RESOLVE, addresses_);
}

// ---- Receiving

std::size_t CurlFetcher::Transfer::on_head(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_head({bytes, size * count});
}

std::size_t CurlFetcher::Transfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_body({bytes, size * count});
}

std::size_t CurlFetcher::Transfer::take_head(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > options_.max_head) {
    stop_ = Stop::kHeadTooLarge;
    return 0;
  }
  if (in_body_) return line.size();  // trailers
  if (line.starts_with("HTTP/")) {
    outcome.head.reserve(kUsualHead);
    outcome.head.clear();  // drops a provisional response (1xx), or a proxy's
    // HTTP/2 has no reason phrase, and archives only support the HTTP/1.1 form.
    const std::size_t blank = std::min(line.find(' '), line.size());
    outcome.http2 = line.substr(0, blank) == "HTTP/2";
    outcome.head.append(outcome.http2 ? "HTTP/1.1" : line.substr(0, blank)).append(line.substr(blank));
    return line.size();
  }
  outcome.head.append(line);
  if (line == "\r\n" || line == "\n") {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    outcome.status = static_cast<int>(status);
    head_ended_ = status >= 200;
    if (head_ended_ && !begin_body()) return 0;
  }
  return line.size();
}

// False: stop the transfer.
bool CurlFetcher::Transfer::begin_body() {
  const std::uint64_t length = content_length(outcome.head);
  if (!request.any_type && options_.wants_body && !options_.wants_body(outcome.status, outcome.head)) {
    outcome.unwanted = true;
    if (length == 0 || length > kMostUnwanted) stop_ = Stop::kUnwanted;
    return stop_ == Stop::kNo;
  }
  outcome.body.reserve(std::min({length, max_body_, kMostBodyReserved}));
  return true;
}

std::size_t CurlFetcher::Transfer::take_body(std::string_view bytes) {
  in_body_ = true;
  if (outcome.unwanted) {
    skipped_ += bytes.size();
    return skipped_ > kMostUnwanted ? 0 : bytes.size();
  }
  const std::string_view wanted = bytes.substr(0, max_body_ - outcome.body.size());
  if (!room_.take(this, wanted.size(), MonotonicClock().now_us())) return CURL_WRITEFUNC_PAUSE;
  append_to_body(outcome, wanted);
  if (wanted.size() == bytes.size()) return bytes.size();
  outcome.truncated = true;
  stop_ = Stop::kBodyTooLarge;
  return 0;
}

curl_socket_t CurlFetcher::Transfer::on_open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto* const transfer = static_cast<Transfer*>(self);
  if (transfer->detour_) transfer->detour_->apply(*address);
  const auto peer = NetAddress::of(&address->addr);
  if (!peer || (transfer->options_.proxy.empty() && !transfer->options_.filter.admits(*peer))) {
    transfer->refused_ = true;
    if (peer) transfer->outcome.address = peer;
    return CURL_SOCKET_BAD;
  }
  return transfer->sockets_.open(*address);
}

void CurlFetcher::Detour::apply(curl_sockaddr& to) const {
  sockaddr_storage made{};
  to.addrlen = address.put(port, made);
  std::memcpy(static_cast<void*>(&to.addr), &made, to.addrlen);  // libcurl has room for any address here
  to.family = to.addr.sa_family;
}

// ---- The result

void CurlFetcher::Transfer::gather(CURLcode code) {
  long status = 0;
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  outcome.status = static_cast<int>(status);
  outcome.end = end_of(code);
  char* ip = nullptr;
  if (curl_easy_getinfo(handle_, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip != nullptr && *ip != '\0') {
    if (const auto address = NetAddress::parse(ip)) outcome.address = address;
  }
  curl_off_t first = 0;
  curl_easy_getinfo(handle_, CURLINFO_STARTTRANSFER_TIME_T, &first);
  outcome.first_byte_us = outcome.started_us + first;
  if (code != CURLE_OK && outcome.end != FetchEnd::kAnswered) {
    outcome.trouble = errors_[0] != '\0' ? errors_ : curl_easy_strerror(code);
  }
  if (code == CURLE_OK && !head_ended_) outcome.trouble = "the connection was closed inside the headers";
  if (outcome.end == FetchEnd::kRefused && outcome.address) {
    outcome.trouble = refusal_text(outcome.address->text());
  }
}

FetchEnd CurlFetcher::Transfer::end_of(CURLcode code) const {
  switch (code) {
    case CURLE_OK:
      // libcurl reports a connection closed after interim headers as a response without a body.
      return head_ended_ ? FetchEnd::kAnswered : FetchEnd::kBroken;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return FetchEnd::kDnsFailed;
    case CURLE_COULDNT_CONNECT:
      return refused_ ? FetchEnd::kRefused : FetchEnd::kNoConnection;
    case CURLE_OPERATION_TIMEDOUT:
      return FetchEnd::kTimedOut;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return FetchEnd::kTls;
    case CURLE_PARTIAL_FILE:
      return FetchEnd::kCutShort;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
      return FetchEnd::kBroken;
    // Also for a reset in the middle of a chunked body, or of one without a length.
    case CURLE_RECV_ERROR:
      return FetchEnd::kBroken;
    case CURLE_WRITE_ERROR:
      return stop_ == Stop::kHeadTooLarge ? FetchEnd::kHeadTooLarge : FetchEnd::kAnswered;
    // Also if a header line is longer than libcurl's own limit.
    case CURLE_OUT_OF_MEMORY:
      return head_ended_ ? FetchEnd::kInternal : FetchEnd::kHeadTooLarge;
    case CURLE_FAILED_INIT:
    case CURLE_SSL_CACERT_BADFILE:
      return FetchEnd::kInternal;
    default:
      return FetchEnd::kMalformed;
  }
}

}  // namespace bowerbird
