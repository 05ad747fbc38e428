// For any bytes, what an HTTP/1 response is read as does not depend on how the bytes were cut; heads are
// within their limit, and the head of an accepted response is accepted again with the same meaning.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "parse/http1_response.h"

namespace bowerbird {
namespace {

using Step = Http1ResponseReader::Step;
constexpr std::size_t kMaxHead = 300;  // small, so that it is reached

struct Transcript {
  std::string head;
  std::string body;
  int status = 0;
  bool ended = false;
  bool keep_alive = false;
  ResponseFault fault = ResponseFault::kNone;
  std::size_t used = 0;

  bool operator==(const Transcript&) const = default;
};

// cuts: sizes of the pieces, from the bytes themselves; 0: one piece.
Transcript read(std::string_view bytes, unsigned cuts) {
  Http1ResponseReader reader(kMaxHead);
  Transcript seen;
  unsigned state = cuts;
  Step step = Step::kMore;
  while (step != Step::kEnd && step != Step::kBad) {
    state = state * 1103515245u + 12345u;
    const std::size_t wanted = cuts == 0 ? bytes.size() : cuts == 1 ? 1 : (state >> 16) % cuts + 1;
    const std::size_t size = std::min(wanted, bytes.size() - seen.used);
    const std::unique_ptr<char[]> exact(new char[size]);
    bytes.substr(seen.used).copy(exact.get(), size);
    std::string_view in(exact.get(), size);
    do {
      step = reader.read(in);
      if (step == Step::kHead) seen.head = reader.head();
      if (step == Step::kBody) {
        CHECK(!reader.piece().empty());
        seen.body += reader.piece();
      }
    } while (step == Step::kHead || step == Step::kBody);
    if (step == Step::kMore) CHECK(in.empty());
    seen.used += size - in.size();
    if (step == Step::kMore && seen.used == bytes.size()) step = reader.end_of_input();
  }
  CHECK(reader.head().size() <= kMaxHead);
  seen.status = reader.status();
  seen.ended = step == Step::kEnd;
  seen.keep_alive = reader.keep_alive();
  seen.fault = reader.fault();
  if (step == Step::kBad) seen.used = 0;  // how far it looked is not part of the result
  return seen;
}

void check(std::string_view bytes) {
  const Transcript whole = read(bytes, 0);
  for (const unsigned cuts : {1u, 2u, 5u, 40u}) CHECK(read(bytes, cuts) == whole);
  CHECK(whole.ended == (whole.fault == ResponseFault::kNone));
  if (!whole.ended) return;
  CHECK(whole.status >= 200 && whole.status <= 999 && whole.used <= bytes.size());
  CHECK(whole.body.size() <= whole.used);
  const Transcript again = read(whole.head, 0);
  CHECK(again.head == whole.head && again.status == whole.status);
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= 2000) bowerbird::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
