// Where exports go: files, shards and folders, continued where they were interrupted; and that whatever a
// page contains, the output is valid.
#include <gtest/gtest.h>

#include <map>

#include "base/utf8.h"
#include "export/exporting_testing.h"

namespace bowerbird {
namespace {

TEST_F(Exporting, ShardsHaveAManifestAndAreContinued) {
  std::vector<StoredPage> pages;
  for (int i = 0; i < 40; ++i)
    pages.push_back({fmt::format("{}{}", kSite, i), story(fmt::format("T{}", i), fmt::format("n{}", i))});
  write_crawl(folder_ / "crawl", pages);
  ExportOptions options;
  options.format.name = "jsonl";
  options.output.shard_bytes = 3000;
  options.output.extension = ".jsonl";
  options.output.path = folder_ / "shards";
  // The first export is stopped at the second half.
  const auto stopped = export_documents(
      {folder_ / "crawl"}, options, Progress([&](std::string_view what, std::uint64_t, auto) {
        return what != "exporting" || !std::filesystem::exists(folder_ / "shards/part-00001.jsonl");
      }));
  if (stopped.ok()) GTEST_FAIL() << "it should have been stopped";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "shards/manifest.json"));
  EXPECT_EQ(run(options, "shards").pages, 40u);
  const auto manifest = nlohmann::json::parse(content(folder_ / "shards/manifest.json"));
  EXPECT_EQ(manifest["documents"], 40);
  Urls urls;
  for (const auto& file : manifest["files"]) {
    const std::string path = folder_ / ("shards/" + file["name"].get<std::string>());
    EXPECT_EQ(file["bytes"], std::filesystem::file_size(path));
    for (const std::string& url : urls_of(path)) urls.push_back(url);
  }
  Urls expected;
  for (const StoredPage& page : pages) expected.push_back(page.url);
  EXPECT_EQ(urls, expected);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "shards/manifest.part.json"));
  const auto again = export_documents({folder_ / "crawl"}, options);
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().text.find("complete export"), std::string::npos);
}

std::vector<StoredPage> hundred_pages() {
  std::vector<StoredPage> pages;
  for (int i = 0; i < 100; ++i)
    pages.push_back({fmt::format("{}{}", kSite, i), story(fmt::format("T{}", i), fmt::format("n{}", i))});
  return pages;
}

// Stops an export in its second half.
Progress until_half() {
  return Progress(
      [](std::string_view what, std::uint64_t done, auto) { return what != "exporting" || done < 60; });
}

TEST_F(Exporting, FilesAreContinued) {
  write_crawl(folder_ / "crawl", hundred_pages());
  ExportOptions options;
  options.format.name = "jsonl";
  options.output.checkpoint_bytes = 4000;
  run(options, "whole.jsonl");
  const std::string whole = content(folder_ / "whole.jsonl");
  for (const std::string name : {"x.jsonl", "x.jsonl.gz", "x.jsonl.zst"}) {
    options.output.path = folder_ / name;
    EXPECT_FALSE(export_documents({folder_ / "crawl"}, options, until_half()).ok());
    EXPECT_FALSE(std::filesystem::exists(folder_ / name));
    ASSERT_TRUE(std::filesystem::exists(folder_ / (name + ".part.json")));
    const auto part = nlohmann::json::parse(content(folder_ / (name + ".part.json")));
    EXPECT_GT(part["documents"], 0);
    // What was written after the last checkpoint, by a process that was killed, does not count.
    std::ofstream(folder_ / (name + ".part"), std::ios::app) << "torn";
    EXPECT_EQ(run(options, name).pages, 100u);
    EXPECT_EQ(content(folder_ / name), whole);
    EXPECT_FALSE(std::filesystem::exists(folder_ / (name + ".part")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / (name + ".part.json")));
  }
  // The part of another export is not continued.
  options.output.path = folder_ / "y.jsonl";
  EXPECT_FALSE(export_documents({folder_ / "crawl"}, options, until_half()).ok());
  options.selection.min_words = 1;
  EXPECT_EQ(run(options, "y.jsonl").pages, 100u);
  EXPECT_EQ(content(folder_ / "y.jsonl"), whole);
}

TEST_F(Exporting, FoldersOfPagesAreContinued) {
  write_crawl(folder_ / "crawl", hundred_pages());
  ExportOptions options;
  options.format.name = "markdown";
  options.output.one_file_per_page = true;
  options.output.checkpoint_pages = 10;
  options.output.extension = ".md";
  options.output.path = folder_ / "pages";
  EXPECT_FALSE(export_documents({folder_ / "crawl"}, options, until_half()).ok());
  const std::string state = folder_ / "pages/export.part.json";
  ASSERT_TRUE(std::filesystem::exists(state));
  const std::string first = folder_ / "pages/bower.example/0.md";
  ASSERT_TRUE(std::filesystem::exists(first));
  std::ofstream(first) << "as it was";
  EXPECT_EQ(run(options, "pages").pages, 100u);
  EXPECT_EQ(content(first), "as it was");  // not written again
  EXPECT_TRUE(std::filesystem::exists(folder_ / "pages/bower.example/99.md"));
  EXPECT_FALSE(std::filesystem::exists(state));
}

// Rows of RFC 4180; empty where it is not valid.
std::vector<std::vector<std::string>> csv_rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows(1);
  for (std::size_t i = 0; i < text.size();) {
    std::string field;
    if (text[i] == '"') {
      for (++i; i < text.size(); ++i) {
        if (text[i] == '"' && text.substr(i + 1, 1) == "\"") {
          ++i;
        } else if (text[i] == '"') {
          break;
        }
        field += text[i];
      }
      if (i++ >= text.size()) return {};
    } else {
      while (i < text.size() && text[i] != ',' && text[i] != '\r' && text[i] != '\n') {
        if (text[i] == '"') return {};
        field += text[i++];
      }
    }
    rows.back().push_back(field);
    if (text.substr(i, 2) == "\r\n") {
      rows.emplace_back();
      i += 2;
    } else if (i >= text.size() || text[i++] != ',') {
      return {};
    }
  }
  rows.pop_back();
  return rows;
}

TEST_F(Exporting, HostilePagesGiveValidOutput) {
  const std::string hostile =
      "<title>\"a\",\r\n=1+1\x1b[31m</title><meta name=author content='---\n- x: [\"\x1b]0;t\a,'>"
      "<meta name=description content='\xff\xc2\x9b" "2J'><script>alert(1)</script>";
  std::vector<StoredPage> pages;
  for (const char* end :
       {"", "<table><tr><td colspan=999999999 rowspan=999999999>x<td>y</table>", "<pre>```\n\x1b[2J"}) {
    pages.push_back({fmt::format("{}{}", kSite, pages.size()),
                     hostile + story("T<script>", "\"quoted\", = \xff\x1b[1m * _ | \\ <b>\xc2\x9b" "2J") + end});
  }
  pages.push_back({kSite + "t", "---\ntitle: \"\x1b[31m\xc2\x9b" "2J\n---\n\xff\n", 0, "text/plain"});
  write_crawl(folder_ / "crawl", pages);
  for (const FormatInfo& format : formats()) {
    ExportOptions options;
    options.format.name = format.name;
    const std::string name = fmt::format("x{}", without_compression(format.extension));
    run(options, name);
    const std::string text = content(folder_ / name);
    EXPECT_FALSE(text.empty()) << format.name;
    EXPECT_TRUE(is_valid_utf8(text)) << format.name;
    // Records of WARC files carry the fields of responses as they came.
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << format.name;
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << format.name;
    if (format.extension == ".jsonl" || format.extension == ".ndjson") {
      for (const auto& line : lines_of(folder_ / name)) EXPECT_TRUE(line.is_object()) << format.name;
    }
    if (format.extension != ".csv") continue;
    const auto rows = csv_rows(text);
    ASSERT_GT(rows.size(), 1u) << format.name << text;
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << format.name;
  }
}

}  // namespace
}  // namespace bowerbird
