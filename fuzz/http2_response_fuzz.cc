// For any bytes from a server, what the responses of an HTTP/2 connection are read as does not depend on how
// the bytes were cut; every stream ends once, and heads are within their limit. How much of the body was
// taken before a fault was found may depend on the cuts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "fetch/http2_client.h"

namespace bowerbird {
namespace {

constexpr std::size_t kMaxHead = 500;  // small, so that it is reached
constexpr std::size_t kStopAt = 3000;  // a body

struct Sink final : ResponseSink {
  void received(std::size_t, std::int64_t) override {}
  Take begin_body(int code, std::string text, std::optional<std::uint64_t> said) override {
    CHECK(head.empty() && text.size() <= kMaxHead + 20 && code >= 200);
    status = code;
    head = std::move(text);
    length = said;
    return Take::kMore;
  }
  Take take_body(std::string_view bytes, std::int64_t) override {
    CHECK(!head.empty() && body.size() < kStopAt);
    body.append(bytes.substr(0, kStopAt - body.size()));
    return body.size() == kStopAt ? Take::kStop : Take::kMore;
  }

  int status = 0;
  std::string head;
  std::string body;
  std::optional<std::uint64_t> length;
  int ends = 0;
  Http2Client::End end = Http2Client::End::kBroken;
};

std::string read(std::string_view bytes, unsigned cuts) {
  Http2Client client(kMaxHead);
  std::vector<Sink> sinks(3);
  for (Sink& sink : sinks) {
    CHECK(client.submit(sink, "GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: x\r\n\r\n"));
  }
  std::string out;
  client.take_output(out);
  unsigned state = cuts;
  bool open = true;
  while (open && !bytes.empty()) {
    state = state * 1103515245u + 12345u;
    const std::size_t wanted = cuts == 0 ? bytes.size() : cuts == 1 ? 1 : (state >> 16) % cuts + 1;
    const std::size_t size = std::min(wanted, bytes.size());
    const std::unique_ptr<char[]> exact(new char[size]);
    bytes.copy(exact.get(), size);
    bytes.remove_prefix(size);
    open = client.receive({exact.get(), size}, 0);
  }
  if (open) client.end_of_input();
  CHECK(client.streams() == 0);
  for (const Http2Client::Ended& one : client.take_ended()) {
    Sink& sink = *static_cast<Sink*>(one.sink);
    ++sink.ends;
    sink.end = one.end;
  }
  std::string seen;
  for (const Sink& sink : sinks) {
    CHECK(sink.ends == 1);
    if (sink.end == Http2Client::End::kDone) CHECK(!sink.head.empty());
    const bool sound = sink.end == Http2Client::End::kDone || sink.end == Http2Client::End::kStopped;
    seen += std::to_string(static_cast<int>(sink.end)) + " " + std::to_string(sink.status) + " " + sink.head +
            std::to_string(sink.length.value_or(0)) + (sound ? sink.body : "") + "\n";
  }
  return seen;
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20'000) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = bowerbird::read(bytes, 0);
  for (const unsigned cuts : {1u, 7u, 100u}) CHECK(bowerbird::read(bytes, cuts) == whole);
  return 0;
}
