#include "archive/extract.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "archive/warc_records.h"
#include "base/compress_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string record(const std::string& url, int status, const std::string& body,
                   const std::string& fields = "") {
  const std::string http =
      fmt::format("HTTP/1.1 {} X\r\nContent-Type: text/html\r\n{}\r\n{}", status, fields, body);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
      "WARC-Record-ID: <urn:uuid:0f2a3b52-7d1a-4b58-9c9b-000000000000>\r\n"
      "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, http.size(), http);
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Extract : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "a.warc", std::ios::binary)
        << record("http://a.test/x", 200, "one") << record("http://a.test/x", 200, "two")
        << record("http://a.test/x/y", 200, "below") << record("http://a.test/../../etc/passwd", 200, "evil")
        << record("http://a.test/missing", 404, "sorry");
    options_.files = {folder_.path()};
    options_.out = folder_ / "out";
  }

  TemporaryFolder folder_;
  ExtractOptions options_;
};

TEST_F(Extract, WritesEachResponseUnderItsOwnNameWithinTheFolder) {
  const auto counts = extract_pages(options_, {});
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->written, 4u);
  EXPECT_EQ(counts->bytes, 15u);
  EXPECT_EQ(counts->other_status, 1u);
  EXPECT_EQ(text_of(options_.out + "/a.test/x"), "one");
  EXPECT_EQ(text_of(options_.out + "/a.test/x~2"), "two");
  EXPECT_EQ(text_of(options_.out + "/a.test/_x_y"), "below") << "x is a file, not a folder";
}

TEST_F(Extract, SelectsByUrlAndStatus) {
  options_.url = "http://a.test/missing";
  options_.status = 404;
  const auto counts = extract_pages(options_, {});
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->written, 1u);
  EXPECT_EQ(text_of(options_.out + "/a.test/missing"), "sorry");
}

TEST_F(Extract, DecodesBodiesThatOtherWritersLeaveEncoded) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += fmt::format("{} ", i * 2654435761u % 1000003);
  const std::string bare = compressed_for_test(text, -15);
  ASSERT_GT(bare.size(), std::size_t{64} << 10);
  const std::string gzip = compressed_for_test("<p>short", 31);
  std::ofstream(folder_ / "a.warc", std::ios::binary)
      << record("http://a.test/chunks", 200, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n")
      << record("http://a.test/both", 200, fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", gzip.size(), gzip),
                "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")
      << record("http://a.test/bare", 200, bare, "Content-Encoding: deflate\r\n")
      << record("http://a.test/zlib", 200, compressed_for_test(text, 15), "Content-Encoding: deflate\r\n")
      << record("http://a.test/damaged", 200, "\x1f\x8b\x08 not gzip \x01\x02", "Content-Encoding: gzip\r\n");
  const auto counts = extract_pages(options_, {});
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->written, 5u);
  EXPECT_EQ(counts->undecoded, 1u);
  EXPECT_EQ(text_of(options_.out + "/a.test/chunks"), "abcde");
  EXPECT_EQ(text_of(options_.out + "/a.test/both"), "<p>short");
  EXPECT_TRUE(text_of(options_.out + "/a.test/bare") == text);
  EXPECT_TRUE(text_of(options_.out + "/a.test/zlib") == text);
}

TEST_F(Extract, TheFolderOfAFleetHasTheFilesOfItsProcesses) {
  const TemporaryFolder fleet;
  for (const char* process : {"p1", "p0"}) {
    std::filesystem::create_directories(fleet / process + "/warc");
    std::ofstream(fleet / process + "/warc/x.warc.gz") << "";
  }
  const auto files = warc_files({fleet.path()});
  ASSERT_TRUE(files.ok()) << files.error().text;
  EXPECT_EQ(*files, (std::vector<std::string>{fleet / "p0/warc/x.warc.gz", fleet / "p1/warc/x.warc.gz"}));
}

TEST_F(Extract, AFolderWithoutWarcFilesIsAnError) {
  const TemporaryFolder empty;
  EXPECT_FALSE(warc_files({empty.path()}).ok());
}

}  // namespace
}  // namespace bowerbird
