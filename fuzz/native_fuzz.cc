// A native graph that opens is valid and is written again as the same bytes. If the first byte of the input
// is odd, the checksums are corrected first, so that mutations get past them.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "graph/io/native.h"
#include "graph/io/native_layout.h"
#include "graph_property.h"
#include "sys/sink.h"

using namespace bowerbird;

namespace {

std::uint32_t crc_of(std::uint32_t crc, const char* data, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(data), size));
}

void make_sums_right(std::string& bytes) {
  native::Trailer trailer;
  if (bytes.size() < sizeof(native::Header) + sizeof trailer) return;
  std::memcpy(bytes.data(), native::kMagic.data(), native::kMagic.size());
  char* end = bytes.data() + bytes.size() - sizeof trailer;
  std::memcpy(&trailer, end, sizeof trailer);
  trailer.magic = native::kEndMagic;
  trailer.file_size = bytes.size();
  trailer.sections %= native::kKinds + 1;
  const std::size_t table_size = trailer.sections * sizeof(native::Section);
  if (table_size > bytes.size() - sizeof(native::Header) - sizeof trailer) return;
  char* table = end - table_size;
  trailer.table_offset = static_cast<std::uint64_t>(table - bytes.data());
  for (std::uint32_t i = 0; i < trailer.sections; ++i) {
    native::Section section;
    std::memcpy(&section, table + i * sizeof section, sizeof section);
    if (section.offset > trailer.table_offset || section.size > trailer.table_offset - section.offset)
      continue;
    section.crc = crc_of(0, bytes.data() + section.offset, section.size);
    std::memcpy(table + i * sizeof section, &section, sizeof section);
  }
  trailer.crc = 0;
  std::uint32_t crc = crc_of(0, bytes.data(), sizeof(native::Header));
  crc = crc_of(crc, table, table_size);
  trailer.crc = crc_of(crc, reinterpret_cast<const char*>(&trailer), sizeof trailer);
  std::memcpy(end, &trailer, sizeof trailer);
}

Result<Web> view(std::string_view bytes, bool trust) {
  const std::shared_ptr<std::uint64_t> exact(
      static_cast<std::uint64_t*>(::operator new(bytes.size(), std::align_val_t(64))),
      [](std::uint64_t* p) { ::operator delete(p, std::align_val_t(64)); });
  if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
  return view_native({reinterpret_cast<const std::uint8_t*>(exact.get()), bytes.size()}, exact, "X", trust);
}

void use_hosts_and_names(const Web& web) {
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    if (web.names) (void)web.names->name(page);
    if (!web.hosts) continue;
    const auto [first, last] = web.hosts->run(page);
    CHECK(first <= page && page < last && last <= web.graph->pages());
    CHECK(web.hosts->host(page) < web.hosts->hosts());
    (void)web.hosts->host_name(web.hosts->host(page));
  }
}

void try_bytes(std::string_view bytes) {
  if (const auto trusted = view(bytes, true); trusted.ok()) use_hosts_and_names(*trusted);
  const auto web = view(bytes, false);
  if (!web.ok()) {
    CHECK(web.error().text.starts_with("X: "));
    return;
  }
  use_hosts_and_names(*web);
  StringSink first;
  CHECK(write_native(*web, first).ok());
  const auto again = view(first.text(), false);
  CHECK(again.ok());
  check_same(dynamic_cast<const CsrGraph&>(*web->graph), dynamic_cast<const CsrGraph&>(*again->graph));
  StringSink second;
  CHECK(write_native(*again, second).ok());
  CHECK(first.text() == second.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try_bytes(bytes);
  make_sums_right(bytes);
  try_bytes(bytes);
  return 0;
}
