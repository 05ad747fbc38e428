// The client side of HTTP/2 on one connection (RFC 9113): sends requests, and passes responses to their
// sinks. Framing and header compression by libnghttp2; no sockets.
//
// Problem: a server may send frames for ever without making progress: settings, pings, empty data,
// endless headers, resets. So bytes that do not advance a response are counted, and a connection with
// more than kMostStray of them, beyond one header, is ended. Headers have a size limit, uncompressed.
// Push is refused. Flow control receives bodies only as fast as their sinks accept them; at most
// kStreamWindow bytes of each are buffered. Invariant: what sinks receive, and how streams end, depends
// only on the bytes, not on how they are split. Sinks outlive their streams. Threads: one.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fetch/response_sink.h"

namespace bowerbird {

class Http2Client {
 public:
  static constexpr std::size_t kMostStray = 64 << 10;
  static constexpr std::int32_t kStreamWindow = 256 << 10;
  static constexpr std::int32_t kConnectionWindow = 1 << 20;
  static constexpr std::size_t kMostStreams = 100;

  enum class End : std::uint8_t {
    kDone,        // a complete response
    kStopped,     // by its sink
    kRefused,     // the server did not process the request: it may be repeated
    kNeedsHttp1,  // the server requires HTTP/1.1 for it
    kBroken,      // by the server
    kMalformed,
    kHeadTooLarge,
  };
  struct Ended {
    ResponseSink* sink;
    End end;
  };

  explicit Http2Client(std::size_t max_head);
  ~Http2Client();
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;

  // request: in the form of HTTP/1.1 (request_text.h). False: it cannot be sent on this connection.
  bool submit(ResponseSink& sink, std::string_view request);
  // False: the connection can no longer be used; trouble() has the reason. All its streams have ended.
  bool receive(std::string_view bytes, std::int64_t now_us);
  // The peer has closed the connection.
  void end_of_input();
  // Offers a sink the bytes that it could not take. False: it still cannot take them.
  bool resume(ResponseSink& sink, std::int64_t now_us);
  // Ends the stream of the sink without reporting it.
  void cancel(ResponseSink& sink);
  // Appends the bytes to be sent.
  void take_output(std::string& out);
  // Streams that ended since the last call.
  std::vector<Ended> take_ended();

  std::size_t streams() const { return streams_.size(); }
  // has_room(): whether a request can be sent now. is_usable(): whether one can ever be sent.
  bool has_room() const;
  bool is_usable() const { return usable_ && nghttp2_session_check_request_allowed(session_) != 0; }
  int status(const ResponseSink& sink) const;
  const std::string& trouble() const { return trouble_; }

 private:
  struct Stream {
    ResponseSink* sink = nullptr;
    int status = 0;
    std::string head;
    std::size_t head_bytes = 0;
    bool has_head = false;   // the header of the final response
    bool stopped = false;    // by the sink
    bool too_large = false;  // the head
    bool closed = false;     // by the server; the sink has not taken everything
    bool waits = false;
    std::string held;  // bytes for which the sink had no room
  };
  using Streams = std::unordered_map<std::int32_t, Stream>;

  static Http2Client& self(void* user) { return *static_cast<Http2Client*>(user); }
  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user);
  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                       void* user);
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes,
                     std::size_t size, void* user);
  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user);

  bool read(std::string_view bytes);
  Stream* find(std::int32_t id);
  Streams::iterator stream_of(const ResponseSink& sink);
  void take_field(Stream& stream, std::string_view name, std::string_view value);
  void finish_head(std::int32_t id, Stream& stream);
  void stop(std::int32_t id, Stream& stream);
  void close(Streams::iterator at, End end);
  void break_all(End end);
  static End end_of(const Stream& stream, std::uint32_t code);

  nghttp2_session* session_ = nullptr;
  std::size_t max_head_;
  std::string frame_head_;      // received part of the frame header
  std::size_t frame_left_ = 0;  // bytes of the frame's payload still to come
  std::size_t stray_ = 0;
  std::int64_t now_us_ = 0;
  bool usable_ = true;
  Streams streams_;
  std::vector<Ended> ended_;
  std::string trouble_;
};

}  // namespace bowerbird
