// A small HTTP/2 client for tests, without a network: bytes in, bytes out, what came back on each stream.
#pragma once

#include <nghttp2/nghttp2.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace bowerbird {

class Http2TestClient {
 public:
  struct Reply {
    std::map<std::string, std::string> fields;
    std::string body;
    bool closed = false;
    std::uint32_t error = 0;  // of RST_STREAM
  };

  Http2TestClient() {
    nghttp2_session_callbacks* callbacks = nullptr;
    CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    CHECK(nghttp2_session_client_new(&session_, callbacks, this) == 0);
    nghttp2_session_callbacks_del(callbacks);
    CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, nullptr, 0) == 0);
    // Wide windows: the tests are not about flow control.
    CHECK(nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, 1 << 26) == 0);
  }
  ~Http2TestClient() { nghttp2_session_del(session_); }
  Http2TestClient(const Http2TestClient&) = delete;
  Http2TestClient& operator=(const Http2TestClient&) = delete;

  std::int32_t get(std::string_view scheme, std::string_view authority, std::string_view path,
                   std::string_view method = "GET",
                   const std::vector<std::pair<std::string, std::string>>& more = {}) {
    std::vector<std::pair<std::string, std::string>> fields = {{":method", std::string(method)},
                                                               {":scheme", std::string(scheme)},
                                                               {":authority", std::string(authority)},
                                                               {":path", std::string(path)}};
    fields.insert(fields.end(), more.begin(), more.end());
    std::vector<nghttp2_nv> pairs;
    for (auto& [name, value] : fields) {
      pairs.push_back({reinterpret_cast<std::uint8_t*>(name.data()),
                       reinterpret_cast<std::uint8_t*>(value.data()), name.size(), value.size(),
                       NGHTTP2_NV_FLAG_NONE});
    }
    return nghttp2_submit_request(session_, nullptr, pairs.data(), pairs.size(), nullptr, nullptr);
  }

  // What is to be sent to the server.
  std::string output() {
    std::string out;
    for (;;) {
      const std::uint8_t* bytes = nullptr;
      const auto n = nghttp2_session_mem_send(session_, &bytes);
      if (n <= 0) return out;
      out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
    }
  }
  bool input(std::string_view bytes) {
    return nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                    bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  Reply& reply(std::int32_t stream) { return replies_[stream]; }

 private:
  static Http2TestClient& self(void* user) { return *static_cast<Http2TestClient*>(user); }
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                       void* user) {
    self(user)
        .replies_[frame->hd.stream_id]
        .fields[std::string(reinterpret_cast<const char*>(name), name_size)] =
        std::string(reinterpret_cast<const char*>(value), value_size);
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                     std::size_t size, void* user) {
    self(user).replies_[id].body.append(reinterpret_cast<const char*>(data), size);
    return 0;
  }
  static int on_close(nghttp2_session*, std::int32_t id, std::uint32_t error, void* user) {
    self(user).replies_[id].closed = true;
    self(user).replies_[id].error = error;
    return 0;
  }

  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Reply> replies_;
};

}  // namespace bowerbird
