// Each recipe of docs/export.md, run by the tool that it is for: npm's warcio, a server that checks _bulk
// lines, DuckDB (npm), pandas and R. Tools that are not available are skipped.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "process.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using Json = nlohmann::json;

constexpr int kRecipePages = 12;

std::string recipe_page(int i) {
  std::string text;
  for (int k = 0; k < 6; ++k)
    text += fmt::format("<p>Bird number {} builds a bower in its garden and tells \"story\" {} about it.</p>",
                        i, k);
  return fmt::format(
      "<html lang=en><title>Bird {0}</title><meta name=author content='Ada Bird'><article><h1>Bird "
      "{0}</h1>{1}"
      "<a href=/{2}>next</a></article>",
      i, text, (i + 1) % kRecipePages);
}

void write_recipe_crawl(const std::string& folder) {
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options).value());
  for (int i = 0; i < kRecipePages; ++i) {
    StoredFetch fetch;
    fetch.url = fmt::format("http://bower.example/{}", i);
    fetch.page = store->add_url(fetch.url);
    fetch.time_us = 1'763'270'400'000'000 + i * 1'000'000;
    fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    fetch.body = recipe_page(i);
    fetch.status = 200;
    fetch.mime = "text/html";
    store->add_fetch(std::move(fetch));
  }
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
  ASSERT_TRUE(store->close("").ok());
}

bool has_command(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

// An npm package in the build folder; empty: not available.
std::string npm_package(const std::string& name, const std::string& version) {
  const std::string folder = std::filesystem::path(BOWERBIRD_BINARY).parent_path().string() + "/npm";
  const std::string package = folder + "/node_modules/" + name;
  if (!std::filesystem::exists(package)) {
    std::filesystem::create_directories(folder);
    static_cast<void>(has_command(fmt::format(
        "timeout 300 npm install --no-audit --no-fund --silent --prefix '{}' {}@{}", folder, name, version)));
  }
  return std::filesystem::exists(package) ? folder : "";
}

class ExportRecipesFull : public ::testing::Test {
 protected:
  void SetUp() override { write_recipe_crawl(folder_ / "crawl"); }

  void write(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"export", folder_ / "crawl"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Finished done = run_bowerbird(words);
    ASSERT_EQ(done.code, 0) << done.err;
  }
  static std::string script(const std::string& name) { return BOWERBIRD_SOURCE_DIR "/tests/" + name; }

  TemporaryFolder folder_;
};

TEST_F(ExportRecipesFull, WarcioReadsWetAndWat) {
  if (!has_command("node --version")) GTEST_SKIP() << "there is no node";
  const std::string warcio = npm_package("warcio", "2.4.11");
  if (warcio.empty()) GTEST_SKIP() << "warcio cannot be had from npm";
  write({"--as", "wet", "--main", "-o", folder_ / "x.warc.wet.gz"});
  write({"--as", "wat", "-o", folder_ / "x.warc.wat.gz"});
  const std::string out =
      shell_output(fmt::format("node '{}' '{}' '{}' '{}'", script("derived_oracle.mjs"), warcio,
                               folder_ / "x.warc.wet.gz", folder_ / "x.warc.wat.gz"));
  const Json report = Json::parse(out, nullptr, false);
  ASSERT_TRUE(report.is_array()) << out;
  for (const Json& file : report) EXPECT_EQ(file["wrong"], Json::array()) << out;
  EXPECT_EQ(report[0]["types"], Json({{"warcinfo", 1}, {"conversion", kRecipePages}}));
  EXPECT_EQ(report[0]["languages"], Json({"eng"}));
  EXPECT_EQ(report[1]["types"], Json({{"warcinfo", 1}, {"metadata", kRecipePages}}));
  EXPECT_EQ(report[1]["titles"][3], "Bird 3");
  EXPECT_EQ(report[1]["links"][3], "/4");
}

TEST_F(ExportRecipesFull, ABulkServerTakesTheLines) {
  write({"--as", "bulk", "-o", folder_ / "pages.ndjson"});
  const std::string out =
      shell_output(fmt::format("python3 '{}' '{}'", script("bulk_server.py"), folder_ / "pages.ndjson"));
  const Json report = Json::parse(out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << out;
  EXPECT_EQ(report["errors"], Json::array()) << out;
  EXPECT_EQ(report["documents"], kRecipePages);
  EXPECT_EQ(report["after_second_import"], kRecipePages);
}

TEST_F(ExportRecipesFull, ChunksMakeARetrievalIndex) {
  write({"--as", "chunks", "--chunk-words", "40", "--chunk-overlap", "5", "-o", folder_ / "chunks.jsonl"});
  const std::string out = shell_output(fmt::format("python3 '{}' '{}' 'bird number 7 garden'",
                                                   script("retrieval_index.py"), folder_ / "chunks.jsonl"));
  const Json report = Json::parse(out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << out;
  EXPECT_EQ(report["best"], "http://bower.example/7") << out;
  EXPECT_GT(report["chunks"], kRecipePages);
}

TEST_F(ExportRecipesFull, DuckDbQueriesAndWritesParquet) {
  if (!has_command("node --version")) GTEST_SKIP() << "there is no node";
  const std::string npm = npm_package("@duckdb/node-api", "latest");
  if (npm.empty()) GTEST_SKIP() << "@duckdb/node-api cannot be had from npm";
  write({"--as", "jsonl", "-o", folder_ / "pages.jsonl.gz"});
  const std::string out =
      shell_output(fmt::format("node '{}' '{}' '{}' '{}'", script("duckdb_recipe.mjs"), npm,
                               folder_ / "pages.jsonl.gz", folder_ / "pages.parquet"));
  const Json report = Json::parse(out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << out;
  EXPECT_EQ(report["pages"], kRecipePages) << out;
  EXPECT_EQ(report["in_parquet"], kRecipePages) << out;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "pages.parquet"));
}

TEST_F(ExportRecipesFull, PandasReadsTheLines) {
  if (!has_command("/usr/bin/python3 -c 'import pandas'")) GTEST_SKIP() << "there is no pandas";
  write({"--as", "jsonl", "-o", folder_ / "pages.jsonl.gz"});
  const std::string out = shell_output(fmt::format(
      "/usr/bin/python3 -c 'import pandas; t = pandas.read_json(\"{}\", lines=True); print(len(t), "
      "t.title[2])'",
      folder_ / "pages.jsonl.gz"));
  EXPECT_EQ(out, fmt::format("{} Bird 2\n", kRecipePages));
}

TEST_F(ExportRecipesFull, RReadsTheLines) {
  if (!has_command("Rscript -e 'library(jsonlite)'")) GTEST_SKIP() << "there is no R with jsonlite";
  write({"--as", "jsonl", "-o", folder_ / "pages.jsonl.gz"});
  const std::string out = shell_output(
      fmt::format("Rscript -e 't <- jsonlite::stream_in(gzfile(\"{}\"), verbose = FALSE); cat(nrow(t), "
                  "t$title[3])' 2> /dev/null",
                  folder_ / "pages.jsonl.gz"));
  EXPECT_EQ(out, fmt::format("{} Bird 2", kRecipePages));
}

}  // namespace
}  // namespace bowerbird
