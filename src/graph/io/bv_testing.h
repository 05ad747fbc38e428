// Shared by the tests, the fuzz target and the bench of the BVGraph format: bits by hand, graphs by hand, and
// files in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "graph/csr.h"
#include "graph/io/bv_bits.h"
#include "graph/io/bv_graph.h"

namespace bowerbird::bv_testing {

// A sink that keeps the bytes.
class StringSink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text_ += bytes;
    return {};
  }
  Status finish() override { return {}; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A sink that is always full.
class FullSink final : public ByteSink {
 public:
  Status write(std::string_view) override { return error("no space left"); }
  Status finish() override { return error("no space left"); }
};

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// "1 010" as bytes: zeros and ones, anything else only separates; the last byte is filled with zeros.
inline std::string from_bits(std::string_view digits) {
  StringSink sink;
  BitWriter out(sink);
  for (const char digit : digits) {
    if (digit == '0' || digit == '1') out.bits(digit == '1', 1);
  }
  CHECK(out.finish().ok());
  return sink.text();
}

// The first n bits of bytes as zeros and ones.
inline std::string to_bits(std::string_view bytes, std::uint64_t n) {
  BitReader in(bytes_of(bytes));
  std::string digits;
  while (n-- > 0) digits += in.bits(1) == 1 ? '1' : '0';
  return digits;
}

using Lists = std::vector<std::vector<PageId>>;

inline CsrGraph graph_of(const Lists& lists) {
  CsrBuilder builder;
  for (std::vector<PageId> list : lists) builder.add(list);
  return std::move(builder).finish();
}

// All lists, by scan.
inline Lists scanned(const Graph& graph, PageId first, PageId last) {
  Lists lists;
  graph.scan(first, last, [&](PageId page, std::span<const PageId> links) {
    CHECK(page == first + lists.size());
    lists.emplace_back(links.begin(), links.end());
    return true;
  });
  return lists;
}
inline Lists scanned(const Graph& graph) {
  return scanned(graph, 0, graph.pages());
}

// All lists, by random access, the last page first.
inline Lists accessed(const Graph& graph) {
  Lists lists(graph.pages());
  LinkBuffer buffer;
  for (PageId page = graph.pages(); page-- > 0;) {
    const auto links = graph.out(page, buffer);
    lists[page].assign(links.begin(), links.end());
  }
  return lists;
}

// A graph with the properties of web graphs: empty pages, lists like the previous one, runs of neighbours,
// far links.
inline Lists weblike(PageId pages, std::uint64_t seed) {
  Rng rng(seed);
  Lists lists(pages);
  for (PageId page = 0; page < pages; ++page) {
    std::vector<PageId>& list = lists[page];
    if (rng.below(4) == 0) continue;
    if (page > 0 && rng.below(3) > 0) {
      for (const PageId link : lists[page - 1 - rng.below(std::min<PageId>(page, 9))]) {
        if (rng.below(8) > 0) list.push_back(link);
      }
    }
    if (rng.below(2) == 0) {
      const PageId start = static_cast<PageId>(rng.below(pages));
      for (std::uint64_t i = rng.below(12); i > 0 && start + i < pages; --i) {
        list.push_back(static_cast<PageId>(start + i));
      }
    }
    for (std::uint64_t i = rng.below(5); i > 0; --i) list.push_back(static_cast<PageId>(rng.below(pages)));
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

// Opens a graph from bytes, in blocks of exactly their size so that a sanitizer detects an over-read.
inline Result<std::unique_ptr<BvGraph>> open_bytes(const BvProperties& properties, std::string_view graph,
                                                   const std::string* offsets = nullptr) {
  struct Bytes {
    std::vector<std::uint8_t> graph, offsets;
  };
  const auto exact = [](std::string_view text) {
    return std::vector<std::uint8_t>(text.begin(), text.end());
  };
  const auto bytes = std::make_shared<Bytes>();
  bytes->graph = exact(graph);
  BvGraph::Files files{"test.graph", bytes->graph, std::nullopt, bytes};
  if (offsets != nullptr) {
    bytes->offsets = exact(*offsets);
    files.offsets = bytes->offsets;
  }
  return BvGraph::from_files(properties, std::move(files));
}

}  // namespace bowerbird::bv_testing
