// HTTP/2 on one connection (RFC 9113), framing and header compression by libnghttp2.
//
// A broken response breaks its stream, not the connection: truncated and reset bodies, and responses that are
// not HTTP, end in RST_STREAM; a stalled stream just stays open.
#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <array>
#include <set>
#include <unordered_map>

#include "base/check.h"
#include "web/http/session.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestTarget = 8192;
constexpr std::size_t kLargestHead = 32768;
constexpr std::size_t kLargestAnswerHead = 1 << 20;  // the library's own limit would block a huge head
constexpr std::uint32_t kMostStreams = 128;

class Http2Session final : public Session {
 public:
  Http2Session(ServeContext& context, const Peer& peer);
  ~Http2Session() override { nghttp2_session_del(session_); }
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  void receive(std::string_view bytes, std::int64_t now_us) override;
  void proceed(std::int64_t now_us) override;
  std::string_view output() const override { return std::string_view(out_).substr(sent_); }
  void sent(std::size_t bytes, std::int64_t now_us) override;
  std::int64_t deadline_us() const override { return due_.empty() ? kNever : due_.begin()->first; }
  Ending ending() const override { return over_ && sent_ == out_.size() ? Ending::kClose : Ending::kKeep; }
  bool wants_input() const override { return out_.size() - sent_ < kMuchOutput; }
  void gone(std::int64_t now_us) override;

 private:
  struct Stream {
    // The request.
    std::string method;
    std::string authority;
    std::string target;
    std::vector<std::pair<std::string, std::string>> fields;
    std::size_t head_size = 0;
    bool asked = false;
    // The answer.
    HttpResponse answer;
    std::size_t body_sent = 0;
    SendRate pace;
    bool submitted = false;
    AccessEntry entry;
  };
  using Streams = std::unordered_map<std::int32_t, Stream>;

  static Http2Session& self(void* user) { return *static_cast<Http2Session*>(user); }
  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                       void* user);
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user);
  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* to, std::size_t size,
                           std::uint32_t* flags, nghttp2_data_source*, void* user);

  void take_header(Stream& stream, std::string_view name, std::string_view value);
  void answer(std::int32_t id, Stream& stream);
  void submit(std::int32_t id, Stream& stream);
  void finish_stream(Streams::iterator stream);
  void pump();

  ServeContext& context_;
  Peer peer_;
  nghttp2_session* session_ = nullptr;
  Streams streams_;
  std::set<std::pair<std::int64_t, std::int32_t>> due_;  // streams that wait for a time
  std::string out_;
  std::size_t sent_ = 0;
  bool over_ = false;
  std::int64_t now_us_ = 0;
};

Http2Session::Http2Session(ServeContext& context, const Peer& peer) : context_(context), peer_(peer) {
  nghttp2_session_callbacks* callbacks = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_option_new(&option) == 0);
  nghttp2_option_set_max_send_header_block_length(option, kLargestAnswerHead);
  CHECK(nghttp2_session_server_new2(&session_, callbacks, this, option) == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  const std::array<nghttp2_settings_entry, 2> settings = {{
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kLargestHead},
  }};
  CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
}

int Http2Session::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) self(user).streams_.try_emplace(frame->hd.stream_id);
  return 0;
}

int Http2Session::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                            std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                            std::uint8_t, void* user) {
  const auto found = self(user).streams_.find(frame->hd.stream_id);
  if (found == self(user).streams_.end()) return 0;
  found->second.head_size += name_size + value_size + 32;  // as RFC 9113, 6.5.2 counts it
  if (found->second.head_size > kLargestHead) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  self(user).take_header(found->second, {reinterpret_cast<const char*>(name), name_size},
                         {reinterpret_cast<const char*>(value), value_size});
  return 0;
}

void Http2Session::take_header(Stream& stream, std::string_view name, std::string_view value) {
  if (name == ":method") {
    stream.method = value;
  } else if (name == ":authority" || (name == "host" && stream.authority.empty())) {
    stream.authority = value;
  } else if (name == ":path") {
    stream.target = value;
  } else if (!name.starts_with(':')) {
    stream.fields.emplace_back(name, value);
  }
}

int Http2Session::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  const bool part = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (!part || (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
  Http2Session& session = self(user);
  const auto found = session.streams_.find(frame->hd.stream_id);
  if (found != session.streams_.end() && !found->second.asked) session.answer(found->first, found->second);
  return 0;
}

int Http2Session::on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
  Http2Session& session = self(user);
  const auto found = session.streams_.find(id);
  if (found != session.streams_.end()) session.finish_stream(found);
  return 0;
}

void Http2Session::finish_stream(Streams::iterator found) {
  Stream& stream = found->second;
  due_.erase({stream.pace.begin_us, found->first});
  if (stream.asked && context_.log.on()) {
    stream.entry.end_us = now_us_;
    stream.entry.bytes = stream.body_sent;
    context_.log.add(stream.entry);
  }
  streams_.erase(found);
}

void Http2Session::answer(std::int32_t id, Stream& stream) {
  stream.asked = true;
  HttpResponse& answer = stream.answer;
  if (stream.target.size() > kLongestTarget) {
    answer.status = 414;
  } else if (!stream.target.starts_with('/') && stream.target != "*") {
    answer.status = 400;
  } else {
    std::vector<HttpField> fields;
    for (const auto& [name, value] : stream.fields) fields.push_back({name, value});
    HttpRequest asked;
    asked.method = stream.method;
    asked.https = peer_.tls;
    asked.authority = stream.authority;
    asked.target = stream.target;
    asked.fields = fields;
    context_.handler.answer(asked, {context_.web_clock.now_us(), now_us_}, answer);
  }
  if (context_.log.on()) {
    AccessEntry& entry = stream.entry;
    entry.start_us = now_us_;
    entry.connection = peer_.connection;
    entry.port = peer_.port;
    entry.protocol = peer_.tls ? "h2s" : "h2";
    entry.method = stream.method;
    entry.status = answer.delivery.bare ? 0 : answer.status;
    entry.page = answer.page;
    entry.fault = answer.fault_name;
    entry.host = stream.authority;
    entry.target = stream.target;
  }
  stream.pace = {now_us_ + answer.delivery.latency_us, answer.delivery.bytes_per_second};
  if (answer.delivery.latency_us > 0) {
    due_.emplace(stream.pace.begin_us, id);
  } else {
    submit(id, stream);
  }
}

void Http2Session::submit(std::int32_t id, Stream& stream) {
  stream.submitted = true;
  const HttpResponse& answer = stream.answer;
  const Delivery& delivery = answer.delivery;
  if (delivery.bare) {
    if (delivery.ending == Ending::kStall) return;
    const std::uint32_t code = answer.body.empty() ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_PROTOCOL_ERROR;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, code);
    return;
  }
  std::vector<std::pair<std::string_view, std::string>> fields;
  fields.emplace_back(":status", fmt::format("{}", answer.status));
  fields.emplace_back("date", context_.date(context_.web_clock.now_us()));
  fields.emplace_back("server", context_.server_name);
  for (const HttpResponse::Field& field : answer.fields()) fields.emplace_back(field.name, field.value);
  const bool may_have_body = answer.status != 204 && answer.status != 304;
  if (may_have_body && delivery.framing == BodyFraming::kLength) {
    const std::size_t length = delivery.claimed == Delivery::kAll ? answer.body.size() : delivery.claimed;
    fields.emplace_back("content-length", fmt::format("{}", length));
  }
  std::vector<nghttp2_nv> pairs;
  for (const auto& [name, value] : fields) {
    pairs.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                     reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(),
                     value.size(), NGHTTP2_NV_FLAG_NONE});
  }
  nghttp2_data_provider body{};
  body.read_callback = read_body;
  const bool body_follows = may_have_body && stream.method != "HEAD" && !answer.body.empty();
  nghttp2_submit_response(session_, id, pairs.data(), pairs.size(), body_follows ? &body : nullptr);
}

ssize_t Http2Session::read_body(nghttp2_session*, std::int32_t id, std::uint8_t* to, std::size_t size,
                                std::uint32_t* flags, nghttp2_data_source*, void* user) {
  Http2Session& session = self(user);
  const auto found = session.streams_.find(id);
  if (found == session.streams_.end()) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  Stream& stream = found->second;
  const std::string& body = stream.answer.body;
  const Delivery& delivery = stream.answer.delivery;
  const bool repeats = delivery.ending == Ending::kRepeat;
  const std::size_t limit = repeats ? Delivery::kAll : std::min(body.size(), delivery.cut);
  if (stream.body_sent == limit) {
    if (delivery.ending == Ending::kStall) return NGHTTP2_ERR_DEFERRED;
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // ends in RST_STREAM
  }
  const std::uint64_t allowed = stream.pace.allowed(session.now_us_, limit);
  if (allowed <= stream.body_sent) {
    session.due_.emplace(stream.pace.next_us(stream.body_sent), id);
    return NGHTTP2_ERR_DEFERRED;
  }
  const std::size_t at = repeats ? stream.body_sent % body.size() : stream.body_sent;
  const std::size_t n =
      std::min({size, body.size() - at, static_cast<std::size_t>(allowed - stream.body_sent)});
  std::copy_n(body.data() + at, n, to);
  stream.body_sent += n;
  const bool whole = delivery.cut == Delivery::kAll && !delivery.bad_chunk && !repeats;
  if (whole && stream.body_sent == limit) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(n);
}

void Http2Session::receive(std::string_view bytes, std::int64_t now_us) {
  now_us_ = now_us;
  if (over_) return;
  const auto used =
      nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (used < 0) over_ = true;
  pump();
}

void Http2Session::proceed(std::int64_t now_us) {
  now_us_ = now_us;
  while (!due_.empty() && due_.begin()->first <= now_us) {
    const std::int32_t id = due_.begin()->second;
    due_.erase(due_.begin());
    const auto found = streams_.find(id);
    if (found == streams_.end()) continue;
    if (found->second.submitted) {
      nghttp2_session_resume_data(session_, id);
    } else {
      submit(id, found->second);
    }
  }
  pump();
}

void Http2Session::pump() {
  if (sent_ == out_.size()) {
    out_.clear();
    sent_ = 0;
  }
  while (out_.size() - sent_ < kMuchOutput) {
    const std::uint8_t* bytes = nullptr;
    const auto n = nghttp2_session_mem_send(session_, &bytes);
    if (n < 0) over_ = true;
    if (n <= 0) break;
    out_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
  }
  if (nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0) over_ = true;
}

void Http2Session::sent(std::size_t bytes, std::int64_t now_us) {
  now_us_ = now_us;
  sent_ += bytes;
}

void Http2Session::gone(std::int64_t now_us) {
  now_us_ = now_us;
  while (!streams_.empty()) finish_stream(streams_.begin());
}

}  // namespace

std::unique_ptr<Session> make_http2_session(ServeContext& context, const Peer& peer) {
  return std::make_unique<Http2Session>(context, peer);
}

}  // namespace bowerbird
