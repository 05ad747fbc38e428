// The archive that a crawl writes: no secrets, records that match their bodies, truncated bodies,
// robots.txt and DNS answers, the path to each page, revisits of other crawls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "archive/warc_records.h"
#include "scripted_web.h"
#include "store/record_compressor.h"
#include "store/warc_check.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

struct ArchivedRecord {
  WarcHead head;
  std::string block;
};

std::vector<ArchivedRecord> records_of(const std::string& folder) {
  std::vector<ArchivedRecord> records;
  const auto files = warc_files({folder});
  EXPECT_TRUE(files.ok());
  for (const std::string& file : *files) {
    const auto reader = std::move(WarcReader::open(file)).value();
    for (;;) {
      const auto more = reader->next();
      EXPECT_TRUE(more.ok()) << more.error().text;
      if (!more.ok() || !*more) break;
      ArchivedRecord record{reader->head(), ""};
      record.block = std::move(reader->read_all(1 << 24)).value();
      records.push_back(std::move(record));
    }
  }
  return records;
}

ArchivedRecord record_of(const std::string& folder, std::string_view type, std::string_view url) {
  for (ArchivedRecord& record : records_of(folder)) {
    if (record.head.type() == type && record_url(record.head) == url) return std::move(record);
  }
  ADD_FAILURE() << "there is no " << type << " of " << url;
  return {};
}

TEST(ArchiveOfACrawl, HoldsNoSecrets) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"https://a.example/"};
  crawl.options.network.auth = {"a.example=me:sesame"};
  crawl.options.network.cookies = {"a.example=id=sesame"};
  crawl.options.network.headers = {"X-Key: sesame", "Accept-Language: de"};
  crawl.web.add_page("https://a.example/", "");
  crawl.run();
  EXPECT_THAT(crawl.web.request_of("https://a.example/").fields, HasSubstr("X-Key: sesame"));
  for (const char* url : {"https://a.example/", "https://a.example/robots.txt"}) {
    const std::string request = record_of(crawl.options.out, "request", url).block;
    EXPECT_THAT(request, HasSubstr("X-Key: withheld\r\n")) << url;
    EXPECT_THAT(request, HasSubstr("Cookie: withheld\r\n")) << url;
    EXPECT_THAT(request, HasSubstr("Authorization: withheld\r\n")) << url;
    EXPECT_THAT(request, HasSubstr("Accept-Language: de\r\n")) << url;
  }
  for (const ArchivedRecord& record : records_of(crawl.options.out))
    EXPECT_THAT(record.block, Not(HasSubstr("sesame")));
  for (const auto& file : std::filesystem::recursive_directory_iterator(crawl.options.out)) {
    if (!file.is_regular_file()) continue;
    const bool holds = read_text(file.path().string()).find("sesame") != std::string::npos;
    if (!holds) continue;
    EXPECT_EQ(file.status().permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << file.path();
  }
}

TEST(ArchiveOfACrawl, HoldsRobotsTxtAndDnsAnswers) {
  for (const bool stored : {true, false}) {
    ScriptedCrawl crawl;
    crawl.options.start.seeds = {"http://a.example/"};
    crawl.options.storage.robots = stored;
    crawl.web.add("http://a.example/robots.txt", {200, "Content-Type: text/plain\r\n", "user-agent: *\n"});
    crawl.web.add_page("http://a.example/", "");
    crawl.run();
    EXPECT_EQ(crawl.stored(), std::multiset<std::string>{"http://a.example/"});
    const std::string index = read_text(crawl.options.out + "/index.cdxj");
    EXPECT_EQ(index.find("/robots.txt") != std::string::npos, stored);
    if (!stored) {
      for (const ArchivedRecord& record : records_of(crawl.options.out))
        EXPECT_NE(record_url(record.head), "http://a.example/robots.txt");
      continue;
    }
    const ArchivedRecord robots = record_of(crawl.options.out, "response", "http://a.example/robots.txt");
    EXPECT_THAT(robots.block, HasSubstr("user-agent: *\n"));
    EXPECT_THAT(record_of(crawl.options.out, "metadata", "http://a.example/robots.txt").block,
                HasSubstr("hopsFromSeed: P\r\n"));
    const ArchivedRecord dns = record_of(crawl.options.out, "response", "dns:a.example");
    EXPECT_EQ(dns.head.field("Content-Type"), "text/dns");
    EXPECT_THAT(dns.block, HasSubstr("\na.example.\t"));
    EXPECT_THAT(dns.block, HasSubstr("\tIN\tA\t127.0.0.1\n"));
  }
}

TEST(ArchiveOfACrawl, KeepsTruncatedBodies) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", "<a href=short><a href=slow><a href=lost>");
  const std::string fields = "Content-Type: text/html\r\nContent-Length: 100\r\n";
  crawl.web.add("http://a.example/short", {200, fields, "<p>sho", FetchEnd::kCutShort});
  crawl.web.add("http://a.example/slow", {200, fields, "<p>slo", FetchEnd::kTimedOut});
  crawl.web.add("http://a.example/lost", {200, fields, "", FetchEnd::kBroken});
  crawl.run();
  const std::map<std::string, std::string> reasons = {{"short", "disconnect"}, {"slow", "time"}};
  for (const auto& [name, reason] : reasons) {
    const ArchivedRecord record = record_of(crawl.options.out, "response", "http://a.example/" + name);
    EXPECT_EQ(record.head.field("WARC-Truncated"), reason);
    EXPECT_THAT(record.block,
                HasSubstr("X-Archive-Orig-Content-Length: 100\r\nContent-Length: 6\r\n\r\n<p>"));
  }
  EXPECT_EQ(crawl.stored().count("http://a.example/lost"), 0u);
  EXPECT_EQ(crawl.outcome(Outcome::kCutShort), 1u);
}

TEST(ArchiveOfACrawl, StoresRareCodingsDecoded) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  RecordCompressor zstd(Compression::kZstd, 0);
  crawl.web.add("http://a.example/",
                {200, "Content-Type: text/html\r\nContent-Encoding: zstd\r\nContent-Length: 9\r\n",
                 std::string(zstd.pack("<a href=/next>a page</a>"))});
  RecordCompressor gzip(Compression::kGzip, 0);
  const std::string packed(gzip.pack("<p>next"));
  crawl.web.add("http://a.example/next",
                {200, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", packed});
  crawl.run();
  const ArchivedRecord first = record_of(crawl.options.out, "response", "http://a.example/");
  EXPECT_THAT(first.block, HasSubstr("X-Archive-Orig-Content-Encoding: zstd\r\n"));
  EXPECT_THAT(first.block, HasSubstr("\r\nContent-Length: 24\r\n\r\n<a href=/next>a page</a>"));
  EXPECT_THAT(record_of(crawl.options.out, "response", "http://a.example/next").block,
              HasSubstr("\r\nContent-Encoding: gzip\r\n\r\n" + packed));
}

TEST(ArchiveOfACrawl, HasThePathToEachPage) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", "<a href=/b>");
  crawl.web.add("http://a.example/b", {302, "Location: /c\r\n", ""});
  crawl.web.add_page("http://a.example/c", "<a href=/d>");
  crawl.web.add_page("http://a.example/d", "");
  crawl.run();
  const auto about = [&](const char* url) { return record_of(crawl.options.out, "metadata", url).block; };
  EXPECT_THAT(about("http://a.example/"), HasSubstr("hopsFromSeed: \r\n"));
  EXPECT_THAT(about("http://a.example/"), Not(HasSubstr("via:")));
  EXPECT_THAT(about("http://a.example/b"), HasSubstr("via: http://a.example/\r\nhopsFromSeed: L\r\n"));
  EXPECT_THAT(about("http://a.example/c"), HasSubstr("via: http://a.example/b\r\nhopsFromSeed: LR\r\n"));
  EXPECT_THAT(about("http://a.example/d"), HasSubstr("via: http://a.example/c\r\nhopsFromSeed: LRL\r\n"));
}

TEST(ArchiveOfACrawl, NamesWhatAskedForARequisite) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.options.selection.requisites = true;
  crawl.web.add_page("http://a.example/", "<link rel=icon href=data:,><link rel=stylesheet href=/a.css>");
  crawl.web.add("http://a.example/a.css", {200, "Content-Type: text/css\r\n", "p{background:url(b.png)}"});
  crawl.web.add("http://a.example/b.png", {200, "Content-Type: image/png\r\n", "png"});
  crawl.run();
  const auto about = [&](const char* url) { return record_of(crawl.options.out, "metadata", url).block; };
  EXPECT_THAT(about("http://a.example/a.css"), HasSubstr("via: http://a.example/\r\nhopsFromSeed: E\r\n"));
  EXPECT_THAT(about("http://a.example/b.png"),
              HasSubstr("via: http://a.example/a.css\r\nhopsFromSeed: EE\r\n"));
}

TEST(ArchiveOfACrawl, MarksPagesWithNoarchive) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", "<meta name=robots content=noarchive>");
  crawl.run();
  EXPECT_THAT(read_text(crawl.options.out + "/crawl.jsonl"), HasSubstr("\"noarchive\":true"));
  EXPECT_THAT(read_text(crawl.options.out + "/index.cdxj"), HasSubstr("\"robotflags\":\"A\""));
  EXPECT_THAT(record_of(crawl.options.out, "metadata", "http://a.example/").block,
              HasSubstr("robots: noarchive\r\n"));
}

TEST(ArchiveOfACrawl, RefersToOtherArchives) {
  const std::string body = "<p>the same in both crawls";
  ScriptedCrawl first;
  first.options.start.seeds = {"http://a.example/"};
  first.web.add_page("http://a.example/", body);
  first.run();
  const ArchivedRecord original = record_of(first.options.out, "response", "http://a.example/");
  const std::string warc = (*warc_files({first.options.out})).front();
  for (const std::string& other : {first.options.out, warc, first.options.out + "/index.cdxj"}) {
    ScriptedCrawl second;
    second.options.start.seeds = {"http://b.example/"};
    second.options.storage.dedup = {other};
    second.web.add_page("http://b.example/", body);
    second.run();
    const ArchivedRecord revisit = record_of(second.options.out, "revisit", "http://b.example/");
    EXPECT_EQ(revisit.head.field("WARC-Refers-To-Target-URI"), "http://a.example/") << other;
    EXPECT_EQ(revisit.head.field("WARC-Refers-To-Date"), original.head.field("WARC-Date")) << other;
    if (!other.ends_with(".cdxj")) {
      EXPECT_EQ(revisit.head.field("WARC-Refers-To"), original.head.field("WARC-Record-ID")) << other;
    }
    EXPECT_FALSE(std::filesystem::exists(second.options.out + "/dedup.rows"));
  }
  ScriptedCrawl third;
  third.options.start.seeds = {"http://b.example/"};
  third.options.storage.dedup = {"no-such-archive"};
  const auto opened = Crawler::open(third.options, std::make_unique<ScriptedFetcher>(third.web));
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().text, HasSubstr("--dedup: no-such-archive"));
}

}  // namespace
}  // namespace bowerbird
