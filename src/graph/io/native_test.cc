#include "graph/io/native.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "graph/io/io_test_data.h"
#include "graph/io/names.h"
#include "graph/io/native_layout.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

std::string written(const Web& web) {
  StringSink sink;
  const Status status = write_native(web, sink);
  EXPECT_TRUE(status.ok()) << status.error().text;
  return sink.text();
}

// Views the bytes in a buffer of exactly their size, which the web keeps.
Result<Web> view(std::string_view bytes, bool trust = false) {
  const std::shared_ptr<std::uint64_t> exact(
      static_cast<std::uint64_t*>(::operator new(bytes.size(), std::align_val_t(64))),
      [](std::uint64_t* p) { ::operator delete(p, std::align_val_t(64)); });
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  return view_native({reinterpret_cast<const std::uint8_t*>(exact.get()), bytes.size()}, exact, "X", trust);
}

std::string complaint(std::string_view bytes, bool trust = false) {
  const auto web = view(bytes, trust);
  return web.ok() ? "none" : web.error().text;
}

Web named_web() {
  Web web;
  web.graph = std::make_unique<CsrGraph>(graph_of({{1, 3}, {}, {0, 2}, {1}}));
  web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>{1, 0, 0, 1},
                                            std::vector<std::string>{"a.org", "b.org"});
  auto names = std::make_unique<StoredNames>();
  for (const char* name : {"http://b.org/", "http://a.org/", "", "http://b.org/x\ny"}) names->add(name);
  web.names = std::move(names);
  return web;
}

// Corrects header, table and trailer after a change.
void seal(std::string& bytes) {
  native::Trailer trailer;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  trailer.crc = 0;
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  uLong crc = crc32(0, data, sizeof(native::Header));
  crc =
      crc32(crc, data + trailer.table_offset, static_cast<uInt>(trailer.sections * sizeof(native::Section)));
  crc = crc32(crc, reinterpret_cast<const Bytef*>(&trailer), sizeof trailer);
  trailer.crc = static_cast<std::uint32_t>(crc);
  std::memcpy(bytes.data() + bytes.size() - sizeof trailer, &trailer, sizeof trailer);
}

native::Section section_at(const std::string& bytes, std::size_t index) {
  native::Trailer trailer;
  native::Section section;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  std::memcpy(&section, bytes.data() + trailer.table_offset + index * sizeof section, sizeof section);
  return section;
}

// Writes `value` into the section of this index of the table, with correct checksums: only the meaning is
// wrong.
template <typename T>
std::string forged(std::string bytes, std::size_t index, std::size_t item, T value) {
  native::Section section = section_at(bytes, index);
  std::memcpy(bytes.data() + section.offset + item * sizeof value, &value, sizeof value);
  section.crc = static_cast<std::uint32_t>(crc32(
      0, reinterpret_cast<const Bytef*>(bytes.data() + section.offset), static_cast<uInt>(section.size)));
  native::Trailer trailer;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  std::memcpy(bytes.data() + trailer.table_offset + index * sizeof section, &section, sizeof section);
  seal(bytes);
  return bytes;
}

TEST(Native, KeepsLinksHostsAndNames) {
  const auto web = view(written(named_web()));
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(rows_of(*web->graph), (Rows{{1, 3}, {}, {0, 2}, {1}}));
  EXPECT_EQ(web->names->name(2), "");
  EXPECT_EQ(web->names->name(3), "http://b.org/x\ny");
  EXPECT_EQ(web->hosts->hosts(), 2u);
  EXPECT_EQ(web->hosts->host(3), 1u);
  EXPECT_EQ(web->hosts->run(1), (std::pair<PageId, PageId>{1, 3}));
  EXPECT_EQ(web->hosts->run(3), (std::pair<PageId, PageId>{3, 4}));
  EXPECT_FALSE(web->hosts->contiguous());
  EXPECT_EQ(web->hosts->host_name(1), "b.org");
}

TEST(Native, KeepsUnknownHostsAndNamesUnknown) {
  Web web;
  web.graph = std::make_unique<CsrGraph>(graph_of({{0}, {0, 1}}));
  const auto again = view(written(web));
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->hosts, nullptr);
  EXPECT_EQ(again->names, nullptr);
  web.graph = std::make_unique<CsrGraph>();
  EXPECT_EQ(view(written(web))->graph->pages(), 0u);
}

TEST(Native, KeepsHostsWithoutNames) {
  Web web;
  web.graph = std::make_unique<CsrGraph>(graph_of({{0}, {0, 1}}));
  web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>{0, 1});
  const auto again = view(written(web));
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->hosts->hosts(), 2u);
  EXPECT_EQ(again->hosts->host_name(0), "");
  EXPECT_TRUE(again->hosts->contiguous());
}

TEST(Native, KnowsAGraphOfHosts) {
  Web web = named_web();
  auto names = std::make_shared<StoredNames>();
  for (const char* name : {"a", "b", "c", "d"}) names->add(name);
  web.hosts = std::make_unique<HostPerPage>(4, names);
  web.names = std::make_unique<SharedNames>(names);
  const auto again = view(written(web));
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->hosts->hosts(), 4u);
  EXPECT_EQ(again->hosts->host_name(3), "d");
  EXPECT_EQ(written(*again), written(web));
}

TEST(Native, AGraphIsReadBackUnchanged) {
  for (const bool weighted : {false, true}) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      Web web;
      web.graph = std::make_unique<CsrGraph>(
          random_graph(static_cast<PageId>(1 + seed * 7), seed * 50, seed, weighted));
      const auto again = view(written(web));
      ASSERT_TRUE(again.ok()) << again.error().text;
      EXPECT_EQ(rows_of(*again->graph), rows_of(*web.graph));
      EXPECT_EQ(weights_of(*again->graph), weights_of(*web.graph));
      EXPECT_EQ(written(*again), written(web));
    }
  }
}

TEST(Native, IsMappedFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.bbg", written(named_web()));
  for (const bool trust : {false, true}) {
    const auto web = open_native(path, trust);
    ASSERT_TRUE(web.ok()) << web.error().text;
    EXPECT_EQ(written(*web), written(named_web()));
  }
  EXPECT_FALSE(open_native(folder / "none.bbg").ok());
}

TEST(Native, EveryTruncationIsAnError) {
  const std::string bytes = written(named_web());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THAT(complaint(bytes.substr(0, n)), HasSubstr("X: ")) << n;
  }
}

TEST(Native, EveryChangedByteIsNoticedOrMeansNothing) {
  const std::string bytes = written(named_web());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const auto web = view(damaged);
    // The bytes between sections are not part of anything.
    EXPECT_TRUE(!web.ok() || written(*web) == bytes) << i;
  }
}

TEST(Native, ChecksTheMeaningOfWhatHasTheRightSums) {
  const std::string bytes = written(named_web());
  EXPECT_THAT(complaint(forged<PageId>(bytes, 1, 0, 4)),
              HasSubstr("X: page 0: a link to 4, but there are only 4"));
  EXPECT_THAT(complaint(forged<PageId>(bytes, 1, 1, 1)), HasSubstr("X: page 0: its links are not ascending"));
  EXPECT_THAT(complaint(forged<std::uint64_t>(bytes, 0, 1, 1u << 30)), HasSubstr("X: page 0: its offsets"));
  EXPECT_THAT(complaint(forged<std::uint64_t>(bytes, 0, 4, 3)), HasSubstr("the last offset is 3"));
  EXPECT_THAT(complaint(forged<PageId>(bytes, 2, 0, 1)), HasSubstr("X: run 0 of pages on a host is corrupt"));
  EXPECT_THAT(complaint(forged<PageId>(bytes, 2, 2, 4)), HasSubstr("run 2"));
  EXPECT_THAT(complaint(forged<HostId>(bytes, 3, 1, 2)), HasSubstr("run 1"));
  EXPECT_THAT(complaint(forged<HostId>(bytes, 3, 1, 1)), HasSubstr("run 1"));
  EXPECT_THAT(complaint(forged<std::uint64_t>(bytes, 4, 1, 99)),
              HasSubstr("host names do not fit their text"));
  EXPECT_THAT(complaint(forged<std::uint64_t>(bytes, 6, 4, 99)),
              HasSubstr("page names do not fit their text"));
}

TEST(Native, TrustedNamesThatLieAreEmptyAndNeverReadOutside) {
  const std::string bytes = written(named_web());
  const auto web = view(forged<std::uint64_t>(bytes, 6, 1, 1u << 30), true);
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(web->names->name(0), "");
  EXPECT_EQ(web->names->name(1), "");
}

TEST(Native, RefusesCountsAndTablesThatLie) {
  const std::string bytes = written(named_web());
  auto with_trailer = [&](auto&& change) {
    std::string changed = bytes;
    native::Trailer trailer;
    char* at = changed.data() + changed.size() - sizeof trailer;
    std::memcpy(&trailer, at, sizeof trailer);
    change(trailer);
    std::memcpy(at, &trailer, sizeof trailer);
    if (trailer.table_offset + trailer.sections * sizeof(native::Section) + sizeof trailer ==
        changed.size()) {
      seal(changed);
    }
    for (const bool trust : {false, true}) EXPECT_THAT(complaint(changed, trust), HasSubstr("X: "));
  };
  with_trailer([](native::Trailer& t) { t.pages = 5; });
  with_trailer([](native::Trailer& t) { t.pages = 4'000'000'000; });
  with_trailer([](native::Trailer& t) { t.pages = ~std::uint64_t{0}; });
  with_trailer([](native::Trailer& t) { t.links = ~std::uint64_t{0}; });
  with_trailer([](native::Trailer& t) { t.links = t.links + (std::uint64_t{1} << 62); });
  with_trailer([](native::Trailer& t) { t.hosts = 5; });
  with_trailer([](native::Trailer& t) { t.hosts = 1; });
  with_trailer([](native::Trailer& t) { t.sections = 0xffffffffu; });
  with_trailer([](native::Trailer& t) { t.table_offset = ~std::uint64_t{0}; });
  with_trailer([](native::Trailer& t) { t.file_size = 0; });
}

TEST(Native, RefusesOtherVersionsAndByteOrders) {
  std::string bytes = written(named_web());
  bytes[8] = 2;
  EXPECT_THAT(complaint(bytes), HasSubstr("X: version 2 of the native format"));
  bytes[8] = 1;
  std::swap(bytes[12], bytes[15]);
  std::swap(bytes[13], bytes[14]);
  EXPECT_THAT(complaint(bytes), HasSubstr("byte order"));
}

TEST(Native, SectionsAreAligned) {
  const std::string bytes = written(named_web());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(section_at(bytes, i).offset % native::kAlignment, 0u);
}

}  // namespace
}  // namespace bowerbird
