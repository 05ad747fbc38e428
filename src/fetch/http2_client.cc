#include "fetch/http2_client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/http_head.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMuchOutput = 64 << 10;
constexpr std::size_t kFrameHead = 9;

nghttp2_nv pair_of(std::string_view name, std::string_view value) {
  // The library copies both and does not modify them.
  return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          NGHTTP2_NV_FLAG_NONE};
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

std::optional<std::uint64_t> length_in(std::string_view head) {
  const std::string_view value = head_field(head, "content-length");
  std::uint64_t length = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (value.empty() || fault != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return length;
}

}  // namespace

Http2Client::Http2Client(std::size_t max_head) : max_head_(max_head) {
  nghttp2_session_callbacks* callbacks = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_option_new(&option) == 0);
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_max_outbound_ack(option, 100);
  nghttp2_option_set_max_settings(option, 32);
  nghttp2_option_set_no_closed_streams(option, 1);
  CHECK(nghttp2_session_client_new2(&session_, callbacks, this, option) == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  const std::array<nghttp2_settings_entry, 3> settings = {{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(max_head_)},
  }};
  CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
  CHECK(nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kConnectionWindow) == 0);
}

Http2Client::~Http2Client() {
  nghttp2_session_del(session_);
}

// ---- requests

bool Http2Client::has_room() const {
  const std::size_t allowed =
      nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  return is_usable() && streams_.size() < std::min(kMostStreams, allowed);
}

bool Http2Client::submit(ResponseSink& sink, std::string_view request) {
  if (!is_usable()) return false;
  std::vector<std::pair<std::string, std::string_view>> fields;
  const std::size_t line_end = request.find("\r\n");
  std::string_view target = request.substr(0, line_end);
  target.remove_prefix(std::min(target.find(' ') + 1, target.size()));
  target = target.substr(0, target.rfind(' '));
  std::string_view authority;
  for (std::string_view rest = request.substr(line_end + 2); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    std::string name = lowered(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "host") {
      authority = value;
    } else if (name != "connection") {  // RFC 9113, 8.2.2
      fields.emplace_back(std::move(name), value);
    }
  }
  std::vector<nghttp2_nv> pairs = {pair_of(":method", "GET"), pair_of(":scheme", "https"),
                                   pair_of(":authority", authority), pair_of(":path", target)};
  for (const auto& [name, value] : fields) pairs.push_back(pair_of(name, value));
  const std::int32_t id =
      nghttp2_submit_request(session_, nullptr, pairs.data(), pairs.size(), nullptr, nullptr);
  if (id < 0) return false;
  streams_[id].sink = &sink;
  stray_ = 0;
  return true;
}

void Http2Client::take_output(std::string& out) {
  while (out.size() < kMuchOutput) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
    if (size <= 0) {
      if (size < 0) usable_ = false;
      return;
    }
    out.append(text_of(bytes, static_cast<std::size_t>(size)));
  }
}

// ---- responses

Http2Client::Stream* Http2Client::find(std::int32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : &found->second;
}

Http2Client::Streams::iterator Http2Client::stream_of(const ResponseSink& sink) {
  return std::ranges::find_if(streams_, [&sink](const auto& one) { return one.second.sink == &sink; });
}

int Http2Client::status(const ResponseSink& sink) const {
  const auto found =
      std::ranges::find_if(streams_, [&sink](const auto& one) { return one.second.sink == &sink; });
  return found == streams_.end() ? 0 : found->second.status;
}

// The library counts a CONTINUATION frame again each time it gets a part of its header, and closes
// connections with too many. So frame headers are passed to it whole.
bool Http2Client::receive(std::string_view bytes, std::int64_t now_us) {
  now_us_ = now_us;
  while (!bytes.empty()) {
    std::size_t size = std::min(frame_left_, bytes.size());
    if (frame_left_ > 0) {
      if (!read(bytes.substr(0, size))) return false;
      frame_left_ -= size;
    } else {
      size = std::min(kFrameHead - frame_head_.size(), bytes.size());
      frame_head_.append(bytes.substr(0, size));
      if (frame_head_.size() == kFrameHead) {
        for (const std::size_t i : {0, 1, 2}) frame_left_ = frame_left_ << 8 | std::uint8_t(frame_head_[i]);
        if (!read(std::exchange(frame_head_, {}))) return false;
      }
    }
    bytes.remove_prefix(size);
  }
  return true;
}

bool Http2Client::read(std::string_view bytes) {
  const ssize_t used =
      nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (used >= 0 && usable_ && (nghttp2_session_want_read(session_) != 0 || !streams_.empty())) return true;
  usable_ = false;
  if (trouble_.empty())
    trouble_ = used < 0 ? nghttp2_strerror(static_cast<int>(used)) : "the server ended HTTP/2";
  break_all(used < 0 ? End::kMalformed : End::kBroken);
  return false;
}

void Http2Client::end_of_input() {
  usable_ = false;
  if (trouble_.empty()) trouble_ = "the server closed the connection";
  break_all(End::kBroken);
}

void Http2Client::break_all(End end) {
  // In the order of stream ids, since the map is unordered.
  std::vector<std::int32_t> ids;
  for (const auto& [id, stream] : streams_) ids.push_back(id);
  std::ranges::sort(ids);
  for (const std::int32_t id : ids) {
    const auto at = streams_.find(id);
    const Stream& stream = at->second;
    close(at, stream.too_large ? End::kHeadTooLarge : stream.stopped ? End::kStopped : end);
  }
}

// Bytes count as stray until they prove useful.
int Http2Client::on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user) {
  Http2Client& client = self(user);
  client.stray_ += kFrameHead + (head->type == NGHTTP2_DATA ? 0 : head->length);
  if (client.stray_ <= client.max_head_ + kMostStray) return 0;
  client.trouble_ = "too many HTTP/2 frames without content";
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

int Http2Client::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  Stream* const stream = self(user).find(frame->hd.stream_id);
  if (stream == nullptr || stream->has_head) return 0;
  stream->head.clear();
  stream->status = 0;
  stream->sink->received(frame->hd.length, self(user).now_us_);
  return 0;
}

int Http2Client::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                           std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                           std::uint8_t, void* user) {
  Http2Client& client = self(user);
  Stream* const stream = client.find(frame->hd.stream_id);
  if (stream == nullptr) return 0;
  stream->head_bytes += name_size + value_size + 4;
  if (stream->head_bytes > client.max_head_) {
    stream->too_large = true;
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  if (!stream->has_head) {  // otherwise these are trailers
    client.take_field(*stream, text_of(name, name_size), text_of(value, value_size));
  }
  return 0;
}

// The library has checked that there is one status, and that it comes first.
void Http2Client::take_field(Stream& stream, std::string_view name, std::string_view value) {
  if (name == ":status") {
    std::from_chars(value.data(), value.data() + value.size(), stream.status);
    stream.head.append("HTTP/1.1 ").append(value).append(" \r\n");
  } else if (!name.starts_with(':')) {
    stream.head.append(name).append(": ").append(value).append("\r\n");
  }
}

int Http2Client::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  Http2Client& client = self(user);
  if (frame->hd.type != NGHTTP2_HEADERS) return 0;
  Stream* const stream = client.find(frame->hd.stream_id);
  if (stream != nullptr && !stream->has_head && stream->status >= 200) {
    client.finish_head(frame->hd.stream_id, *stream);
  }
  return 0;
}

void Http2Client::finish_head(std::int32_t id, Stream& stream) {
  stream.has_head = true;
  stray_ = 0;
  stream.head += "\r\n";
  const auto length = length_in(stream.head);
  if (stream.sink->begin_body(stream.status, std::exchange(stream.head, {}), length) ==
      ResponseSink::Take::kStop) {
    stop(id, stream);
  }
}

void Http2Client::stop(std::int32_t id, Stream& stream) {
  stream.stopped = true;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

int Http2Client::on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes,
                         std::size_t size, void* user) {
  Http2Client& client = self(user);
  Stream* const stream = client.find(id);
  if (stream == nullptr || stream->stopped) {
    nghttp2_session_consume_connection(client.session_, size);
    return 0;
  }
  client.stray_ = 0;
  stream->sink->received(size, client.now_us_);
  if (stream->waits) {
    stream->held.append(text_of(bytes, size));
    return 0;
  }
  switch (stream->sink->take_body(text_of(bytes, size), client.now_us_)) {
    case ResponseSink::Take::kMore:
      nghttp2_session_consume(client.session_, id, size);
      break;
    case ResponseSink::Take::kWait:
      stream->waits = true;
      stream->held.assign(text_of(bytes, size));
      break;
    case ResponseSink::Take::kStop:
      nghttp2_session_consume_connection(client.session_, size);
      client.stop(id, *stream);
      break;
  }
  return 0;
}

bool Http2Client::resume(ResponseSink& sink, std::int64_t now_us) {
  const auto at = stream_of(sink);
  if (at == streams_.end() || !at->second.waits) return true;
  auto& [id, stream] = *at;
  const std::size_t size = stream.held.size();
  const ResponseSink::Take take = sink.take_body(stream.held, now_us);
  if (take == ResponseSink::Take::kWait) return false;
  stream.waits = false;
  std::string().swap(stream.held);
  if (stream.closed) {
    nghttp2_session_consume_connection(session_, size);
    close(at, take == ResponseSink::Take::kStop ? End::kStopped : End::kDone);
  } else if (take == ResponseSink::Take::kStop) {
    nghttp2_session_consume_connection(session_, size);
    stop(id, stream);
  } else {
    nghttp2_session_consume(session_, id, size);
  }
  return true;
}

int Http2Client::on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
  Http2Client& client = self(user);
  const auto at = client.streams_.find(id);
  if (at == client.streams_.end()) return 0;
  const End end = end_of(at->second, code);
  if (end == End::kDone && at->second.waits) {
    at->second.closed = true;
  } else {
    client.close(at, end);
  }
  return 0;
}

Http2Client::End Http2Client::end_of(const Stream& stream, std::uint32_t code) {
  if (stream.too_large) return End::kHeadTooLarge;
  if (stream.stopped) return End::kStopped;
  if (code == NGHTTP2_NO_ERROR) return stream.has_head ? End::kDone : End::kBroken;
  if (code == NGHTTP2_REFUSED_STREAM && stream.status == 0) return End::kRefused;
  if (code == NGHTTP2_HTTP_1_1_REQUIRED && stream.status == 0) return End::kNeedsHttp1;
  // The library's own error for invalid HTTP.
  return code == NGHTTP2_PROTOCOL_ERROR ? End::kMalformed : End::kBroken;
}

void Http2Client::close(Streams::iterator at, End end) {
  // Discarded bytes make room in the connection window for other streams.
  if (!at->second.held.empty()) nghttp2_session_consume_connection(session_, at->second.held.size());
  ended_.push_back({at->second.sink, end});
  streams_.erase(at);
}

void Http2Client::cancel(ResponseSink& sink) {
  const auto at = stream_of(sink);
  if (at == streams_.end()) return;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, at->first, NGHTTP2_CANCEL);
  if (!at->second.held.empty()) nghttp2_session_consume_connection(session_, at->second.held.size());
  streams_.erase(at);
}

std::vector<Http2Client::Ended> Http2Client::take_ended() {
  return std::exchange(ended_, {});
}

}  // namespace bowerbird
