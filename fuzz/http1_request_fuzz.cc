// For any bytes, the result of parsing a request head does not depend on how they were split, its parts are
// within the bytes, and an accepted head is accepted again after it is written out.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "web/http/http1.h"

namespace bowerbird {
namespace {

constexpr Http1Limits kLimits{200, 600, 12};  // small, so that they are reached

Http1Parse parse(std::string_view bytes, Http1Request& request) {
  return parse_http1_request(bytes, kLimits, request);
}

void check_prefixes(std::string_view bytes, const Http1Parse& whole) {
  Http1Request request;
  const std::size_t end = whole.state == Http1Parse::kDone ? whole.used : bytes.size();
  for (std::size_t n = 0; n < end; ++n) {
    const std::unique_ptr<char[]> exact(new char[n]);
    bytes.copy(exact.get(), n);
    const Http1Parse part = parse({exact.get(), n}, request);
    if (whole.state != Http1Parse::kBad) {
      CHECK(part.state == Http1Parse::kMore);
    } else if (part.state == Http1Parse::kBad) {
      CHECK(part.status == whole.status);
    } else {
      CHECK(part.state == Http1Parse::kMore);
    }
  }
}

void check_inside(std::string_view bytes, std::string_view view) {
  if (view.empty() || view == "/") return;
  CHECK(view.data() >= bytes.data() && view.data() + view.size() <= bytes.data() + bytes.size());
}

std::string written_out(const Http1Request& request) {
  std::string text(request.method);
  text.append(" ").append(request.target).append(request.minor == 0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
  for (const HttpField& field : request.fields) {
    text.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  return text += "\r\n";
}

void check(std::string_view bytes) {
  Http1Request request;
  const Http1Parse whole = parse(bytes, request);
  check_prefixes(bytes, whole);
  if (whole.state == Http1Parse::kBad) CHECK(whole.status >= 400 && whole.status < 600);
  if (whole.state != Http1Parse::kDone) return;
  CHECK(whole.used <= bytes.size() && request.fields.size() <= kLimits.fields);
  CHECK(!request.target.empty() && !request.method.empty());
  check_inside(bytes, request.method);
  check_inside(bytes, request.target);
  check_inside(bytes, request.authority);
  Http1Request again;
  const std::string text = written_out(request);
  // A blank may be added per field, so the limits of the second parse are larger.
  const Http1Parse second = parse_http1_request(text, {400, 1200, 12}, again);
  CHECK(second.state == Http1Parse::kDone && second.used == text.size());
  CHECK(again.method == request.method && again.target == request.target);
  CHECK(again.fields.size() == request.fields.size() && again.keep_alive == request.keep_alive);
  CHECK(again.content_length == request.content_length && again.chunked == request.chunked);
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= 2000) bowerbird::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
