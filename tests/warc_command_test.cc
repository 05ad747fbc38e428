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

TEST_P(WarcCommand, CatUnpacksAFileIntoOneThatIsSoundAndTheSame) {
  const Finished plain = run_bowerbird({"warc", "cat", crawl_});
  ASSERT_EQ(plain.code, 0) << plain.err;
  const Finished again = run_bowerbird({"warc", "cat", "-"}, plain.out);
  EXPECT_TRUE(again.out == plain.out);
  const Finished verified = run_bowerbird({"warc", "verify", "-"}, plain.out);
  EXPECT_EQ(verified.code, 0) << verified.out;
}

TEST_P(WarcCommand, VerifyCountsAndFindsAChangedByte) {
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
  // In a plain file only what a digest covers is protected.
  const std::size_t at = std::min(bytes.find("the third"), bytes.size() * 2 / 3);
  bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
  write_text(file, bytes);
  const Finished broken = run_bowerbird({"warc", "verify", file});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.out, HasSubstr("damaged"));
  EXPECT_THAT(broken.out, HasSubstr("byte "));
}

TEST_P(WarcCommand, ExtractWritesThePages) {
  const std::string out = folder_ / "pages";
  const auto lines = lines_of(run_bowerbird({"warc", "extract", crawl_, "--out", out, "--json", "--quiet"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at("written"), 3);
  EXPECT_EQ(lines[0].at("revisits"), 1);
  EXPECT_EQ(read_text(out + "/www.example.org/index.html"), body_of(0));
  EXPECT_EQ(read_text(out + "/www.example.org/2.html"), "<html>the third</html>");
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

TEST(WarcVerify, VerifyNoticesAFileThatTheCrawlHadAndIsGone) {
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
