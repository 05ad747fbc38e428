#include "fetch/http_exchange.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace bowerbird {

namespace {

std::int64_t microseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e6);
}

}  // namespace

HttpExchange::HttpExchange(const FetcherOptions& options, BodyRoom<HttpExchange>& room, EventLoop& loop,
                           const TooLate& too_late)
    : options_(options), room_(room), loop_(loop), too_late_(too_late) {}

HttpExchange::~HttpExchange() {
  loop_.clear_timer(*this);
}

void HttpExchange::begin(std::int64_t now_us) {
  max_body_ = request.max_body == 0 ? options_.max_body : request.max_body;
  begun_us_ = outcome.started_us = now_us;
  until_us_ = now_us + microseconds(options_.timeout_s);
  set_connected(false, now_us);
}

void HttpExchange::set_connected(bool connected, std::int64_t now_us) {
  connected_ = connected;
  connect_until_us_ = now_us + microseconds(options_.connect_timeout_s);
  slow_until_us_ = now_us + microseconds(std::max(1.0, options_.slow_s));
  lately_ = 0;
  loop_.set_timer(*this, next_deadline_us());
}

std::int64_t HttpExchange::next_deadline_us() const {
  if (!connected_) return std::min(until_us_, connect_until_us_);
  return waits_ ? until_us_ : std::min(until_us_, slow_until_us_);
}

void HttpExchange::on_timer() {
  const std::int64_t now = loop_.now_us();
  if (now >= until_us_) return too_late_(*this, "the response took longer than allowed");
  if (!connected_) {
    if (now >= connect_until_us_) return too_late_(*this, "no connection in time");
  } else if (!waits_ && now >= slow_until_us_) {
    const double least = static_cast<double>(options_.slow_bytes_per_second) * std::max(1.0, options_.slow_s);
    if (static_cast<double>(lately_) < least) return too_late_(*this, "the response is too slow");
    lately_ = 0;
    slow_until_us_ = now + microseconds(std::max(1.0, options_.slow_s));
  }
  loop_.set_timer(*this, next_deadline_us());
}

void HttpExchange::request_sent(std::int64_t now_us) {
  outcome.started_us = now_us;
}

void HttpExchange::received(std::size_t bytes, std::int64_t now_us) {
  lately_ += bytes;
  if (responded_) return;
  responded_ = true;
  outcome.first_byte_us = now_us;
  outcome.started_us = std::min(outcome.started_us, now_us);
}

HttpExchange::Take HttpExchange::begin_body(int status, std::string head,
                                            std::optional<std::uint64_t> length) {
  outcome.status = status;
  outcome.head = std::move(head);
  if (!request.any_type && options_.wants_body && !options_.wants_body(status, outcome.head)) {
    outcome.unwanted = true;
    return !length || *length > kMostUnwanted ? Take::kStop : Take::kMore;
  }
  outcome.body.reserve(std::min({length.value_or(0), max_body_, kMostBodyReserved}));
  return Take::kMore;
}

HttpExchange::Take HttpExchange::take_body(std::string_view bytes, std::int64_t now_us) {
  if (outcome.unwanted) {
    skipped_ += bytes.size();
    return skipped_ > kMostUnwanted ? Take::kStop : Take::kMore;
  }
  const std::string_view wanted = bytes.substr(0, max_body_ - outcome.body.size());
  if (!room_.take(this, wanted.size(), now_us)) {
    waits_ = true;
    return Take::kWait;
  }
  append_to_body(outcome, wanted);
  if (wanted.size() == bytes.size()) return Take::kMore;
  outcome.truncated = true;
  return Take::kStop;
}

void HttpExchange::resume(std::int64_t now_us) {
  waits_ = false;
  lately_ = 0;
  slow_until_us_ = now_us + microseconds(std::max(1.0, options_.slow_s));
  loop_.set_timer(*this, next_deadline_us());
}

void HttpExchange::start_over() {
  room_.leave(this);
  const std::int64_t started = outcome.started_us;
  outcome = {};
  outcome.id = request.id;
  outcome.started_us = started;
  skipped_ = 0;
  responded_ = waits_ = false;
}

}  // namespace bowerbird
