// Exports that are killed at any time can be continued, and give the same output as uninterrupted ones.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "process.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr std::int64_t kBegin = 1'763'270'400'000'000;

// 2,500 pages with about 20 kB of text each: an export has several checkpoints.
void write_long_crawl(const std::string& folder) {
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options).value());
  for (unsigned i = 0; i < 2500; ++i) {
    StoredFetch fetch;
    fetch.url = fmt::format("http://bower.example/{}/{}", i % 7, i);
    fetch.page = store->add_url(fetch.url);
    fetch.time_us = kBegin + i * 1'000'000;
    fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    fetch.body =
        fmt::format("<title>Story {}</title><nav><a href=/>Home</a></nav><main><h1>Story {}</h1>", i, i);
    for (unsigned k = 0; k < 180; ++k)
      fetch.body += fmt::format(
          "<p>Sentence {} of story {} is long enough, and unlike all others, to be read "
          "by those who like stories of {} words.</p>",
          k, i, i * k % 1009);
    fetch.body += "</main><footer>Copyright</footer>";
    fetch.status = 200;
    fetch.mime = "text/html";
    store->add_fetch(std::move(fetch));
  }
  ASSERT_TRUE(store->close("").ok());
}

// Names and contents of all files below a folder, or of one file.
std::map<std::string, std::string> files_of(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {{"", read_text(path)}};
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file())
      files[std::filesystem::relative(entry.path(), path).string()] = read_text(entry.path().string());
  }
  return files;
}

// Kills the export after increasing delays until it ends by itself. `partial` is its progress file;
// `complete` is a file that only a finished export has (a folder of pages has none).
void expect_continued(const std::vector<std::string>& command, const std::string& out,
                      const std::string& partial, const std::string& complete,
                      const std::map<std::string, std::string>& expected) {
  int killed = 0, continued = 0;
  for (auto delay = std::chrono::microseconds(60'000);; delay = delay * 6 / 5) {
    continued += std::filesystem::exists(partial) ? 1 : 0;
    EXPECT_FALSE(std::filesystem::exists(complete));
    if (!run_and_kill(command, delay)) break;
    ++killed;
  }
  EXPECT_GT(killed, 0);
  EXPECT_GT(continued, 0);
  const auto files = files_of(out);
  ASSERT_EQ(files.size(), expected.size());
  for (const auto& [name, bytes] : expected) {
    ASSERT_TRUE(files.contains(name)) << name;
    EXPECT_TRUE(files.at(name) == bytes) << name << " differs";
  }
}

class ExportKilledFull : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    write_long_crawl(*folder_ / "crawl");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // The export to `name` is killed, and must give the files of an uninterrupted one.
  void check(std::vector<std::string> options, const std::string& name, const std::string& partial,
             const std::string& complete) {
    const auto command = [&](const std::string& path) {
      std::vector<std::string> all = {"export", *folder_ / "crawl", "--quiet", "-o", path};
      all.insert(all.end(), options.begin(), options.end());
      return all;
    };
    const std::string whole = *folder_ / "whole/" + name, out = *folder_ / "killed/" + name;
    std::filesystem::create_directories(*folder_ / "whole");
    std::filesystem::create_directories(*folder_ / "killed");
    const Finished done = run_bowerbird(command(whole));
    ASSERT_EQ(done.code, 0) << done.err;
    expect_continued(command(out), out, out + partial, out + complete, files_of(whole));
  }

  static inline std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(ExportKilledFull, AFileIsContinued) {
  check({"--as", "jsonl"}, "pages.jsonl.gz", ".part.json", "");
}

TEST_F(ExportKilledFull, ShardsAreContinued) {
  check({"--as", "jsonl", "--shard-size", "8MB"}, "shards", "/manifest.part.json", "/manifest.json");
}

TEST_F(ExportKilledFull, AFolderOfPagesIsContinued) {
  check({"--as", "markdown"}, "pages/", "export.part.json", "none");
}

}  // namespace
}  // namespace bowerbird
