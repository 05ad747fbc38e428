#include "archive/zip_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <sstream>

#include "archive/zip_writer.h"
#include "base/compress_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string little(std::uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(number >> (8 * i)));
  return out;
}

std::string deflated(const std::string& text) {
  return compressed_for_test(text, -15);
}

// An entry of a hostile ZIP, whose fields may be wrong.
struct ForgedEntry {
  std::string name;
  std::string data;
  int method = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  std::uint64_t offset = 0;  // set by forged_zip() unless `keep_offset`
  bool keep_offset = false;
  int flags = 0;
};

ForgedEntry honest(std::string name, const std::string& text, bool deflate = false) {
  ForgedEntry entry;
  entry.name = std::move(name);
  entry.data = deflate ? deflated(text) : text;
  entry.method = deflate ? 8 : 0;
  entry.size = text.size();
  entry.crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
  return entry;
}

std::string forged_zip(std::vector<ForgedEntry> entries) {
  std::string out, directory;
  for (ForgedEntry& entry : entries) {
    if (!entry.keep_offset) entry.offset = out.size();
    const std::string sizes = little(entry.crc, 4) + little(entry.data.size(), 4) + little(entry.size, 4);
    const std::string form = little(20, 2) + little(static_cast<unsigned>(entry.flags), 2) +
                             little(static_cast<unsigned>(entry.method), 2) + little(0, 4) + sizes +
                             little(entry.name.size(), 2);
    out += "PK\x03\x04" + form + little(0, 2) + entry.name + entry.data;
    directory += "PK\x01\x02" + little(20, 2) + form + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(entry.offset, 4) + entry.name;
  }
  const std::size_t begin = out.size();
  return out + directory + "PK\x05\x06" + little(0, 4) + little(entries.size(), 2) +
         little(entries.size(), 2) + little(directory.size(), 4) + little(begin, 4) + little(0, 2);
}

std::string fault_of(const std::string& bytes) {
  const auto zip = ZipReader::open(bytes, "x.wacz");
  return zip.ok() ? "" : zip.error().text;
}

TEST(ZipReader, ReadsStoredAndDeflatedEntries) {
  const std::string bytes = forged_zip(
      {honest("b/c.txt", "stored"), honest("a.txt", std::string(10'000, 'x'), true), honest("d/", "")});
  const auto zip = ZipReader::open(bytes, "x.zip");
  ASSERT_TRUE(zip.ok()) << zip.error().text;
  ASSERT_EQ(zip->entries().size(), 2u);
  EXPECT_EQ(*zip->read(*zip->find("b/c.txt"), 100), "stored");
  EXPECT_EQ(*zip->read(*zip->find("a.txt"), 10'000), std::string(10'000, 'x'));
  EXPECT_FALSE(zip->read(*zip->find("a.txt"), 9'999).ok()) << "more than the limit";
  EXPECT_EQ(zip->find("c.txt"), nullptr);
}

TEST(ZipReader, UnpacksInPieces) {
  const std::string text(10'000'000, 'x');
  const std::string bytes = forged_zip({honest("a.txt", text, true), honest("b.txt", "stored")});
  const auto zip = ZipReader::open(bytes, "x.zip");
  ASSERT_TRUE(zip.ok()) << zip.error().text;
  std::size_t size = 0, largest = 0;
  const auto take = [&](std::string_view piece) -> Status {
    size += piece.size();
    largest = std::max(largest, piece.size());
    return size > 20'000'000 ? error("enough") : Status();
  };
  EXPECT_TRUE(zip->unpack(*zip->find("a.txt"), take).ok());
  EXPECT_EQ(size, text.size());
  EXPECT_LE(largest, 65'536u);
  EXPECT_TRUE(zip->unpack(*zip->find("b.txt"), take).ok());
  EXPECT_EQ(size, text.size() + 6);
  size = 20'000'000;
  EXPECT_EQ(zip->unpack(*zip->find("a.txt"), take).error().text, "enough");
  EXPECT_LE(size, 20'065'536u) << "it stops";
}

TEST(ZipReader, ReadsWhatZipWriterWrites) {
  const TemporaryFolder folder;
  auto writer = std::move(ZipWriter::create(folder / "x.zip", 1'700'000'000'000'000)).value();
  ASSERT_TRUE(writer->add("one", "first").ok());
  ASSERT_TRUE(writer->add("folder/two", "").ok());
  ASSERT_TRUE(writer->finish().ok());
  std::stringstream text;
  text << std::ifstream(folder / "x.zip", std::ios::binary).rdbuf();
  const std::string bytes = text.str();
  const auto zip = ZipReader::open(bytes, "x.zip");
  ASSERT_TRUE(zip.ok()) << zip.error().text;
  EXPECT_EQ(*zip->read(*zip->find("one"), 100), "first");
  EXPECT_EQ(*zip->read(*zip->find("folder/two"), 100), "");
}

TEST(ZipReader, RefusesNamesThatLeadOutsideOfTheFolder) {
  for (const char* name : {"../x", "a/../../x", "/etc/passwd", "a\\..\\x", "C:x", "./x", ""})
    EXPECT_NE(fault_of(forged_zip({honest(name, "x")})).find("not a plain relative path"), std::string::npos)
        << name;
}

TEST(ZipReader, RefusesEntriesThatOverlapOrLieOutside) {
  ForgedEntry twice = honest("b", "x");
  twice.keep_offset = true;
  EXPECT_NE(fault_of(forged_zip({honest("a", "x"), twice})).find("overlap"), std::string::npos);
  ForgedEntry far = honest("a", "x");
  far.keep_offset = true;
  far.offset = 1'000'000;
  EXPECT_NE(fault_of(forged_zip({far})).find("local header"), std::string::npos);
  EXPECT_NE(fault_of(forged_zip({honest("a", "x"), honest("a", "y")})).find("two entries have this name"),
            std::string::npos);
  ForgedEntry secret = honest("a", "x");
  secret.flags = 1;
  EXPECT_NE(fault_of(forged_zip({secret})).find("encrypted"), std::string::npos);
}

TEST(ZipReader, DecompressesNoMoreThanTheDirectorySays) {
  ForgedEntry bomb = honest("a", std::string(50'000'000, '\0'), true);
  bomb.size = 10;
  const std::string bytes = forged_zip({bomb});
  const auto zip = ZipReader::open(bytes, "x.zip");
  ASSERT_TRUE(zip.ok());
  EXPECT_FALSE(zip->read(zip->entries()[0], 1 << 20).ok());
  bomb.size = 50'000'000;
  const std::string honest_bomb = forged_zip({bomb});
  const auto other = ZipReader::open(honest_bomb, "x.zip");
  ASSERT_TRUE(other.ok());
  EXPECT_NE(other->read(other->entries()[0], 1 << 20).error().text.find("larger than"), std::string::npos);
}

TEST(ZipReader, RefusesTruncatedAndOtherFiles) {
  const std::string bytes = forged_zip({honest("a", "some text"), honest("b", "more")});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(fault_of(bytes.substr(0, size)), "") << size;
  EXPECT_NE(fault_of("not a zip"), "");
  std::string damaged = bytes;
  damaged[32] ^= 1;  // in the data of entry a
  const auto zip = ZipReader::open(damaged, "x.zip");
  ASSERT_TRUE(zip.ok());
  EXPECT_NE(zip->read(*zip->find("a"), 100).error().text.find("checksum"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
