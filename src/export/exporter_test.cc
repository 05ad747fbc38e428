#include "export/exporter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "archive/wacz.h"
#include "export/exporting_testing.h"
#include "pdf/pdf_reader.h"
#include "pdf/pdf_testing.h"

namespace bowerbird {
namespace {

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

TEST_F(Exporting, RevisitsHaveAStatusOfTheirOwn) {
  const std::string gone = story("Gone", "nothing");
  write_crawl(folder_ / "crawl", {{kSite + "a", gone, 0, "text/html", 404},
                                  {kSite + "b", story("B", "b"), 0},
                                  {kSite + "b", gone, 1, "text/html", 404},
                                  {kSite + "c", gone, 0, "text/html", 404}});
  EXPECT_EQ(run({}, "x.jsonl").not_selected, 3u);
  EXPECT_EQ(urls_of(folder_ / "x.jsonl"), Urls{kSite + "b"});
  ExportOptions options;
  options.selection.status = 404;
  options.selection.duplicates = Duplicates::kKeep;
  EXPECT_EQ(run(options, "y.jsonl").pages, 3u);
}

// Some servers send their home page whatever they are asked for.
TEST_F(Exporting, WhatTheCrawlItselfAskedForIsNoPage) {
  write_crawl(folder_ / "crawl",
              {{kSite + "robots.txt", story("Home", "home")}, {kSite, story("Home", "home")}});
  EXPECT_EQ(run({}, "x.jsonl").duplicates, 1u) << "it is a page if a link leads to it";
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "crawl/warc"))
    file = entry.path().string();
  ExportOptions options;
  options.format.name = "jsonl";
  options.output.path = folder_ / "y.jsonl";
  const auto counts = export_documents({file}, options);
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->other_types, 1u);
  EXPECT_EQ(urls_of(folder_ / "y.jsonl"), Urls{kSite});
}

// A crawl with --dedup has only revisits of what another one stored.
TEST_F(Exporting, FindsBodiesInOtherArchives) {
  write_crawl(folder_ / "first", {{kSite, story("A", "a"), 0, "text/html", 200, {}, {}, "Stored text.\n"},
                                  {kSite + "b", story("B", "b")}});
  write_crawl(folder_ / "crawl", {{kSite, story("A", "a"), 5}, {kSite + "new", story("N", "n"), 5}}, {},
              {folder_ / "first"});
  EXPECT_EQ(run({}, "none.jsonl").unreadable, 1u);
  const auto others =
      std::move(OtherPayloads::open(Disk::real(), {folder_ / "first"}, folder_ / "rows", 1000).value());
  ExportOptions options;
  options.others = others.get();
  EXPECT_EQ(run(options, "x.jsonl").unreadable, 0u);
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["title"], "A");
  EXPECT_EQ(lines[0]["fetched"], "2025-11-16T05:20:05Z");
  EXPECT_EQ(lines[0]["main_text"], "Stored text.\n");
  options.tail = true;
  EXPECT_EQ(run(options, "tail.jsonl").pages, 2u);
  // The other archive has changed since.
  const auto warc = std::filesystem::directory_iterator(folder_ / "first/warc")->path();
  std::filesystem::remove(warc);
  EXPECT_EQ(run(options, "gone.jsonl").unreadable, 1u);
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

TEST_F(Exporting, BlocksThatRepeatAcrossASiteAreLeftOut) {
  // Written like content, so that a page alone does not show that it is none.
  const std::string promotion =
      "<p>Our spring meeting takes place in the old town hall, and everybody who likes birds is invited.</p>"
      "<p>Members of the club get in for free and can bring up to three guests to the meeting hall.</p>";
  std::vector<StoredPage> pages;
  for (int i = 0; i < 6; ++i) {
    std::string page = story(fmt::format("T{}", i), fmt::format("n{}", i));
    page.insert(page.find("</article>"),
                promotion + "<h2>Parameters</h2><p>" +
                    fmt::format("Story {} ends here, and whoever has read it may read another one.</p>", i));
    pages.push_back({fmt::format("{}{}", kSite, i), page});
  }
  pages.push_back({"http://other.example/", story("Other", "one") + promotion});
  write_crawl(folder_ / "crawl", pages);
  ExportOptions options;
  options.by_site = false;
  run(options, "alone.jsonl");
  const std::string alone = lines_of(folder_ / "alone.jsonl")[0]["main_text"];
  EXPECT_NE(alone.find("spring meeting"), std::string::npos) << alone;
  options.by_site = true;
  run(options, "site.jsonl");
  for (const auto& line : lines_of(folder_ / "site.jsonl")) {
    const std::string text = line["main_text"];
    EXPECT_NE(text.find("sentence number 7"), std::string::npos);
    if (line["url"] == "http://other.example/") continue;
    EXPECT_EQ(text.find("spring meeting"), std::string::npos) << text;
    EXPECT_NE(text.find("Parameters"), std::string::npos) << text;
  }
  // The number of threads makes no difference.
  const std::string two = content(folder_ / "site.jsonl");
  options.format.name = "jsonl";
  options.output.path = folder_ / "five.jsonl";
  options.threads = 5;
  ASSERT_TRUE(export_documents({folder_ / "crawl"}, options).ok());
  EXPECT_EQ(content(folder_ / "five.jsonl"), two);
}

TEST_F(Exporting, WatRecordsHaveAnEnvelope) {
  write_crawl(folder_ / "crawl",
              {{kSite + "a",
                "<title>A \"b\"</title><meta name=x content='y &amp; z'><base href=/d/><link rel=canonical "
                "href=c><script src=s.js></script><a href=b rel=nofollow>to <b>b</b></a><img src=i.png>",
                0, "text/html", 200, "X-A: 1\r\nx-a: 2\r\n"}});
  ExportOptions options;
  options.format.name = "wat";
  options.format.created_us = kExportTime;
  run(options, "x.warc.wat.gz");
  auto reader = WarcReader::open(folder_ / "x.warc.wat.gz");
  ASSERT_TRUE(reader.ok());
  ASSERT_TRUE((*reader)->next().value());
  ASSERT_TRUE((*reader)->next().value());
  EXPECT_EQ((*reader)->head().type(), "metadata");
  EXPECT_EQ((*reader)->head().field("Content-Type"), "application/json");
  EXPECT_TRUE((*reader)->head().field("WARC-Refers-To").starts_with("<urn:uuid:"));
  const auto json = nlohmann::json::parse((*reader)->read_all(1 << 20).value(), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["Container"]["Compressed"], true);
  EXPECT_TRUE(json["Container"]["Offset"].is_string());
  const auto& envelope = json["Envelope"];
  EXPECT_EQ(envelope["WARC-Header-Metadata"]["WARC-Target-URI"], kSite + "a");
  const auto& response = envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
  EXPECT_EQ(response["Response-Message"]["Status"], "200");
  EXPECT_EQ(response["Headers"]["X-A"], "1, 2");
  EXPECT_EQ(response["Entity-Digest"], envelope["WARC-Header-Metadata"]["WARC-Payload-Digest"]);
  const auto& html = response["HTML-Metadata"];
  EXPECT_EQ(html["Head"]["Title"], "A \"b\"");
  EXPECT_EQ(html["Head"]["Base"], "/d/");
  EXPECT_EQ(html["Head"]["Metas"][0]["content"], "y & z");
  EXPECT_EQ(html["Head"]["Link"][0]["url"], "c");
  EXPECT_EQ(html["Head"]["Scripts"][0]["path"], "SCRIPT@/src");
  EXPECT_EQ(html["Links"][0]["path"], "A@/href");
  EXPECT_EQ(html["Links"][0]["text"], "to b");
  EXPECT_EQ(html["Links"][0]["rel"], "nofollow");
  EXPECT_EQ(html["Links"][1]["path"], "IMG@/src");
}

TEST_F(Exporting, TextsAndFeedEntriesAreDocuments) {
  const std::string feed =
      "<rss><channel><title>Bird news</title><item><title>One &amp;amp; two</title><link>/one</link>"
      "<pubDate>Fri, 01 May 2026 00:00:00 GMT</pubDate><author>Ada</author>"
      "<description>&lt;p&gt;The first &lt;b&gt;bower&lt;/b&gt; of the year is ready.&lt;/p&gt;</description>"
      "</item><item><link>/page</link><description>has a page</description></item><item/></channel></rss>";
  write_crawl(folder_ / "crawl", {{kSite + "t", "line one\r\n\tline *two*\x01\r\n", 0, "text/plain"},
                                  {kSite + "robots.txt", "User-agent: *", 0, "text/plain"},
                                  {kSite + "page", story("P", "p")},
                                  {kSite + "x.xml", "<urlset/>", 0, "text/xml"},
                                  {kSite + "feed", feed, 0, "application/rss+xml"}});
  ExportOptions options;
  options.format.fields =
      parse_fields({"url", "type", "title", "author", "published", "site_name", "main_text", "markdown"})
          .value();
  const ExportCounts counts = run(options, "x.jsonl");
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["main_text"], "line one\n\tline *two*\n");
  EXPECT_EQ(lines[0]["markdown"], "line one\nline \\*two\\*\n");
  EXPECT_EQ(lines[2]["url"], kSite + "one");
  EXPECT_EQ(lines[2]["title"], "One & two");
  EXPECT_EQ(lines[2]["author"], "Ada");
  EXPECT_EQ(lines[2]["published"], "2026-05-01T00:00:00Z");
  EXPECT_EQ(lines[2]["site_name"], "Bird news");
  EXPECT_EQ(lines[2]["main_text"], "The first bower of the year is ready.\n");
  EXPECT_EQ(lines[2]["markdown"], "# One & two\n\nThe first **bower** of the year is ready.\n");
  EXPECT_EQ(counts.other_types, 2u);
  EXPECT_EQ(counts.duplicates, 1u);
  EXPECT_EQ(counts.unreadable, 1u);
  options.selection.kinds = kind_bit(DocumentKind::kHtml);
  EXPECT_EQ(run(options, "y.jsonl").pages, 1u);
}

TEST_F(Exporting, PdfFilesAreDocuments) {
  write_crawl(folder_ / "crawl",
              {{kSite + "a.pdf", small_pdf("Of bowers", "A bird builds a bower", kSite + "b"), 0,
                "application/pdf"}});
  ExportOptions options;
  options.format.fields = parse_fields({"title", "author", "main_text"}).value();
  const ExportCounts counts = run(options, "x.jsonl");
  if (!PdfReader().available()) {
    EXPECT_EQ(counts.no_pdf_reader, 1u);
    EXPECT_EQ(counts.pages, 0u);
    return;
  }
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["title"], "Of bowers");
  EXPECT_EQ(lines[0]["author"], "Ada Bird");
  EXPECT_EQ(lines[0]["main_text"], "A bird builds a bower\nRead on\n");
  options.format.name = "links";
  run(options, "x.links");
  EXPECT_NE(content(folder_ / "x.links").find("\"http://bower.example/b\",a,\"\",\"Read on\""),
            std::string::npos)
      << content(folder_ / "x.links");
}

TEST_F(Exporting, AnchorsAndClustersComeFromAFirstPass) {
  std::string near = story("A", "a") + "<a href=/b>to b</a>";
  near.replace(near.find("Copyright"), 9, "Copyleft!");
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A", "a") + "<a href=/b>to b</a>"},
                                  {kSite + "b", story("B", "b") + "<a href=/b>myself</a>"},
                                  {kSite + "c", near},
                                  {kSite + "d", story("D", "d") + "<a href=/b>another</a>"}});
  ExportOptions options;
  options.format.fields = parse_fields({"url", "anchors", "cluster"}).value();
  run(options, "x.jsonl");
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1]["anchors"], nlohmann::json({"to b", "another"}));
  EXPECT_EQ(lines[0]["anchors"], nlohmann::json::array());
  EXPECT_EQ(lines[2]["cluster"], lines[0]["cluster"]);
  EXPECT_NE(lines[1]["cluster"], lines[0]["cluster"]);
}

TEST_F(Exporting, TakesWhatTheCrawlStoredWithAPage) {
  write_crawl(
      folder_ / "crawl",
      {{kSite + "a", story("A", "a"), 0, "text/html", 200, {}, "score: 0.5\r\n", "Stored main text.\n"},
       {kSite + "b", story("B", "b"), 0, "text/html", 200, {}, "score: 0.1\r\n"}});
  ExportOptions options;
  options.format.fields = parse_fields({"title", "score", "main_text"}).value();
  run(options, "x.jsonl");
  auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["title"], "A");
  EXPECT_EQ(lines[0]["score"], 0.5);
  EXPECT_EQ(lines[0]["main_text"], "Stored main text.\n");
  EXPECT_EQ(lines[1]["score"], 0.1);
  EXPECT_NE(lines[1]["main_text"].get<std::string>().find("story of b"), std::string::npos);
  options.stored_text = false;
  options.selection.min_score = 0.4;
  EXPECT_EQ(run(options, "y.jsonl").low_scores, 1u);
  lines = lines_of(folder_ / "y.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0]["main_text"].get<std::string>().find("story of a"), std::string::npos);
}

TEST_F(Exporting, FollowsACrawlUntilItEnds) {
  StoreOptions store_options;
  store_options.durable = false;
  auto store = std::move(CrawlStore::open(folder_ / "crawl", store_options).value());
  const auto add = [&](const std::string& name) {
    StoredFetch fetch;
    fetch.page = store->add_url(kSite + name);
    fetch.url = kSite + name;
    fetch.time_us = kExportTime;
    fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    fetch.body = story(name, name);
    fetch.status = 200;
    fetch.mime = "text/html";
    store->add_fetch(std::move(fetch));
    store->commit("");
    ASSERT_TRUE(store->wait_for_commits().ok());
  };
  add("a");
  int waits = 0;
  const Progress progress([&](std::string_view what, std::uint64_t, std::uint64_t) {
    if (what != "waiting for pages") return true;
    ++waits;
    if (waits == 1) add("b");
    if (waits == 7) {
      add("c");
      EXPECT_TRUE(store->close("").ok());
      store.reset();
    }
    return true;
  });
  ExportOptions options;
  options.tail = true;
  options.format.name = "jsonl";
  options.output.path = folder_ / "x.jsonl";
  const auto counts = export_documents({folder_ / "crawl"}, options, progress);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->pages, 3u);
  const auto lines = lines_of(folder_ / "x.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2]["url"], kSite + "c");
  EXPECT_EQ(lines[2]["pagerank"], nullptr);
}

TEST_F(Exporting, WaczPackagesAreReadLikeTheirFiles) {
  write_crawl(folder_ / "crawl", {{kSite + "a", story("A", "a")}, {kSite + "b", story("B", "b")}});
  auto source = open_captures({folder_ / "crawl"});
  ASSERT_TRUE(source.ok());
  WaczOptions wacz;
  wacz.out = folder_ / "x.wacz";
  wacz.created_us = kExportTime;
  ASSERT_TRUE(write_wacz(**source, wacz).ok());
  ExportOptions options;
  options.format.name = "jsonl";
  options.output.path = folder_ / "x.jsonl";
  const auto counts = export_documents({folder_ / "x.wacz"}, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(urls_of(folder_ / "x.jsonl"), (Urls{kSite + "a", kSite + "b"}));
  std::ofstream(folder_ / "bad.wacz") << "no package";
  EXPECT_FALSE(export_documents({folder_ / "bad.wacz"}, options).ok());
}

}  // namespace
}  // namespace bowerbird
