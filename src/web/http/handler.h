// The interface between the HTTP server and what it serves: a request in, a description of the response
// out.
//
// An HttpService is what is served: the test Web, a replayed archive, the control of a crawl. The server
// gets one HttpHandler per thread from it, which may keep buffers from one request to the next. A
// response says what to send and how: status, header fields, body, and the delivery (delays, framing,
// where it breaks off), which only the test Web changes. A PendingResponse is a response that is not
// known yet. A BodyStream is a body that is produced over time, or too large for memory. Both are polled
// again after Server::wake(), and are available over HTTP/1 only. Views of a request are valid during the
// call. Threads: a service is shared by all threads, a handler belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "web/http/http1.h"

namespace bowerbird {

struct HttpRequest {
  std::string_view method = "GET";
  bool https = false;
  std::string_view authority;  // as received, including the port
  std::string_view target;     // in origin-form
  std::span<const HttpField> fields;
  std::string_view body;  // empty unless the service accepts bodies
  bool local = false;     // over the Unix socket, from a process of the same user

  // The first field of this name (lower case); empty: none.
  std::string_view field(std::string_view lower) const;
};

struct Moment {
  std::int64_t web_us = 0;        // the time shown in responses, for dates and changes
  std::int64_t monotonic_us = 0;  // the clock of the machine, for limits
};

enum class BodyFraming : std::uint8_t { kLength, kChunked, kUntilClose };
// What happens after the last byte.
enum class Ending : std::uint8_t {
  kKeep,    // keep the connection
  kClose,   // close it
  kReset,   // reset it
  kStall,   // leave it open without sending anything
  kRepeat,  // repeat the body for ever
};

struct Delivery {
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  std::int64_t latency_us = 0;         // before the first byte
  std::uint64_t bytes_per_second = 0;  // 0: no limit
  BodyFraming framing = BodyFraming::kLength;
  Ending ending = Ending::kKeep;
  bool bare = false;           // without status and header fields, only the body
  bool bad_chunk = false;      // invalid chunk size instead of the last one
  std::size_t cut = kAll;      // only this many bytes of the body are sent
  std::size_t claimed = kAll;  // value of Content-Length, if not the size of the body
};

struct HttpResponse;

// A body that is produced over time, such as an event stream, or read while it is sent.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  // Appends what is to be sent now. Called when the client has received everything so far. False: the
  // body ends.
  virtual bool read(std::int64_t monotonic_us, std::string& out) = 0;
  // After the end: whether something is missing. The connection is then reset, so that the client
  // notices.
  virtual bool failed() const { return false; }
  // The latest time of the next read().
  virtual std::int64_t next_us() const = 0;
};

// A response that is still being prepared.
class PendingResponse {
 public:
  virtual ~PendingResponse() = default;
  // Fills the cleared `response` and returns true once it is known; at next_us() at the latest.
  virtual bool take(std::int64_t monotonic_us, HttpResponse& response) = 0;
  virtual std::int64_t next_us() const = 0;
};

struct HttpResponse {
  struct Field {
    std::string_view name;  // lower case, of static storage
    std::string value;
  };

  int status = 200;
  std::string body;
  Delivery delivery;
  std::shared_ptr<BodyStream> stream;        // replaces the body
  std::optional<std::uint64_t> stream_size;  // size of the stream's body, if known
  std::shared_ptr<PendingResponse> pending;  // replaces everything
  // For the access log: a page, and a static word for a response that is wrong on purpose.
  PageId page = kNoPage;
  std::string_view fault_name = "-";

  void clear();
  std::string& add_field(std::string_view name);  // its value, initially empty
  std::span<const Field> fields() const { return {fields_.data(), used_}; }
  const std::string* field(std::string_view name) const;
  bool is_faulty() const { return fault_name != "-"; }

 private:
  std::vector<Field> fields_;  // the first used_ are valid; the others keep their memory
  std::size_t used_ = 0;
};

enum class CertificateKind : std::uint8_t {
  kGood,
  kExpired,
  kWrongName,
  kIncomplete,  // without the intermediate certificate; kGood if there is none
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Replaces `response`.
  virtual void answer(const HttpRequest& request, const Moment& moment, HttpResponse& response) = 0;
};

class HttpService {
 public:
  virtual ~HttpService() = default;
  // Called once per thread, before requests are accepted. The service outlives its handlers.
  virtual std::unique_ptr<HttpHandler> make_handler() = 0;
  // Called once, when the port is known and before requests are accepted.
  virtual void on_bound(std::uint16_t /*port*/) {}
  // TLS: which certificate the host (lower case) presents.
  virtual CertificateKind certificate(std::string_view /*host*/) const { return CertificateKind::kGood; }
  // The maximum size of request bodies; larger ones are refused. 0: bodies are discarded.
  virtual std::size_t largest_body() const { return 0; }
  // The Server field of its responses.
  virtual std::string_view server_name() const { return "bowerbird"; }
};

}  // namespace bowerbird
