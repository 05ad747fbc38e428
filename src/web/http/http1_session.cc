// HTTP/1.1 on one connection (RFC 9112): sequential requests, responses in the same order, keep-alive and
// pipelining, bounded request bodies, pending responses, streams, and all faults that a Delivery can have.
#include <fmt/format.h>

#include <algorithm>
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
  bool wants_input() const override { return stalled_ || in_.size() < kMuchInput + context_.largest_body; }
  bool in_request() const override { return !in_.empty() && ready(); }
  bool waits() const override { return later_.pending != nullptr || later_.stream != nullptr; }
  void gone(std::int64_t now_us) override;

 private:
  // A response in progress: its end position in the stream of all output.
  struct Pending {
    std::uint64_t body_begin;
    std::uint64_t end;
    AccessEntry entry;
  };

  // What is asked again until it is complete, and the request that it answers.
  struct Later {
    std::shared_ptr<PendingResponse> pending;
    std::shared_ptr<BodyStream> stream;
    bool chunked = true;
    std::optional<std::uint64_t> left;      // of a stream of known size: what is still to come
    std::string method, authority, target;  // what the views of the request refer to
  };

  bool ready() const {
    return !held_ && ending_ == Ending::kKeep && !waits() && out_.size() - sent_ < kMuchOutput;
  }
  std::size_t take_requests(std::string_view bytes, std::int64_t now_us);
  bool body_is_whole(std::string_view bytes, const Http1Parse& parse, std::int64_t now_us);
  void answer(const Http1Request& request, std::string_view body, std::int64_t now_us);
  void wait_for(std::shared_ptr<PendingResponse> pending);
  void ask_pending(std::int64_t now_us);
  void read_stream(std::int64_t now_us);
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
  std::size_t needed_ = 0;  // bytes of a request whose head is complete
  bool continued_ = false;  // its client was told to send the body
  Later later_;
  std::string out_;  // from sent_ on: to be sent
  std::size_t sent_ = 0;
  std::uint64_t total_sent_ = 0;
  std::deque<Pending> pending_;
  Ending ending_ = Ending::kKeep;  // after what is in out_
  bool stalled_ = false;
  std::string repeat_;  // kRepeat: the repeated bytes
  bool held_ = false;   // the last response is paced: out_ may be sent up to allowed_
  std::uint64_t allowed_ = 0;
  std::uint64_t paced_from_ = 0;
  SendRate pace_;
};

void Http1Session::receive(std::string_view bytes, std::int64_t now_us) {
  if (ending_ != Ending::kKeep) return;  // anything received now is ignored
  if (in_.empty()) {
    in_.append(bytes.substr(take_requests(bytes, now_us)));
  } else {
    in_.append(bytes);
    // A client that sends byte by byte does not have its request parsed as often.
    const bool may_end = needed_ > 0 || in_.size() > limits_.line || bytes.find('\n') != bytes.npos;
    if (may_end) in_.erase(0, take_requests(in_, now_us));
  }
}

void Http1Session::proceed(std::int64_t now_us) {
  update_pace(now_us);
  if (later_.pending) ask_pending(now_us);
  if (later_.stream && sent_ == out_.size()) read_stream(now_us);
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
    if (bytes.size() - at < needed_) break;
    const Http1Parse parse = parse_http1_request(bytes.substr(at), limits_, request_);
    if (parse.state == Http1Parse::kMore) break;
    if (parse.state == Http1Parse::kBad) {
      refuse(parse, now_us);
      return bytes.size();
    }
    if (context_.largest_body == 0) {
      at += parse.used;
      skip_ = request_.content_length;
      answer(request_, {}, now_us);
      continue;
    }
    if (!body_is_whole(bytes.substr(at), parse, now_us)) break;
    const std::string_view body = bytes.substr(at + parse.used, request_.content_length);
    at += parse.used + body.size();
    needed_ = 0;
    continued_ = false;
    answer(request_, body, now_us);
  }
  return ending_ == Ending::kKeep ? at : bytes.size();
}

// False: more is to come, or the request was refused.
bool Http1Session::body_is_whole(std::string_view bytes, const Http1Parse& parse, std::int64_t now_us) {
  if (request_.chunked) {
    refuse({Http1Parse::kBad, 0, 411, "the body needs a Content-Length"}, now_us);
    return false;
  }
  if (request_.content_length > context_.largest_body) {
    refuse({Http1Parse::kBad, 0, 413, "the body is too large"}, now_us);
    return false;
  }
  needed_ = parse.used + request_.content_length;
  if (bytes.size() >= needed_) return true;
  // RFC 9110, 10.1.1: the client waits for our consent.
  const auto expects = [](const HttpField& field) {
    return field_is(field.name, "expect") && field_is(field.value, "100-continue");
  };
  if (!continued_ && request_.minor > 0 && std::ranges::any_of(request_.fields, expects))
    out_ += "HTTP/1.1 100 Continue\r\n\r\n";
  continued_ = true;
  return false;
}

void Http1Session::answer(const Http1Request& request, std::string_view body, std::int64_t now_us) {
  HttpRequest asked;
  asked.method = request.method;
  asked.https = peer_.tls;
  asked.authority = request.authority;
  asked.target = request.target;
  asked.fields = request.fields;
  asked.body = body;
  asked.local = peer_.local;
  context_.handler.answer(asked, {context_.web_clock.now_us(), now_us}, context_.answer);
  if (context_.answer.pending) return wait_for(std::move(context_.answer.pending));
  send_answer(request, now_us);
}

void Http1Session::wait_for(std::shared_ptr<PendingResponse> pending) {
  later_.pending = std::move(pending);
  later_.method = request_.method;
  later_.authority = request_.authority;
  later_.target = request_.target;
  request_.method = later_.method;
  request_.authority = later_.authority;
  request_.target = later_.target;
  request_.fields.clear();
}

void Http1Session::ask_pending(std::int64_t now_us) {
  context_.answer.clear();
  if (!later_.pending->take(now_us, context_.answer)) return;
  later_.pending.reset();
  send_answer(request_, now_us);
}

void Http1Session::read_stream(std::int64_t now_us) {
  std::string piece;
  bool more = later_.stream->read(now_us, piece);
  bool failed = !more && later_.stream->failed();
  if (later_.left) {
    piece.resize(std::min<std::uint64_t>(piece.size(), *later_.left));
    *later_.left -= piece.size();
    failed = !more && *later_.left > 0;
    more = more && *later_.left > 0;
  }
  out_.clear();
  sent_ = 0;
  if (!piece.empty() && later_.chunked) {
    append_chunk(piece, out_);
  } else {
    out_ += piece;
  }
  if (more) return;
  later_.stream.reset();
  if (failed) {
    ending_ = Ending::kReset;
    return;
  }
  if (later_.chunked) out_ += "0\r\n\r\n";
  if (!(later_.chunked || later_.left) || !request_.keep_alive) ending_ = Ending::kClose;
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
  if (answer.stream) delivery.framing = answer.stream_size ? BodyFraming::kLength : BodyFraming::kChunked;
  if (delivery.framing == BodyFraming::kChunked && request.minor == 0)
    delivery.framing = BodyFraming::kUntilClose;
  if (without_body && delivery.ending == Ending::kRepeat) delivery.ending = Ending::kKeep;
  const bool last = !request.keep_alive || request.chunked ||
                    (context_.largest_body == 0 && request.content_length > kLargestBody) ||
                    (delivery.framing == BodyFraming::kUntilClose && !without_body);
  const bool streams = answer.stream != nullptr && !without_body;
  if (last && delivery.ending == Ending::kKeep && !streams) delivery.ending = Ending::kClose;

  const std::uint64_t begin = produced();
  if (sent_ == out_.size()) {
    out_.clear();
    sent_ = 0;
  }
  if (!delivery.bare) append_head(answer, request, !without_body);
  const std::uint64_t body_begin = produced();
  if (streams) {
    later_.stream = std::move(answer.stream);
    later_.chunked = delivery.framing == BodyFraming::kChunked;
    later_.left = answer.stream_size;
  } else if (!without_body) {
    append_body(answer);
  }
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
    const std::uint64_t whole = answer.stream_size.value_or(answer.body.size());
    const std::uint64_t length = delivery.claimed == Delivery::kAll ? whole : delivery.claimed;
    fmt::format_to(std::back_inserter(out_), "content-length: {}\r\n", length);
  } else if (may_have_body && delivery.framing == BodyFraming::kChunked) {
    out_ += "transfer-encoding: chunked\r\n";
  }
  const bool announced = delivery.ending == Ending::kClose && !answer.is_faulty();
  if (announced || (answer.stream && !request.keep_alive) ||
      (body_follows && delivery.framing == BodyFraming::kUntilClose)) {
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
  if (later_.pending) return later_.pending->next_us();
  if (later_.stream) return later_.stream->next_us();
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
