// HTTP/1.1 on one connection (RFC 9112): sequential requests, responses in the same order, keep-alive and
// pipelining, and all faults that a Delivery can have.
#include <fmt/format.h>

#include <deque>

#include "web/http/http1.h"
#include "web/http/session.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMuchInput = 1 << 16;
constexpr std::uint64_t kLargestBody = 1 << 16;  // of a request: read and discarded

void append_chunk(std::string_view data, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", data.size());
  out.append(data).append("\r\n");
}

// Chunks of growing size, so that a client gets small and large ones.
void append_chunks(std::string_view body, std::string& out) {
  for (std::size_t size = 13; !body.empty(); size = std::min<std::size_t>(size * 3, 16'000)) {
    append_chunk(body.substr(0, size), out);
    body.remove_prefix(std::min(size, body.size()));
  }
}

class Http1Session final : public Session {
 public:
  Http1Session(ServeContext& context, const Peer& peer) : context_(context), peer_(peer) {}

  void receive(std::string_view bytes, std::int64_t now_us) override;
  void proceed(std::int64_t now_us) override;
  std::string_view output() const override;
  void sent(std::size_t bytes, std::int64_t now_us) override;
  std::int64_t deadline_us() const override;
  Ending ending() const override;
  bool wants_input() const override { return stalled_ || in_.size() < kMuchInput; }
  void gone(std::int64_t now_us) override;

 private:
  // A response in progress: its end position in the stream of all output.
  struct Pending {
    std::uint64_t body_begin;
    std::uint64_t end;
    AccessEntry entry;
  };

  bool ready() const { return !held_ && ending_ == Ending::kKeep && out_.size() - sent_ < kMuchOutput; }
  std::size_t take_requests(std::string_view bytes, std::int64_t now_us);
  void answer(const Http1Request& request, std::int64_t now_us);
  void refuse(const Http1Parse& parse, std::int64_t now_us);
  void send_answer(const Http1Request& request, std::int64_t now_us);
  void append_head(const HttpResponse& answer, const Http1Request& request, bool body_follows);
  void append_body(const HttpResponse& answer);
  std::uint64_t produced() const { return total_sent_ + (out_.size() - sent_); }
  void update_pace(std::int64_t now_us);

  ServeContext& context_;
  Peer peer_;
  Http1Limits limits_;
  Http1Request request_;
  std::string in_;          // received and not yet handled
  std::uint64_t skip_ = 0;  // bytes of a request's body still to be discarded
  std::string out_;         // from sent_ on: to be sent
  std::size_t sent_ = 0;
  std::uint64_t total_sent_ = 0;
  std::deque<Pending> pending_;
  Ending ending_ = Ending::kKeep;  // after what is in out_
  bool stalled_ = false;
  std::string repeat_;  // kRepeat: the repeated bytes
  bool held_ = false;   // the last response is paced: out_ may be sent up to allowed_
  std::uint64_t allowed_ = 0;
  std::uint64_t paced_from_ = 0;
  Pace pace_;
};

void Http1Session::receive(std::string_view bytes, std::int64_t now_us) {
  if (ending_ != Ending::kKeep) return;  // anything received now is ignored
  if (in_.empty()) {
    in_.append(bytes.substr(take_requests(bytes, now_us)));
  } else {
    in_.append(bytes);
    in_.erase(0, take_requests(in_, now_us));
  }
}

void Http1Session::proceed(std::int64_t now_us) {
  update_pace(now_us);
  if (!in_.empty() && ready()) in_.erase(0, take_requests(in_, now_us));
}

std::size_t Http1Session::take_requests(std::string_view bytes, std::int64_t now_us) {
  std::size_t at = 0;
  while (at < bytes.size() && ready()) {
    if (skip_ > 0) {
      const std::size_t n = std::min<std::uint64_t>(skip_, bytes.size() - at);
      skip_ -= n;
      at += n;
      continue;
    }
    const Http1Parse parse = parse_http1_request(bytes.substr(at), limits_, request_);
    if (parse.state == Http1Parse::kMore) break;
    if (parse.state == Http1Parse::kBad) {
      refuse(parse, now_us);
      return bytes.size();
    }
    at += parse.used;
    skip_ = request_.content_length;
    answer(request_, now_us);
  }
  return ending_ == Ending::kKeep ? at : bytes.size();
}

void Http1Session::answer(const Http1Request& request, std::int64_t now_us) {
  HttpRequest asked;
  asked.method = request.method;
  asked.https = peer_.tls;
  asked.authority = request.authority;
  asked.target = request.target;
  asked.fields = request.fields;
  context_.handler.answer(asked, {context_.web_clock.now_us(), now_us}, context_.answer);
  send_answer(request, now_us);
}

// RFC 9112, 2.2: sends a response that names the error, then closes the connection.
void Http1Session::refuse(const Http1Parse& parse, std::int64_t now_us) {
  HttpResponse& answer = context_.answer;
  answer.clear();
  answer.status = parse.status;
  answer.add_field("content-type") = "text/plain; charset=utf-8";
  answer.body.assign(parse.why).append("\n");
  answer.delivery.ending = Ending::kClose;
  request_ = {};
  request_.keep_alive = false;
  send_answer(request_, now_us);
}

void Http1Session::send_answer(const Http1Request& request, std::int64_t now_us) {
  HttpResponse& answer = context_.answer;
  Delivery& delivery = answer.delivery;
  const bool head = request.method == "HEAD";
  const bool without_body = head || answer.status == 304 || answer.status == 204;
  if (delivery.framing == BodyFraming::kChunked && request.minor == 0)
    delivery.framing = BodyFraming::kUntilClose;
  if (without_body && delivery.ending == Ending::kRepeat) delivery.ending = Ending::kKeep;
  const bool last = !request.keep_alive || request.chunked || request.content_length > kLargestBody ||
                    (delivery.framing == BodyFraming::kUntilClose && !without_body);
  if (last && delivery.ending == Ending::kKeep) delivery.ending = Ending::kClose;

  const std::uint64_t begin = produced();
  if (sent_ == out_.size()) {
    out_.clear();
    sent_ = 0;
  }
  if (!delivery.bare) append_head(answer, request, !without_body);
  const std::uint64_t body_begin = produced();
  if (!without_body) append_body(answer);
  if (delivery.latency_us > 0 || delivery.bytes_per_second > 0) {
    held_ = true;
    paced_from_ = begin;
    pace_ = {now_us + delivery.latency_us, delivery.bytes_per_second};
    update_pace(now_us);
  }
  ending_ = delivery.ending;
  stalled_ = ending_ == Ending::kStall;
  if (context_.log.on()) {
    Pending pending{body_begin, produced(), {}};
    pending.entry.start_us = now_us;
    pending.entry.connection = peer_.connection;
    pending.entry.port = peer_.port;
    pending.entry.protocol = peer_.tls ? "h1s" : "h1";
    pending.entry.method = request.method;
    pending.entry.status = delivery.bare ? 0 : answer.status;
    pending.entry.bytes = without_body ? 0 : std::min(answer.body.size(), delivery.cut);
    pending.entry.page = answer.page;
    pending.entry.fault = answer.fault_name;
    pending.entry.host = request.authority;
    pending.entry.target = request.target;
    pending_.push_back(std::move(pending));
    if (body_begin == begin && produced() == begin) sent(0, now_us);  // nothing will be sent at all
  }
}

void Http1Session::append_head(const HttpResponse& answer, const Http1Request& request, bool body_follows) {
  const Delivery& delivery = answer.delivery;
  fmt::format_to(std::back_inserter(out_), "HTTP/1.1 {} {}\r\ndate: {}\r\nserver: {}\r\n", answer.status,
                 status_reason(answer.status), context_.date(context_.web_clock.now_us()),
                 context_.server_name);
  for (const HttpResponse::Field& field : answer.fields()) {
    out_.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  const bool may_have_body = answer.status != 204 && answer.status != 304;
  if (may_have_body && delivery.framing == BodyFraming::kLength) {
    const std::size_t length = delivery.claimed == Delivery::kAll ? answer.body.size() : delivery.claimed;
    fmt::format_to(std::back_inserter(out_), "content-length: {}\r\n", length);
  } else if (may_have_body && delivery.framing == BodyFraming::kChunked) {
    out_ += "transfer-encoding: chunked\r\n";
  }
  const bool announced = delivery.ending == Ending::kClose && !answer.is_faulty();
  if (announced || (body_follows && delivery.framing == BodyFraming::kUntilClose)) {
    out_ += "connection: close\r\n";
  } else if (request.minor == 0 && request.keep_alive) {
    out_ += "connection: keep-alive\r\n";
  }
  out_ += "\r\n";
}

void Http1Session::append_body(const HttpResponse& answer) {
  const Delivery& delivery = answer.delivery;
  const std::string_view body = std::string_view(answer.body).substr(0, delivery.cut);
  if (delivery.framing != BodyFraming::kChunked || delivery.bare) {
    out_.append(body);
    repeat_ = delivery.ending == Ending::kRepeat ? std::string(body) : std::string();
    return;
  }
  const std::size_t start = out_.size();
  append_chunks(body, out_);
  if (delivery.bad_chunk) {
    out_ += "xyz\r\n\r\n";
  } else if (delivery.ending == Ending::kRepeat) {
    repeat_ = out_.substr(start);
  } else if (delivery.cut == Delivery::kAll) {
    out_ += "0\r\n\r\n";
  }
}

void Http1Session::update_pace(std::int64_t now_us) {
  if (!held_) return;
  allowed_ = paced_from_ + pace_.allowed(now_us, produced() - paced_from_);
}

std::string_view Http1Session::output() const {
  std::string_view rest = std::string_view(out_).substr(sent_);
  if (held_) rest = rest.substr(0, allowed_ > total_sent_ ? allowed_ - total_sent_ : 0);
  return rest;
}

void Http1Session::sent(std::size_t bytes, std::int64_t now_us) {
  sent_ += bytes;
  total_sent_ += bytes;
  while (!pending_.empty() && pending_.front().end <= total_sent_) {
    pending_.front().entry.end_us = now_us;
    context_.log.add(pending_.front().entry);
    pending_.pop_front();
  }
  if (sent_ < out_.size()) return;
  if (ending_ == Ending::kRepeat) {
    out_ = repeat_;
    sent_ = 0;
    update_pace(now_us);
  } else {
    held_ = false;
  }
}

std::int64_t Http1Session::deadline_us() const {
  if (!held_ || sent_ == out_.size()) return kNever;
  const std::uint64_t sent = total_sent_ > paced_from_ ? total_sent_ - paced_from_ : 0;
  return total_sent_ < allowed_ ? kNever : sent == 0 ? pace_.begin_us : pace_.next_us(sent);
}

Ending Http1Session::ending() const {
  const bool over = ending_ == Ending::kClose || ending_ == Ending::kReset;
  return over && sent_ == out_.size() ? ending_ : Ending::kKeep;
}

void Http1Session::gone(std::int64_t now_us) {
  for (Pending& pending : pending_) {
    pending.entry.end_us = now_us;
    const std::uint64_t sent = total_sent_ > pending.body_begin ? total_sent_ - pending.body_begin : 0;
    // The length of an endless response is what the client has read of it.
    pending.entry.bytes = ending_ == Ending::kRepeat ? sent : std::min(pending.entry.bytes, sent);
    context_.log.add(pending.entry);
  }
  pending_.clear();
}

}  // namespace

std::unique_ptr<Session> make_http1_session(ServeContext& context, const Peer& peer) {
  return std::make_unique<Http1Session>(context, peer);
}

}  // namespace bowerbird
