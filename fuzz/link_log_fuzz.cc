// Any bytes can be read as rows of links; valid rows are unchanged after they are written and read again, in
// memory, through a store and through a snapshot.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "graph/link_log.h"

using namespace bowerbird;

namespace {

using Rows = std::vector<std::pair<LinkLog::Node, std::vector<LinkLog::Node>>>;
constexpr LinkLog::Node kNodes = 1 << 20;

// Calls read(head, link), and what they were told.
template <typename Read>
Rows rows_told(Read&& read) {
  Rows rows;
  read(
      [&](LinkLog::Node page, std::uint32_t) {
        rows.push_back({page, {}});
      },
      [&](LinkLog::Node to) {
        CHECK(to < kNodes);
        rows.back().second.push_back(to);
      });
  return rows;
}

Rows rows_of(LinkLog& log) {
  return rows_told([&](auto&& head, auto&& link) {
    for (unsigned part = 0; part < 2; ++part) log.scan(part, 2, head, link);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> exact(data, data + size);
  bool good = false;
  const Rows rows = rows_told([&](auto&& head, auto&& link) {
    good = LinkLog::read_rows({exact.data(), exact.size()}, kNodes, head, link);
  });
  if (good) {
    MemorySpill store;
    LinkLog log({&store, size % 2 == 0 ? 0 : ~std::uint64_t{0}});
    for (const auto& [page, links] : rows) log.append(page, links);
    CHECK(rows_of(log) == rows);
    std::string saved;
    ByteWriter writer(saved);
    log.save(writer);
    MemorySpill same = store;
    LinkLog again({&same, 0});
    ByteReader reader(saved);
    again.load(reader, kNodes);
    CHECK(reader.ok() && rows_of(again) == rows);
  }
  // As a snapshot whose blocks are missing.
  MemorySpill none;
  LinkLog log({&none, 0});
  ByteReader reader({exact.data(), exact.size()});
  log.load(reader, kNodes);
  if (reader.ok()) rows_of(log);
  return 0;
}
