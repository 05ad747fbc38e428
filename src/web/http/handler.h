// What the HTTP server asks of those who answer: a request in, a description of the response out.
//
// An HttpService is what is served: the test Web, a replayed archive, the control of a crawl. The server asks
// it for one HttpHandler per thread, which may keep buffers from one request to the next. A response says
// what to send and how: status, fields, body, and the delivery (delays, framing, where it breaks off), which
// only the test Web changes. A response that is not known yet is a PendingResponse, a body without a known
// end, or one that is too large for memory, a BodyStream; both are asked again when somebody calls
// Server::wake(), and are available over HTTP/1 only. Views of a request are valid during the call. Threads:
// a service is shared by all of them, a handler belongs to one.
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
  std::string_view authority;  // as it came, port and all
  std::string_view target;     // in origin-form
  std::span<const HttpField> fields;
  std::string_view body;  // empty unless the service takes bodies
  bool local = false;     // over the Unix socket, from a process of the same user

  // The first field of that name, which is in lower case; empty where there is none.
  std::string_view field(std::string_view lower) const;
};

struct Moment {
  std::int64_t web_us = 0;        // the time that responses show: what dates and changes go by
  std::int64_t monotonic_us = 0;  // the time of the machine: what limits go by
};

enum class BodyFraming : std::uint8_t { kLength, kChunked, kUntilClose };
// What happens behind the last byte.
enum class Ending : std::uint8_t {
  kKeep,    // the connection lives on
  kClose,   // it is closed
  kReset,   // it is reset
  kStall,   // it stays open, and nothing more comes
  kRepeat,  // the body begins again, for ever
};

struct Delivery {
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  std::int64_t latency_us = 0;         // before the first byte
  std::uint64_t bytes_per_second = 0;  // 0: as fast as it goes
  BodyFraming framing = BodyFraming::kLength;
  Ending ending = Ending::kKeep;
  bool bare = false;           // no status, no fields: the body is all there is
  bool bad_chunk = false;      // in the place of the last chunk size
  std::size_t cut = kAll;      // so many bytes of the body are sent
  std::size_t claimed = kAll;  // what Content-Length says, if not the truth
};

struct HttpResponse;

// A body that arrives over time, such as an event stream, or is read as it is sent.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  // Appends what is to be sent now; called when the client has taken what came before. False: the body ends.
  virtual bool read(std::int64_t monotonic_us, std::string& out) = 0;
  // After the end: something is missing. The client learns it, as the connection is reset.
  virtual bool failed() const { return false; }
  // When to call read() at the latest.
  virtual std::int64_t next_us() const = 0;
};

// A response that somebody else is preparing.
class PendingResponse {
 public:
  virtual ~PendingResponse() = default;
  // Fills the cleared `response` and returns true once it is known; at next_us() it must be.
  virtual bool take(std::int64_t monotonic_us, HttpResponse& response) = 0;
  virtual std::int64_t next_us() const = 0;
};

struct HttpResponse {
  struct Field {
    std::string_view name;  // in lower case, of static storage
    std::string value;
  };

  int status = 200;
  std::string body;
  Delivery delivery;
  std::shared_ptr<BodyStream> stream;        // in the place of the body
  std::optional<std::uint64_t> stream_size;  // of the stream's body, where it is known
  std::shared_ptr<PendingResponse> pending;  // in the place of everything
  // For the access log: a number, and a word of static storage for a response that is wrong on purpose.
  PageId page = kNoPage;
  std::string_view fault_name = "-";

  void clear();
  std::string& add_field(std::string_view name);  // its value, empty
  std::span<const Field> fields() const { return {fields_.data(), used_}; }
  const std::string* field(std::string_view name) const;
  bool is_faulty() const { return fault_name != "-"; }

 private:
  std::vector<Field> fields_;  // the first used_ count; the others are kept for their memory
  std::size_t used_ = 0;
};

enum class CertificateKind : std::uint8_t {
  kGood,
  kExpired,
  kWrongName,
  kIncomplete,  // the intermediate certificate is left out; good where there is none
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
  // Called once per thread, before requests are taken. The service outlives its handlers.
  virtual std::unique_ptr<HttpHandler> make_handler() = 0;
  // Called once, when the port is known and before requests are taken.
  virtual void on_bound(std::uint16_t /*port*/) {}
  // For TLS: what a host, in lower case, is to show.
  virtual CertificateKind certificate(std::string_view /*host*/) const { return CertificateKind::kGood; }
  // The largest request body that is passed on; larger ones are refused. 0: bodies are discarded.
  virtual std::size_t largest_body() const { return 0; }
  // The Server field of its responses.
  virtual std::string_view server_name() const { return "bowerbird"; }
};

}  // namespace bowerbird
