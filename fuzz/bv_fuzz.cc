// The BVGraph reader on any bytes. Properties: it accepts exactly what the slow implementation accepts and
// reads the same lists; scan and random access agree, with and without offsets; what was read can be written
// and read back unchanged.
//
// Input: two little-endian 16-bit lengths, the text of the properties, the lists, and (the rest) the offsets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "graph/io/bv_testing.h"
#include "graph/io/bv_twin.h"
#include "graph/io/bv_writer.h"

namespace {

using namespace bowerbird;
using bv_testing::accessed;
using bv_testing::Lists;
using bv_testing::open_bytes;
using bv_testing::scanned;

// A few bytes can represent very many links. Larger graphs than this are opened, but not traversed.
constexpr std::uint64_t kMostLinks = 1 << 14;

struct Input {
  std::string properties, lists, offsets;
};

Input split(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto length = [&](std::size_t at) { return std::size_t{data[at]} | std::size_t{data[at + 1]} << 8; };
  Input input;
  if (size < 4) return input;
  const std::size_t first = std::min(length(0), size - 4);
  const std::size_t second = std::min(length(2), size - 4 - first);
  input.properties = text.substr(4, first);
  input.lists = text.substr(4 + first, second);
  input.offsets = text.substr(4 + first + second);
  return input;
}

void expect_rewrites(const Graph& graph, const Lists& lists, BvOptions options) {
  options.window = std::min(options.window, 16u);
  if (graph.pages() > 1000) options.codes = BvCodes();  // unary codes of large numbers are very long
  options.zeta_k = std::min(options.zeta_k, BvOptions::kMaxZetaK);
  bv_testing::StringSink written, offsets;
  const auto stats = compress_bv(graph, options, written, offsets);
  CHECK(stats.ok());
  const auto again = open_bytes({stats->pages, stats->links, options}, written.text(), &offsets.text());
  CHECK(again.ok());
  CHECK(scanned(**again) == lists);
  CHECK(accessed(**again) == lists);
  CHECK((*again)->status().ok());
}

// The lists, if the graph opens and all of them are valid.
std::optional<Lists> without_offsets(const BvProperties& properties, const std::string& bytes) {
  const auto graph = open_bytes(properties, bytes);
  if (!graph.ok()) return std::nullopt;
  const Lists lists = scanned(**graph);
  if (!(*graph)->status().ok()) return std::nullopt;
  CHECK(accessed(**graph) == lists);
  const PageId middle = (*graph)->pages() / 2;
  CHECK(scanned(**graph, middle, (*graph)->pages()) == Lists(lists.begin() + middle, lists.end()));
  CHECK((*graph)->status().ok());
  expect_rewrites(**graph, lists, properties.options);
  return lists;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = split(data, size);
  const auto properties = parse_bv_properties(input.properties, "fuzz.properties");
  if (!properties.ok()) return 0;
  if (properties->links > kMostLinks) {
    (void)open_bytes(*properties, input.lists).ok();
    return 0;
  }
  const auto lists = without_offsets(*properties, input.lists);
  if (lists || properties->pages <= 256) {
    CHECK(BvTwin::decode(*properties, bv_testing::bytes_of(input.lists)) == lists);
  }
  const auto graph = open_bytes(*properties, input.lists, &input.offsets);
  if (graph.ok()) {
    const Lists by_page = accessed(**graph);
    if ((*graph)->status().ok()) CHECK(by_page == lists);
    CHECK(scanned(**graph) == by_page || !(*graph)->status().ok());
  }
  return 0;
}
