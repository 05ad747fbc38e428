// `bowerbird warc` as a user runs it, a crawl folder as a graph, and our WARC files read by other software.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "process.h"
#include "store/crawl_store.h"

namespace bowerbird {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::string body_of(PageId page) {
  // Pages 3 and 1 are the same.
  return fmt::format("<html>{}</html>\n",
                     std::string(10 + page % 2 * 1000, static_cast<char>('a' + page % 2)));
}

// Four pages in a crawl folder; the last has the payload of the second.
void make_crawl(const std::string& folder, WarcCompression compression) {
  StoreOptions options;
  options.durable = false;
  options.compression = compression;
  auto store = CrawlStore::open(folder, options);
  ASSERT_TRUE(store.ok()) << store.error().text;
  for (PageId page = 0; page < 4; ++page) {
    const std::string url =
        fmt::format("http://www.example.org/{}", page == 0 ? "" : fmt::format("{}.html", page));
    (*store)->add_url(url);
    StoredFetch fetch;
    fetch.page = page;
    fetch.url = url;
    fetch.time_us = 1'763'270'400'000'000 + page * 1'000'000;
    fetch.request = "GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n";
    fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    fetch.body = page == 2 ? "<html>the third</html>" : body_of(page);
    fetch.status = 200;
    fetch.mime = "text/html";
    append_warc_field(fetch.metadata, "via", "http://www.example.org/");
    (*store)->add_fetch(std::move(fetch));
    const StoredLink links[] = {{(page + 1) % 4, 0}};
    (*store)->add_links(page, links);
  }
  ASSERT_TRUE((*store)->close("").ok());
}

std::string only_warc(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/warc"))
    return entry.path().string();
  return "";
}

std::vector<Json> lines_of(const Finished& finished) {
  EXPECT_EQ(finished.code, 0) << finished.err;
  std::vector<Json> lines;
  for (std::size_t at = 0; at < finished.out.size();) {
    const std::size_t end = finished.out.find('\n', at);
    lines.push_back(Json::parse(finished.out.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

class WarcCommand : public testing::TestWithParam<WarcCompression> {
 protected:
  void SetUp() override { make_crawl(crawl_, GetParam()); }
  TemporaryFolder folder_;
  std::string crawl_ = folder_ / "crawl";
};
INSTANTIATE_TEST_SUITE_P(Each, WarcCommand,
                         testing::Values(WarcCompression::kNone, WarcCompression::kGzip,
                                         WarcCompression::kZstd));

TEST_P(WarcCommand, LsNamesEachRecordAndCatShowsItByItsOffset) {
  const auto lines = lines_of(run_bowerbird({"warc", "ls", crawl_, "--json", "--type", "response"}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].at("url"), "http://www.example.org/1.html");
  EXPECT_EQ(lines[1].at("status"), 200);
  EXPECT_EQ(lines[1].at("mime"), "text/html");
  const Finished page =
      run_bowerbird({"warc", "cat", lines[1].at("file").get<std::string>(), "--offset",
                     std::to_string(lines[1].at("offset").get<std::uint64_t>()), "--part", "payload"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_EQ(page.out, body_of(1));
}

TEST_P(WarcCommand, CatDecompressesAFileIntoAnEquivalentOne) {
  const Finished plain = run_bowerbird({"warc", "cat", crawl_});
  ASSERT_EQ(plain.code, 0) << plain.err;
  const Finished again = run_bowerbird({"warc", "cat", "-"}, plain.out);
  EXPECT_TRUE(again.out == plain.out);
  const Finished verified = run_bowerbird({"warc", "verify", "-"}, plain.out);
  EXPECT_EQ(verified.code, 0) << verified.out;
}

TEST_P(WarcCommand, VerifyCountsRecordsAndDetectsAChangedByte) {
  const auto lines = lines_of(run_bowerbird({"warc", "verify", crawl_, "--json"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at("problem_count"), 0);
  EXPECT_EQ(lines[0].at("types").at("response"), 3);
  EXPECT_EQ(lines[0].at("types").at("revisit"), 1);
  EXPECT_EQ(lines[0].at("types").at("request"), 4);
  EXPECT_EQ(lines[0].at("types").at("metadata"), 4);
  EXPECT_EQ(lines[0].at("not_packed_alone"), 0);

  const std::string file = only_warc(crawl_);
  std::string bytes = read_text(file);
  // In a plain file only bytes covered by a digest are protected.
  const std::size_t at = std::min(bytes.find("the third"), bytes.size() * 2 / 3);
  bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
  write_text(file, bytes);
  const Finished broken = run_bowerbird({"warc", "verify", file});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.out, HasSubstr("damaged"));
  EXPECT_THAT(broken.out, HasSubstr("byte "));
}

TEST(WarcVerify, CountsOnlyDigestsThatMatch) {
  const TemporaryFolder folder;
  // Of "hello".
  const std::string record =
      "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:0f2a3b52-7d1a-4b58-9c9b-000000000000>\r\n"
      "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: 5\r\n"
      "WARC-Block-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n\r\n";
  write_text(folder / "a.warc", record + "hello\r\n\r\n" + record + "hullo\r\n\r\n");
  EXPECT_THAT(run_bowerbird({"warc", "verify", folder / "a.warc"}).out, HasSubstr(", 1 digest matches\n"));
  const auto report =
      nlohmann::json::parse(run_bowerbird({"warc", "verify", folder / "a.warc", "--json"}).out);
  EXPECT_EQ(report.at("digests_checked"), 2);
  EXPECT_EQ(report.at("digests_wrong"), 1);
}

TEST_P(WarcCommand, ExtractWritesThePages) {
  const std::string out = folder_ / "pages";
  const auto lines = lines_of(run_bowerbird({"warc", "extract", crawl_, "-o", out, "--json", "--quiet"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at("written"), 4);
  EXPECT_EQ(lines[0].at("resolved"), 1);
  EXPECT_EQ(lines[0].at("revisits"), 0);
  EXPECT_EQ(read_text(out + "/www.example.org/3.html"), body_of(1));
  EXPECT_EQ(read_text(out + "/www.example.org/index.html"), body_of(0));
  EXPECT_EQ(read_text(out + "/www.example.org/2.html"), "<html>the third</html>");
}

TEST_P(WarcCommand, CatFindsAUrlByTheIndex) {
  const std::vector<std::string> args = {
      "warc",   "cat",      crawl_,   "--url",  "http://www.example.org/2.html",
      "--type", "response", "--part", "payload"};
  const Finished indexed = run_bowerbird(args);
  EXPECT_EQ(indexed.code, 0) << indexed.err;
  EXPECT_EQ(indexed.out, "<html>the third</html>");
  // The index has the position: earlier records are not read.
  const Finished all = run_bowerbird({"warc", "cat", crawl_, "--url", "http://www.example.org/2.html"});
  EXPECT_THAT(all.out, HasSubstr("WARC-Type: request"));
  EXPECT_THAT(all.out, HasSubstr("WARC-Type: metadata"));
  std::filesystem::remove(crawl_ + "/index.cdxj");
  EXPECT_EQ(run_bowerbird({"warc", "cat", crawl_, "--url", "http://www.example.org/2.html"}).out, all.out);
}

TEST_P(WarcCommand, ConvertChangesTheCompressionAndWritesAnIndex) {
  for (const char* kind : {"none", "gzip", "zstd"}) {
    const std::string out = folder_ / kind;
    const auto lines =
        lines_of(run_bowerbird({"warc", "convert", crawl_, "--to", kind, "--out", out, "--json", "--quiet"}));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].at("files"), 1);
    EXPECT_EQ(lines[0].at("records"), 13);
    const Finished before = run_bowerbird({"warc", "cat", crawl_});
    EXPECT_TRUE(run_bowerbird({"warc", "cat", out}).out == before.out) << kind;
    const Json report = lines_of(run_bowerbird({"warc", "verify", out, "--json"})).at(0);
    EXPECT_EQ(report.at("compression"), kind);
    EXPECT_EQ(report.at("not_packed_alone"), 0);
    // The index leads to the records.
    const std::string index = read_text(out + "/index.cdxj");
    const std::size_t at = index.find("\"url\":\"http://www.example.org/2.html\"");
    ASSERT_NE(at, std::string::npos) << index;
    const std::size_t line = index.rfind('\n', at) + 1;
    const Json entry =
        Json::parse(index.substr(index.find('{', line), index.find('\n', at) - index.find('{', line)));
    const Finished page =
        run_bowerbird({"warc", "cat", out + "/" + entry.at("filename").get<std::string>(), "--offset",
                       entry.at("offset").get<std::string>(), "--part", "payload"});
    EXPECT_EQ(page.out, "<html>the third</html>");
  }
}

// Larger than what is packed at once.
TEST(WarcConvert, PacksLargeRecordsInPieces) {
  const TemporaryFolder folder;
  std::string body;
  for (std::uint64_t i = 0; body.size() < (std::size_t{9} << 20); ++i)
    body += fmt::format("{:x} ", i * 0x9e3779b97f4a7c15);
  const std::string http = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + body;
  const std::string head =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0f2a3b52-7d1a-4b58-9c9b-000000000000>\r\n"
      "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n";
  const auto record = [&](const char* url, const std::string& block) {
    return fmt::format("{}WARC-Target-URI: {}\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n", head, url,
                       block.size(), block);
  };
  write_text(folder / "a.warc",
             record("http://a.test/v", http) + record("http://a.test/", "HTTP/1.1 200 OK\r\n\r\nx"));
  for (const char* kind : {"none", "gzip", "zstd"}) {
    const std::string out = folder / kind;
    ASSERT_EQ(run_bowerbird({"warc", "convert", folder / "a.warc", "--to", kind, "--out", out}).code, 0)
        << kind;
    const Json report = lines_of(run_bowerbird({"warc", "verify", out, "--json"})).at(0);
    EXPECT_EQ(report.at("records"), 2) << kind;
    EXPECT_EQ(report.at("problem_count"), 0) << kind;
    EXPECT_EQ(report.at("not_packed_alone"), 0) << kind;
    EXPECT_TRUE(run_bowerbird({"warc", "cat", out}).out == read_text(folder / "a.warc")) << kind;
    EXPECT_THAT(read_text(out + "/index.cdxj"), HasSubstr("\"mime\":\"video/mp4\"")) << kind;
  }
  // Cut off in the middle of the large record.
  write_text(folder / "b.warc", read_text(folder / "a.warc").substr(0, http.size() / 2));
  const Finished cut = run_bowerbird({"warc", "convert", folder / "b.warc", "--out", folder / "b"});
  EXPECT_EQ(cut.code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "b/b.warc.gz"));
}

TEST_P(WarcCommand, TheCrawlFolderIsAGraph) {
  const Finished info = run_bowerbird({"graph", "info", crawl_, "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  const Json json = Json::parse(info.out);
  EXPECT_EQ(json.at("pages"), 4);
  EXPECT_EQ(json.at("links"), 4);
  EXPECT_EQ(json.at("hosts"), 1);
  const Finished lab = run_bowerbird(
      {"lab", crawl_, "--policies", "bfs", "--seeds", "ids:0", "--importance", "pagerank", "--json"});
  EXPECT_EQ(lab.code, 0) << lab.err;
}

TEST(WarcCommandErrors, AreClear) {
  TemporaryFolder folder;
  EXPECT_EQ(run_bowerbird({"warc", "ls", folder / "none.warc"}).code, 1);
  const Finished empty = run_bowerbird({"warc", "verify", folder.path()});
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.err, HasSubstr("there is no WARC file in this folder"));
  EXPECT_EQ(run_bowerbird({"warc", "ls", "-", "--type", "respnse"}).code, 2);
  const Finished text = run_bowerbird({"warc", "ls", "-"}, "<html>\n\n");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.err, HasSubstr("standard input: record at byte 0"));
}

// npm's warcio, in the build folder; empty if it is not available.
std::string warcio_folder() {
  const std::string folder = std::filesystem::path(BOWERBIRD_BINARY).parent_path().string() + "/npm";
  if (std::filesystem::exists(folder + "/node_modules/warcio/dist/index.js")) return folder;
  std::filesystem::create_directories(folder);
  const std::string command = fmt::format(
      "timeout 120 npm install --no-audit --no-fund --silent --prefix '{}' warcio@2.4.11 > /dev/null 2>&1",
      folder);
  if (std::system(command.c_str()) != 0) return "";
  return std::filesystem::exists(folder + "/node_modules/warcio/dist/index.js") ? folder : "";
}

TEST(Warcio, ReadsAndVerifiesOurPlainAndGzipFilesFull) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";
  const std::string warcio = warcio_folder();
  if (warcio.empty()) GTEST_SKIP() << "warcio cannot be had from npm";
  for (const WarcCompression compression : {WarcCompression::kNone, WarcCompression::kGzip}) {
    TemporaryFolder folder;
    make_crawl(folder / "crawl", compression);
    const std::string out =
        shell_output(fmt::format("node '{}/tests/warcio_oracle.mjs' '{}' '{}'", BOWERBIRD_SOURCE_DIR, warcio,
                                 only_warc(folder / "crawl")));
    const Json report = Json::parse(out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << out;
    EXPECT_TRUE(report.at("wrong").empty()) << out;
    EXPECT_EQ(report.at("types"),
              Json({{"warcinfo", 1}, {"response", 3}, {"revisit", 1}, {"request", 4}, {"metadata", 4}}));
    EXPECT_EQ(report.at("digests"), 4);  // three payloads and the warcinfo
    EXPECT_EQ(report.at("urls"), Json({"http://www.example.org/", "http://www.example.org/1.html",
                                       "http://www.example.org/2.html"}));
  }
}

// A file of the Internet Archive's first format.
std::string small_arc() {
  const std::string about = "1 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n";
  const std::string page =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Old page</title><p>from an ARC file";
  return fmt::format("filedesc://old.arc 0.0.0.0 20050801000000 text/plain {}\n{}\n", about.size(), about) +
         fmt::format("http://old.example/ 192.0.2.1 20050801123456 text/html {}\n{}\n", page.size(), page);
}

TEST(ArcFiles, AreListedExtractedVerifiedAndExported) {
  const TemporaryFolder folder;
  write_text(folder / "old.arc", small_arc());
  const auto lines = lines_of(run_bowerbird({"warc", "ls", folder / "old.arc", "--json"}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("type"), "warcinfo");
  EXPECT_EQ(lines[1].at("url"), "http://old.example/");
  EXPECT_EQ(lines[1].at("date"), "2005-08-01T12:34:56Z");
  EXPECT_EQ(lines[1].at("mime"), "text/html");
  EXPECT_EQ(run_bowerbird({"warc", "verify", folder / "old.arc"}).code, 0);
  EXPECT_EQ(run_bowerbird({"warc", "extract", folder / "old.arc", "--out", folder / "pages"}).code, 0);
  EXPECT_THAT(read_text(folder / "pages/old.example/index.html"), HasSubstr("from an ARC file"));
  const Finished wacz = run_bowerbird(
      {"export", folder / "old.arc", "--as", "wacz", "-o", folder / "old.wacz", "--json", "--quiet"});
  ASSERT_EQ(wacz.code, 0) << wacz.err;
  EXPECT_EQ(Json::parse(wacz.out).at("rewritten"), 1);
  EXPECT_THAT(read_text(folder / "old.wacz"), HasSubstr("\"title\":\"Old page\""));
}

// Revisit, truncated and former ARC records are valid for warcio.
TEST(Warcio, ReadsRevisitTruncatedAndConvertedRecordsFull) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";
  const std::string warcio = warcio_folder();
  if (warcio.empty()) GTEST_SKIP() << "warcio cannot be had from npm";
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder / "crawl", options)).value();
  StoredFetch fetch;
  fetch.page = store->add_url("http://www.example.org/cut");
  fetch.url = "http://www.example.org/cut";
  fetch.time_us = 1'763'270'400'000'000;
  fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n";
  fetch.body = "<p>only the beginn";
  fetch.status = 200;
  fetch.mime = "text/html";
  fetch.truncated = Truncated::kDisconnect;
  store->add_fetch(fetch);
  fetch.truncated = Truncated::kNo;
  fetch.body.clear();
  fetch.time_us += 1'000'000;
  fetch.status = 304;
  fetch.response_head = "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n";
  fetch.not_modified = NotModified{fetch.url, 1'763'270'400'000'000, sha1("<p>only the beginn")};
  store->add_fetch(fetch);
  store->add_record({"response", "dns:www.example.org", "text/dns", fetch.time_us,
                     "20251116052000\nwww.example.org.\t60\tIN\tA\t192.0.2.1\n"});
  ASSERT_TRUE(store->close("").ok());
  write_text(folder / "old.arc", small_arc());
  ASSERT_EQ(run_bowerbird({"warc", "convert", folder / "old.arc", "--out", folder / "new"}).code, 0);
  const std::string out =
      shell_output(fmt::format("node '{}/tests/warcio_oracle.mjs' '{}' '{}' '{}'", BOWERBIRD_SOURCE_DIR,
                               warcio, only_warc(folder / "crawl"), folder / "new/old.warc.gz"));
  const std::size_t end = out.find('\n');
  const Json crawl = Json::parse(out.substr(0, end), nullptr, false);
  ASSERT_TRUE(crawl.is_object()) << out;
  EXPECT_TRUE(crawl.at("wrong").empty()) << out;
  EXPECT_EQ(crawl.at("types"), Json({{"warcinfo", 1}, {"response", 2}, {"revisit", 1}}));
  EXPECT_EQ(crawl.at("truncated"), Json({"disconnect"}));
  EXPECT_EQ(crawl.at("refers"), Json({"http://www.example.org/cut"}));
  const Json arc = Json::parse(out.substr(end + 1), nullptr, false);
  ASSERT_TRUE(arc.is_object()) << out;
  EXPECT_EQ(arc.at("types"), Json({{"warcinfo", 1}, {"response", 1}}));
  EXPECT_TRUE(arc.at("wrong").empty()) << out;
}

TEST(WarcVerify, VerifyDetectsAMissingFileOfTheCrawl) {
  const TemporaryFolder folder;
  make_crawl(folder / "crawl", WarcCompression::kGzip);
  EXPECT_EQ(run_bowerbird({"warc", "verify", folder / "crawl"}).code, 0);
  const std::string file = only_warc(folder / "crawl");
  std::filesystem::rename(file, folder / "elsewhere");
  const Finished gone = run_bowerbird({"warc", "verify", folder / "crawl"});
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.out, HasSubstr(file + ": damaged: this file is missing"));
  std::filesystem::create_symlink(folder / "elsewhere", file);
  EXPECT_EQ(run_bowerbird({"warc", "verify", folder / "crawl"}).code, 0);
}

}  // namespace
}  // namespace bowerbird
