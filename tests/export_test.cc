// `bowerbird export`, judged by Python's zipfile (wacz_check.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "archive/wacz.h"
#include "process.h"
#include "replay_web_page_testing.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"
#include "url/canonical.h"

namespace bowerbird {
namespace {

constexpr std::int64_t kTime = 1'763'270'400'000'000;

StoredFetch page_of(CrawlStore& store, const std::string& url, const std::string& body, unsigned second) {
  StoredFetch fetch;
  fetch.page = store.add_url(url);
  fetch.url = url;
  fetch.time_us = kTime + second * 1'000'000;
  fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  fetch.body = body;
  fetch.status = 200;
  fetch.mime = "text/html";
  fetch.title = "Page of " + url;
  return fetch;
}

// Two pages whose keys differ between tools, and a third with the body of the first.
void write_crawl(const std::string& folder, Compression compression, bool close) {
  StoreOptions options;
  options.compression = compression;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options).value());
  store->add_fetch(page_of(*store, "http://bower.example/a/", "<p>one", 0));
  store->add_fetch(page_of(*store, "http://bower.example/?q=c%2B%2B", std::string(100'000, 'x'), 1));
  store->add_fetch(page_of(*store, "http://bower.example/again", "<p>one", 2));
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
  if (close) {
    ASSERT_TRUE(store->close("").ok());
  } else {
    store->add_fetch(page_of(*store, "http://bower.example/lost", "after the commit", 3));
  }
}

nlohmann::json judge(const std::string& wacz) {
  return nlohmann::json::parse(
      shell_output(fmt::format("python3 '{}/tests/wacz_check.py' '{}'", BOWERBIRD_SOURCE_DIR, wacz)), nullptr,
      false);
}

Result<WaczCounts> export_folder(const std::vector<std::string>& inputs, const std::string& out) {
  auto source = open_captures(inputs);
  if (!source.ok()) return source.error();
  WaczOptions options;
  options.out = out;
  options.title = "a test";
  options.seeds = {"http://bower.example/a/"};
  options.created_us = kTime;
  options.sort_bytes = 100;  // several runs
  return write_wacz(**source, options);
}

void expect_whole(const std::string& wacz) {
  const nlohmann::json report = judge(wacz);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
  EXPECT_EQ(report["urls"], 3);
  EXPECT_EQ(report["lines"], 5);  // two under both keys
  EXPECT_EQ(report["main"], "http://bower.example/a/");
  ASSERT_EQ(report["pages"].size(), 3u);
  EXPECT_EQ(report["pages"][0]["seed"], true);
}

class ExportWacz : public ::testing::TestWithParam<Compression> {};

TEST_P(ExportWacz, ContainsTheWholeCrawl) {
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", GetParam(), true);
  const auto counts = export_folder({folder / "crawl"}, folder / "x.wacz");
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->rewritten, GetParam() == Compression::kGzip ? 0u : 1u);
  expect_whole(folder / "x.wacz");
  EXPECT_EQ(judge(folder / "x.wacz")["pages"][1]["title"], "Page of http://bower.example/?q=c%2B%2B");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.wacz.sorting"));
}

TEST_P(ExportWacz, ContainsARunningCrawlUpToItsLastCommit) {
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", GetParam(), false);
  ASSERT_TRUE(export_folder({folder / "crawl"}, folder / "x.wacz").ok());
  expect_whole(folder / "x.wacz");
}

TEST_P(ExportWacz, ContainsOtherWarcFiles) {
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", GetParam(), true);
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "crawl/warc"))
    file = entry.path().string();
  const auto counts = export_folder({file}, folder / "x.wacz");
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  expect_whole(folder / "x.wacz");
}

INSTANTIATE_TEST_SUITE_P(All, ExportWacz,
                         ::testing::Values(Compression::kNone, Compression::kGzip, Compression::kZstd));

// Pages of about 1 kB. Every third has the same body as the previous one, and one page has noarchive.
void write_long_crawl(const std::string& folder, Compression compression, const StoreOptions& given = {}) {
  StoreOptions options = given;
  options.compression = compression;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options).value());
  for (unsigned i = 0; i < 60; ++i) {
    std::string body = fmt::format("<title>{}</title><p>", i % 3 == 2 ? i - 1 : i);
    for (unsigned n = 0; n < 100; ++n)
      body += fmt::format("{} ", (i % 3 == 2 ? i - 1 : i) * 7919 + n * n * 31);
    StoredFetch fetch = page_of(*store, fmt::format("http://bower.example/{}", i), body, i);
    fetch.request = "GET / HTTP/1.1\r\n\r\n";
    fetch.noarchive = i == 30;
    store->add_fetch(std::move(fetch));
  }
  ASSERT_TRUE(store->close("").ok());
}

WaczOptions options_for(const std::string& out) {
  WaczOptions options;
  options.out = out;
  options.title = "a test";
  options.created_us = kTime;
  return options;
}

TEST_P(ExportWacz, IsSplitBySizeAndEachPartIsComplete) {
  const TemporaryFolder folder;
  write_long_crawl(folder / "crawl", GetParam());
  const auto source = std::move(open_captures({folder / "crawl"}).value());
  WaczOptions options = options_for(folder / "x.wacz");
  std::uint64_t bytes = 0;
  for (const CaptureFile& file : source->files()) bytes += file.bytes;
  options.parts.split_bytes = bytes / 4;
  const auto counts = write_wacz(*source, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->captures, 60u);
  ASSERT_GE(counts->outputs.size(), 4u);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.wacz"));
  std::uint64_t urls = 0;
  for (const std::string& out : counts->outputs) {
    const nlohmann::json report = judge(out);
    ASSERT_TRUE(report.is_object()) << out;
    EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
    EXPECT_EQ(report["dangling"], 0) << "revisits without an original";
    EXPECT_EQ(report["first"], "warcinfo");
    urls += report["urls"].get<std::uint64_t>();
  }
  EXPECT_EQ(urls, 60u);
  EXPECT_EQ(counts->missing, 0u);
}

TEST_P(ExportWacz, LeavesOutPagesWithNoarchive) {
  const TemporaryFolder folder;
  write_long_crawl(folder / "crawl", GetParam());
  const auto source = std::move(open_captures({folder / "crawl"}).value());
  WaczOptions options = options_for(folder / "x.wacz");
  auto counts = write_wacz(*source, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->noarchive, 1u);
  EXPECT_EQ(judge(folder / "x.wacz")["pages"][30]["noarchive"], true);
  options.parts.respect_noarchive = true;
  counts = write_wacz(*source, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->left_out, 1u);
  const nlohmann::json report = judge(folder / "x.wacz");
  EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
  EXPECT_EQ(report["urls"], 59);
  EXPECT_EQ(report["records"], 1 + 2 * 59) << "no record of it is there";
}

TEST(Export, CompletesRevisitsOfAnotherCrawl) {
  const TemporaryFolder folder;
  write_long_crawl(folder / "first", Compression::kGzip);
  StoreOptions options;
  options.others = {folder / "first"};
  write_long_crawl(folder / "second", Compression::kGzip, options);
  const auto source = std::move(open_captures({folder / "second"}).value());
  WaczOptions wacz = options_for(folder / "x.wacz");
  auto counts = write_wacz(*source, wacz);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->missing, 60u);
  const auto others =
      std::move(OtherPayloads::open(Disk::real(), options.others, folder / "rows", 1000).value());
  EXPECT_EQ(others->size(), 40u);
  wacz.others = others.get();
  counts = write_wacz(*source, wacz);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->completed, 60u);
  EXPECT_EQ(counts->missing, 0u);
  const nlohmann::json report = judge(folder / "x.wacz");
  EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
  EXPECT_EQ(report["dangling"], 0);
}

// The crawl's own folder names the archives that have the bodies.
TEST(Export, FindsTheBodiesOfADedupedCrawlEverywhere) {
  const TemporaryFolder folder;
  write_long_crawl(folder / "first", Compression::kGzip);
  StoreOptions options;
  options.others = {folder / "first"};
  write_long_crawl(folder / "second", Compression::kGzip, options);
  write_text(folder / "second/options.toml", fmt::format("dedup = [\"{}\"]\n", folder / "first"));
  const Finished extracted = run_bowerbird({"warc", "extract", folder / "second", "--out", folder / "pages",
                                            "--json", "--quiet", "--status", "0"});
  ASSERT_EQ(extracted.code, 0) << extracted.err;
  EXPECT_EQ(nlohmann::json::parse(extracted.out)["resolved"], 60);
  EXPECT_EQ(nlohmann::json::parse(extracted.out)["revisits"], 0);
  const Finished site = run_bowerbird(
      {"export", folder / "second", "--as", "site", "-o", folder / "site", "--json", "--quiet"});
  ASSERT_EQ(site.code, 0) << site.err;
  EXPECT_EQ(nlohmann::json::parse(site.out)["unreadable"], 0) << site.out;
  std::filesystem::remove_all(folder / "first");
  const Finished gone = run_bowerbird({"warc", "extract", folder / "second", "--out", folder / "none"});
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.err, testing::HasSubstr("pages whose bodies are there cannot be shown"));
}

TEST(Export, ReadsTitlesInOtherWarcFiles) {
  const TemporaryFolder folder;
  write_long_crawl(folder / "crawl", Compression::kGzip);
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "crawl/warc"))
    file = entry.path().string();
  const Finished done =
      run_bowerbird({"export", file, "--as", "wacz", "-o", folder / "x.wacz", "--text", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  const nlohmann::json report = judge(folder / "x.wacz");
  EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
  EXPECT_EQ(report["pages"][4]["title"], "4");
  EXPECT_TRUE(report["pages"][4]["text"].is_string()) << report["pages"][4];
  EXPECT_EQ(report["pages"][5]["text"], report["pages"][4]["text"])
      << "a revisit has the text of its original";
}

TEST(Export, ContainsOptionsWithoutSecretsAndTheReport) {
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", Compression::kGzip, true);
  write_text(folder / "crawl/options.toml",
             "contact = \"me@example.org\"\nauth = [\"a.example=me:sesame\"]\n");
  write_text(folder / "crawl/report.html", "<html>");
  write_text(folder / "crawl/report.json", "{}");
  const Finished done =
      run_bowerbird({"export", folder / "crawl", "--as", "wacz", "-o", folder / "x.wacz", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  const nlohmann::json report = judge(folder / "x.wacz");
  EXPECT_EQ(report["wrong"], nlohmann::json::array()) << report.dump(1);
  const std::string all = read_text(folder / "x.wacz");
  EXPECT_NE(all.find("bowerbird/options.toml"), std::string::npos);
  EXPECT_NE(all.find("bowerbird/report.json"), std::string::npos);
  EXPECT_NE(all.find("me@example.org"), std::string::npos);
  EXPECT_EQ(all.find("sesame"), std::string::npos);
}

TEST(Export, LeavesNothingWhenItIsKilledFull) {
  const TemporaryFolder folder;
  {
    StoreOptions options;
    options.durable = false;
    options.compression = Compression::kNone;  // so that it is packed
    auto store = std::move(CrawlStore::open(folder / "crawl", options).value());
    for (unsigned i = 0; i < 300; ++i)
      store->add_fetch(page_of(*store, fmt::format("http://bower.example/{}", i),
                               std::string(100'000, static_cast<char>('a' + i % 26)) + std::to_string(i), i));
    ASSERT_TRUE(store->close("").ok());
  }
  bool killed = false;
  for (int ms = 5; ms < 2000; ms *= 2) {
    const std::string out = folder / fmt::format("{}.wacz", ms);
    const bool now = run_and_kill({"export", folder / "crawl", "--as", "wacz", "-o", out, "--quiet"},
                                  std::chrono::milliseconds(ms));
    killed |= now;
    if (std::filesystem::exists(out)) {
      EXPECT_EQ(judge(out)["wrong"], nlohmann::json::array());
    } else {
      EXPECT_TRUE(now);
    }
  }
  EXPECT_TRUE(killed);
}

TEST(Export, NamesAWarcFileThatIsMissing) {
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", Compression::kGzip, true);
  std::filesystem::remove_all(folder / "crawl/warc");
  const auto counts = export_folder({folder / "crawl"}, folder / "x.wacz");
  ASSERT_FALSE(counts.ok());
  EXPECT_NE(counts.error().text.find(".warc.gz: No such file"), std::string::npos) << counts.error().text;
  EXPECT_FALSE(std::filesystem::exists(folder / "x.wacz"));
}

TEST(ReplayWebPage, ShowsThePagesOfAWaczFull) {
  if (std::system("command -v chromium > /dev/null 2>&1 && node --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no chromium, or no node";
  const std::string package = replay_web_page_folder(BOWERBIRD_BINARY);
  if (package.empty()) GTEST_SKIP() << "replaywebpage cannot be had from npm";
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", Compression::kZstd, true);
  ASSERT_TRUE(export_folder({folder / "crawl"}, folder / "x.wacz").ok());
  const std::string out = shell_output(fmt::format(
      "timeout 120 node '{}/tests/replay_web_page.mjs' '{}' chromium '{}' 'http://bower.example/a/' "
      "'http://bower.example/?q=c%2B%2B' 'http://bower.example/again'",
      BOWERBIRD_SOURCE_DIR, package, folder / "x.wacz"));
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    const auto line = nlohmann::json::parse(out.substr(at, out.find('\n', at) - at), nullptr, false);
    ASSERT_TRUE(line.is_object()) << out;
    EXPECT_EQ(line["outside"], nlohmann::json::array());
    texts.push_back(line["text"].is_string() ? line["text"].get<std::string>() : "(nothing)");
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"one", std::string(100'000, 'x'), "one"}));
}

// The canonical forms of the URLs in a table of keys by other software, if the data is present.
std::set<std::string> urls_of_key_table() {
  const char* const given = std::getenv("BOWERBIRD_DATA");
  std::ifstream table(std::string(given != nullptr ? given : BOWERBIRD_SOURCE_DIR "/../shared/data") +
                      "/surt.tsv");
  std::set<std::string> urls;
  std::string line;
  Url url;
  while (std::getline(table, line)) {
    if (!line.starts_with('#') &&
        canonical_url(line.substr(0, line.find('\t')), nullptr, url) == UrlFault::kNone)
      urls.insert(std::string(url.text()));
  }
  return urls;
}

// Enough pages for several blocks of the index.
TEST(ReplayWebPage, OpensEveryUrlByItsKeyAmongThousandsFull) {
  if (std::system("command -v chromium > /dev/null 2>&1 && node --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no chromium, or no node";
  const std::set<std::string> urls = urls_of_key_table();
  if (urls.empty()) GTEST_SKIP() << "no surt.tsv";
  EXPECT_GT(urls.size(), 100u);
  const std::string package = replay_web_page_folder(BOWERBIRD_BINARY);
  if (package.empty()) GTEST_SKIP() << "replaywebpage cannot be had from npm";
  const TemporaryFolder folder;
  StoreOptions options;
  options.compression = Compression::kGzip;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder / "crawl", options).value());
  std::map<std::string, std::string> texts;
  std::string list;
  unsigned second = 0;
  for (const std::string& url : urls) {
    texts[url] = fmt::format("this is number {}", second);
    store->add_fetch(page_of(*store, url, "<!doctype html><p>" + texts[url], second++));
    list += url + "\n";  // the embed opens the first one, frames open the others
  }
  for (int i = 0; i < 5200; ++i) {
    StoredFetch image =
        page_of(*store, fmt::format("http://filler{}.example/{}.gif", i % 7, i), "GIF89a", second++);
    image.response_head = "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n";
    image.mime = "image/gif";
    store->add_fetch(std::move(image));
  }
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
  ASSERT_TRUE(store->close("").ok());
  ASSERT_TRUE(export_folder({folder / "crawl"}, folder / "x.wacz").ok());
  write_text(folder / "urls", list);
  const std::string out =
      shell_output(fmt::format("timeout 280 node '{}/tests/replay_web_page.mjs' '{}' chromium '{}' '@{}'",
                               BOWERBIRD_SOURCE_DIR, package, folder / "x.wacz", folder / "urls"));
  std::size_t opened = 0;
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    const auto line = nlohmann::json::parse(out.substr(at, out.find('\n', at) - at), nullptr, false);
    ASSERT_TRUE(line.is_object()) << out;
    EXPECT_EQ(line["outside"], nlohmann::json::array());
    EXPECT_EQ(line["text"], texts[line["url"]]) << line["url"];
    ++opened;
  }
  EXPECT_EQ(opened, urls.size());
}

// npm's js-wacz, in the build folder; empty if it is not available.
std::string js_wacz_program() {
  const std::string folder = std::filesystem::path(BOWERBIRD_BINARY).parent_path().string() + "/npm";
  const std::string program = folder + "/node_modules/@harvard-lil/js-wacz/bin/cli.js";
  if (std::filesystem::exists(program)) return program;
  std::filesystem::create_directories(folder);
  shell_output(fmt::format(
      "timeout 120 npm install --no-audit --no-fund --silent --prefix '{}' @harvard-lil/js-wacz@0.1.6 2>&1",
      folder));
  return std::filesystem::exists(program) ? program : "";
}

TEST(WaczByJsWacz, OfTheSameFilesHasTheSameIndexFull) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no node";
  const std::string program = js_wacz_program();
  if (program.empty()) GTEST_SKIP() << "js-wacz cannot be had from npm";
  const TemporaryFolder folder;
  write_crawl(folder / "crawl", Compression::kGzip, true);
  ASSERT_TRUE(export_folder({folder / "crawl"}, folder / "ours.wacz").ok());
  const std::string said =
      shell_output(fmt::format("timeout 100 node '{}' create -f '{}/warc/*.warc.gz' -o '{}' 2>&1", program,
                               folder / "crawl", folder / "theirs.wacz"));
  ASSERT_TRUE(std::filesystem::exists(folder / "theirs.wacz")) << said;
  const std::string out =
      shell_output(fmt::format("python3 '{}/tests/js_wacz_check.py' '{}' '{}' 2>&1", BOWERBIRD_SOURCE_DIR,
                               folder / "ours.wacz", folder / "theirs.wacz"));
  const auto report = nlohmann::json::parse(out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << out;
  EXPECT_EQ(report["captures"], 3) << out;
  EXPECT_EQ(report["missing"], nlohmann::json::array()) << out;
}

TEST(Export, RefusesToMakeAWaczOfAWacz) {
  const Finished run = run_bowerbird({"export", "x.wacz", "--as", "wacz", "-o", "y.wacz"});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("it is a WACZ already"), std::string::npos) << run.err;
}

TEST(Export, RefusesAFolderWithoutACrawl) {
  const TemporaryFolder folder;
  const auto counts = export_folder({folder.path()}, folder / "x.wacz");
  ASSERT_FALSE(counts.ok());
  EXPECT_NE(counts.error().text.find("there is no crawl in this folder"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
