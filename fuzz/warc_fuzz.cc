// Any bytes can be read as a WARC file; and any page, stored with any compression, is read back unchanged,
// with correct digests.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"

using namespace bowerbird;

namespace {

class TextSink final : public WarcSink {
 public:
  Status write(std::string_view packed) override {
    text.append(packed);
    return {};
  }
  std::uint64_t bytes() const override { return text.size(); }
  std::string text;
};

void read_through(std::string_view bytes) {
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  std::uint64_t pieces = 0;
  const Progress at_most([&](std::string_view, std::uint64_t, std::uint64_t) { return ++pieces < 4; });
  const WarcReport report = check_warc(reader, at_most);
  CHECK(report.problem_count > 0 || report.records > 0 || report.stopped);
}

// The input split in three: fields of the response, body, metadata.
void write_and_read(std::string_view bytes, WarcCompression compression) {
  StoredFetch fetch;
  fetch.url = "http://www.example.org/";
  const std::size_t third = bytes.size() / 3;
  fetch.response_head = bytes.substr(0, third);
  fetch.body = bytes.substr(third, third);
  append_warc_field(fetch.metadata, "note", bytes.substr(2 * third));
  TextSink sink;
  WarcWriter writer({.compression = compression, .block_digests = true}, {1, 2});
  CHECK(writer.write_fetch(sink, fetch, sha1(fetch.body), nullptr).ok());

  WarcReader reader(InputStream::from_memory(sink.text, "X"));
  CHECK(*reader.next());
  CHECK(reader.head().type() == "response");
  const auto block = reader.read_all(bytes.size() * 20 + 1000);
  CHECK(block.ok());
  CHECK(block->ends_with(fetch.body));
  CHECK(*reader.next());
  CHECK(reader.head().type() == "metadata");
  CHECK(*reader.read_all(bytes.size() + 1000) == fetch.metadata);
  CHECK(!*reader.next());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_through(bytes);
  for (const auto compression : {WarcCompression::kNone, WarcCompression::kGzip, WarcCompression::kZstd}) {
    write_and_read(bytes, compression);
  }
  return 0;
}
