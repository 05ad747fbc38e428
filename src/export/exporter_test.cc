#include "export/exporter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "store/crawl_store.h"
#include "sys/stream.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr std::int64_t kExportTime = 1'763'270'400'000'000;

struct StoredPage {
  std::string url;
  std::string body;
  unsigned second = 0;
  std::string mime = "text/html";
  unsigned status = 200;
  std::string fields = {};  // of the response
};

std::string story(const std::string& title, const std::string& words) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += "<p>This is what the story of " + words + " tells in its sentence number " + std::to_string(i) +
            ", which is long enough to be read by those who like stories.</p>";
  return "<html lang=en><title>" + title + "</title><nav><a href=/>Home</a></nav><main><article><h1>" +
         title + "</h1>" + text + "</article></main><footer>Copyright</footer>";
}

void write_crawl(const std::string& folder, const std::vector<StoredPage>& pages,
                 const std::vector<std::pair<int, int>>& links = {}) {
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options).value());
  for (const StoredPage& page : pages) {
    StoredFetch fetch;
    fetch.page = store->add_url(page.url);
    fetch.url = page.url;
    fetch.time_us = kExportTime + page.second * 1'000'000;
    fetch.response_head =
        fmt::format("HTTP/1.1 {} OK\r\nContent-Type: {}\r\n{}\r\n", page.status, page.mime, page.fields);
    fetch.body = page.body;
    fetch.status = static_cast<std::uint16_t>(page.status);
    fetch.mime = page.mime;
    store->add_fetch(std::move(fetch));
  }
  for (int from = 0; from < static_cast<int>(pages.size()); ++from) {
    std::vector<StoredLink> row;
    for (const auto& [a, b] : links) {
      if (a == from) row.push_back({static_cast<PageId>(b), 0});
    }
    store->add_links(static_cast<PageId>(from), row);
  }
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
  ASSERT_TRUE(store->close("").ok());
}

std::string content(const std::string& path) {
  auto stream = InputStream::open(path);
  std::string bytes;
  char block[65536];
  while (stream.ok()) {
    const auto more = (*stream)->read(block, sizeof block);
    if (!more.ok() || *more == 0) break;
    bytes.append(block, *more);
  }
  return bytes;
}

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(content(path));
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line, nullptr, false));
  return lines;
}

std::vector<std::string> urls_of(const std::string& path) {
  std::vector<std::string> urls;
  for (const nlohmann::json& line : lines_of(path)) urls.push_back(line.value("url", ""));
  return urls;
}

using Urls = std::vector<std::string>;
const std::string kSite = "http://bower.example/";

class Exporting : public ::testing::Test {
 protected:
  ExportCounts run(ExportOptions options, const std::string& out) {
    if (options.format.name.empty()) options.format.name = "jsonl";
    options.output.path = folder_ / out;
    if (options.output.extension.empty())
      options.output.extension = find_format(options.format.name)->extension;
    options.format.compression = compression_by_name(out);
    options.threads = 2;
    const auto counts = export_documents({folder_ / "crawl"}, options);
    EXPECT_TRUE(counts.ok()) << (counts.ok() ? "" : counts.error().text);
    return counts.ok() ? *counts : ExportCounts();
  }

  TemporaryFolder folder_;
};

TEST_F(Exporting, JsonHasFactsTextsAndNumbers) {
  write_crawl(folder_ / "crawl", {{kSite, story("Bowers", "bowers")}, {kSite + "b", story("Birds", "birds")}},
              {{0, 1}});
  const ExportCounts counts = run({}, "x.jsonl.gz");
  EXPECT_EQ(counts.pages, 2u);
  const auto lines = lines_of(folder_ / "x.jsonl.gz");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["schema"], kSchemaVersion);
  EXPECT_EQ(lines[0]["url"], kSite);
  EXPECT_EQ(lines[0]["fetched"], "2025-11-16T05:20:00Z");
  EXPECT_EQ(lines[0]["title"], "Bowers");
  EXPECT_EQ(lines[0]["language"], "en");
  EXPECT_EQ(lines[0]["in_links"], 0);
  EXPECT_EQ(lines[1]["in_links"], 1);
  EXPECT_GT(lines[1]["pagerank"], lines[0]["pagerank"]);
  EXPECT_EQ(lines[0]["main_found"], true);
  EXPECT_NE(lines[0]["main_text"].get<std::string>().find("story of bowers"), std::string::npos);
  EXPECT_EQ(lines[0]["main_text"].get<std::string>().find("Home"), std::string::npos);
  EXPECT_FALSE(lines[0].contains("markdown"));
}

TEST_F(Exporting, TheNewestCaptureOfAUrlCounts) {
  // The third capture is a revisit of the first.
  write_crawl(
      folder_ / "crawl",
      {{kSite, story("Old", "one"), 0}, {kSite, story("New", "two"), 1}, {kSite, story("Old", "one"), 2}});
  EXPECT_EQ(run({}, "x.jsonl").older, 2u);
  auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["title"], "Old");
  EXPECT_EQ(lines[0]["fetched"], "2025-11-16T05:20:02Z");
  ExportOptions all;
  all.selection.all_captures = true;
  all.selection.duplicates = Duplicates::kKeep;
  EXPECT_EQ(run(all, "y.jsonl").pages, 3u);
}

TEST_F(Exporting, LeavesOutWhatIsNotWanted) {
  write_crawl(folder_ / "crawl",
              {{kSite, story("A", "a")},
               {kSite + "copy", story("A", "a")},
               {kSite + "image", "GIF", 0, "image/gif"},
               {kSite + "gone", story("Gone", "nothing"), 0, "text/html", 404},
               {kSite + "short", "<p>few words", 0},
               {kSite + "noai", story("B", "b"), 0, "text/html", 200, "X-Robots-Tag: noai\r\n"},
               {"http://other.example/", story("C", "c")}});
  ExportOptions options;
  options.selection.hosts = {"bower.example"};
  options.selection.min_words = 10;
  options.selection.languages = {"en"};
  options.selection.skip_opted_out = true;
  const ExportCounts counts = run(options, "x.jsonl");
  EXPECT_EQ(urls_of(folder_ / "x.jsonl"), Urls{kSite});
  EXPECT_EQ(counts.duplicates, 1u);
  EXPECT_EQ(counts.other_types, 1u);
  EXPECT_EQ(counts.not_selected, 2u);
  EXPECT_EQ(counts.short_pages, 1u);
  EXPECT_EQ(counts.opted_out, 1u);
}

TEST_F(Exporting, PatternsAndDatesSelect) {
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A", "a"), 0},
                                  {kSite + "b", story("B", "b"), 10},
                                  {kSite + "c", story("C", "c"), 20}});
  ExportOptions options;
  options.selection.include = {UrlPattern::make("/[ab]$").value()};
  options.selection.since_us = kExportTime + 5'000'000;
  run(options, "x.jsonl");
  EXPECT_EQ(urls_of(folder_ / "x.jsonl"), Urls{kSite + "b"});
  options.selection.since_us.reset();
  options.selection.until_us = kExportTime + 5'000'000;
  run(options, "y.jsonl");
  EXPECT_EQ(urls_of(folder_ / "y.jsonl"), Urls{kSite + "a"});
  options.selection.exclude = {UrlPattern::make("a").value()};
  EXPECT_EQ(run(options, "z.jsonl").pages, 0u);
}

TEST_F(Exporting, NearDuplicatesAreLeftOutIfAsked) {
  std::string near = story("A", "a");
  near.replace(near.find("Copyright"), 9, "Copyleft!");
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A", "a")}, {kSite + "b", near}});
  EXPECT_EQ(run({}, "x.jsonl").pages, 2u);
  ExportOptions options;
  options.selection.duplicates = Duplicates::kNear;
  EXPECT_EQ(run(options, "y.jsonl").near_duplicates, 1u);
  EXPECT_EQ(urls_of(folder_ / "y.jsonl"), Urls{kSite + "a"});
}

TEST_F(Exporting, TheBestPagesComeFirst) {
  write_crawl(
      folder_ / "crawl",
      {{kSite + "a", story("A", "a")}, {kSite + "b", story("B", "b")}, {kSite + "c", story("C", "c")}},
      {{0, 2}, {1, 2}, {2, 1}});
  ExportOptions options;
  options.selection.top = 2;
  run(options, "x.jsonl");
  EXPECT_EQ(urls_of(folder_ / "x.jsonl"), (Urls{kSite + "c", kSite + "b"}));
}

TEST_F(Exporting, MarkdownIsWrittenAsAFilePerPage) {
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A \"quoted\" title", "a")},
                                  {kSite + "a/b", story("B", "b")},
                                  {kSite + "../../../etc/passwd", story("C", "c")}});
  ExportOptions options;
  options.format.name = "markdown";
  options.output.one_file_per_page = true;
  EXPECT_EQ(run(options, "pages").files, 3u);
  const std::string page = content(folder_ / "pages/bower.example/a.md");
  EXPECT_TRUE(
      page.starts_with("---\nurl: \"http://bower.example/a\"\nfetched: \"2025-11-16T05:20:00Z\"\ntitle: "
                       "\"A \\\"quoted\\\" title\"\n"))
      << page;
  EXPECT_NE(page.find("---\n\n# A \"quoted\" title\n\nThis is what"), std::string::npos) << page;
  EXPECT_NE(content(folder_ / "pages/bower.example/a/b.md"), "");
  EXPECT_NE(content(folder_ / "pages/bower.example/etc/passwd.md"), "");
}

TEST_F(Exporting, OtherFormats) {
  write_crawl(folder_ / "crawl",
              {{kSite + "a", story("A, B", "a") + "<a href='/b' rel=nofollow>to \"b\"</a>"}});
  ExportOptions options;
  options.format.name = "csv";
  options.format.fields = parse_fields({"url", "title", "status", "author"}).value();
  run(options, "x.csv");
  EXPECT_EQ(content(folder_ / "x.csv"),
            "url,title,status,author\r\n\"http://bower.example/a\",\"A, B\",200,\r\n");
  options.format.name = "links";
  run(options, "x.links");
  EXPECT_EQ(content(folder_ / "x.links"),
            "from,to,kind,rel,anchor\r\n"
            "\"http://bower.example/a\",\"http://bower.example/\",a,\"\",\"Home\"\r\n"
            "\"http://bower.example/a\",\"http://bower.example/b\",a,\"nofollow\",\"to \"\"b\"\"\"\r\n");
  options.format.name = "bulk";
  run(options, "x.bulk");
  const auto bulk = lines_of(folder_ / "x.bulk");
  ASSERT_EQ(bulk.size(), 2u);
  EXPECT_TRUE(bulk[0]["index"]["_id"].is_string());
  EXPECT_EQ(bulk[1]["url"], kSite + "a");
  options.format.name = "chunks";
  options.format.chunks = {60, 10};
  run(options, "x.chunks");
  const auto chunks = lines_of(folder_ / "x.chunks");
  ASSERT_GT(chunks.size(), 2u);
  EXPECT_EQ(chunks[1]["chunk"], 1);
  EXPECT_EQ(chunks[1]["headings"], nlohmann::json({"A, B"}));
  options.format.name = "text";
  run(options, "x.txt");
  EXPECT_TRUE(content(folder_ / "x.txt").ends_with("stories.\n\f"));
}

TEST_F(Exporting, WetRecordsReferToTheirPages) {
  write_crawl(folder_ / "crawl", {{kSite, story("A", "a")}});
  ExportOptions options;
  options.format.name = "wet";
  options.format.created_us = kExportTime;
  for (const char* name : {"x.warc.wet.gz", "x.warc.wet.zst", "x.warc.wet"}) {
    run(options, name);
    auto reader = WarcReader::open(folder_ / name);
    ASSERT_TRUE(reader.ok());
    ASSERT_TRUE((*reader)->next().value());
    EXPECT_EQ((*reader)->head().type(), "warcinfo");
    EXPECT_EQ((*reader)->head().field("WARC-Filename"), name);
    ASSERT_TRUE((*reader)->next().value());
    EXPECT_TRUE((*reader)->packed_alone());
    const WarcHead head = (*reader)->head();
    EXPECT_EQ(head.version, "WARC/1.0");
    EXPECT_EQ(head.type(), "conversion");
    EXPECT_EQ(head.field("WARC-Target-URI"), kSite);
    EXPECT_TRUE(head.field("WARC-Refers-To").starts_with("<urn:uuid:"));
    EXPECT_EQ(head.field("WARC-Identified-Content-Language"), "eng");
    const std::string text = (*reader)->read_all(1 << 20).value();
    EXPECT_TRUE(text.starts_with("Home\n")) << text;
    EXPECT_FALSE((*reader)->next().value());
  }
}

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

TEST_F(Exporting, WarcFilesHaveTheGraphOfTheirPages) {
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A", "a") + "<a href=b>b</a>"},
                                  {kSite + "b", story("B", "b") + "<a href=b>b</a>"}});
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "crawl/warc"))
    file = entry.path().string();
  ExportOptions options;
  options.format.name = "jsonl";
  options.selection.top = 1;
  options.output.path = folder_ / "x.jsonl";
  ASSERT_TRUE(export_documents({file}, options).ok());
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["url"], kSite + "b");
  EXPECT_EQ(lines[0]["in_links"], 2);
  EXPECT_EQ(lines[0]["depth"], nullptr);
}

}  // namespace
}  // namespace bowerbird
