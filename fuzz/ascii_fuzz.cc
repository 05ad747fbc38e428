// A graph read as an ASCIIGraph, written and read again is the same.
#include <cstddef>
#include <cstdint>

#include "graph/io/ascii.h"
#include "graph_property.h"
#include "sys/sink.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto in = InputStream::from_memory({reinterpret_cast<const char*>(data), size}, "X");
  const auto graph = read_ascii(*in);
  if (!graph.ok()) {
    CHECK(graph.error().text.starts_with("X: "));
    return 0;
  }
  StringSink sink;
  CHECK(write_ascii(*graph, sink).ok());
  const auto back = InputStream::from_memory(sink.text(), "Y");
  const auto again = read_ascii(*back);
  CHECK(again.ok());
  check_same(*graph, *again);
  return 0;
}
