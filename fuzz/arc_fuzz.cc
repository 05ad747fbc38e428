// Any line can be read as the head of an ARC record, and any bytes as an ARC file; and what is written as an
// ARC record is read back as it was.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "base/check.h"
#include "store/arc_head.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

using namespace bowerbird;

namespace {

void read_file(std::string_view bytes) {
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  std::uint64_t pieces = 0;
  const Progress at_most([&](std::string_view, std::uint64_t, std::uint64_t) { return ++pieces < 4; });
  const WarcReport report = check_warc(reader, at_most);
  CHECK(report.problem_count > 0 || report.records > 0 || report.stopped);
}

void read_line(std::string_view line) {
  const auto head = arc_head(line, 7);
  if (!head) return;
  CHECK(head->type() == "response" || head->type() == "warcinfo");
  CHECK(!head->field("WARC-Record-ID").empty());
  CHECK(head->field("Content-Length") == std::to_string(head->content_length));
  for (const auto& [name, value] : head->fields) CHECK(value.find('\n') == value.npos);
}

void write_and_read(std::string_view body) {
  const std::string file = fmt::format(
      "filedesc://x.arc 0.0.0.0 20050801000000 text/plain 2\nok\n"
      "http://a.test/ 192.0.2.1 20050801123456 text/html {}\n{}\n",
      body.size(), body);
  WarcReader reader(InputStream::from_memory(file, "X"));
  CHECK(*reader.next());
  CHECK(reader.is_arc());
  CHECK(*reader.next());
  CHECK(reader.head().field("WARC-Target-URI") == "http://a.test/");
  CHECK(*reader.read_all(body.size()) == body);
  CHECK(!*reader.next());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_file(bytes);
  read_line(bytes.substr(0, bytes.find('\n')));
  write_and_read(bytes);
  return 0;
}
