// Crawls that extract text: main text stored with the pages, and links in PDF files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/exporter.h"
#include "pdf/pdf_reader.h"
#include "pdf/pdf_testing.h"
#include "process.h"
#include "scripted_web.h"

namespace bowerbird {
namespace {

using Urls = std::multiset<std::string>;

std::string told_story(const std::string& word) {
  std::string page = "<title>" + word + "</title><nav><a href=/>Home</a></nav><article><h1>" + word + "</h1>";
  for (int i = 0; i < 6; ++i)
    page +=
        "<p>This sentence of the story about " + word + " is for those who like to read long stories.</p>";
  return page + "</article>";
}

TEST(CrawlText, LinksInPdfFilesAreFollowed) {
  if (!PdfReader().available()) GTEST_SKIP() << "poppler-utils is not installed";
  ScriptedCrawl crawl;
  crawl.options.selection.types = {"html", "pdf"};
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", "<a href=/pdf>");
  crawl.web.add("http://a.example/pdf", {200, "Content-Type: application/pdf\r\n",
                                         small_pdf("T", "A bower", "http://a.example/from-pdf")});
  crawl.web.add_page("http://a.example/from-pdf", "");
  crawl.run();
  EXPECT_EQ(crawl.stored(), (Urls{"http://a.example/", "http://a.example/pdf", "http://a.example/from-pdf"}));
}

TEST(CrawlText, MainTextIsStoredAndReadBack) {
  ScriptedCrawl crawl;
  crawl.options.storage.main_text = true;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", told_story("birds") + "<a href=/b>b</a>");
  crawl.web.add_page("http://a.example/b", told_story("bowers"));
  crawl.run();
  ExportOptions options;
  options.format.name = "jsonl";
  options.format.fields = parse_fields({"url", "title", "score", "depth", "main_text"}).value();
  const TemporaryFolder folder;
  std::string texts[2];
  for (const bool stored : {false, true}) {
    options.stored_text = stored;
    options.output.path = folder / (stored ? "stored" : "found");
    const auto counts = export_documents({crawl.options.out}, options);
    ASSERT_TRUE(counts.ok()) << counts.error().text;
    EXPECT_EQ(counts->pages, 2u);
    texts[stored ? 1 : 0] = read_text(options.output.path);
  }
  EXPECT_EQ(texts[0], texts[1]);
  const auto line = nlohmann::json::parse(texts[1].substr(0, texts[1].find('\n')), nullptr, false);
  EXPECT_TRUE(line["score"].is_number()) << texts[1];
  EXPECT_EQ(line["depth"], 0);
  const ShellResult listed = run_shell(
      fmt::format("'{}' warc ls --type conversion '{}' | wc -l", BOWERBIRD_BINARY, crawl.options.out));
  EXPECT_EQ(listed.text, "2\n");
}

}  // namespace
}  // namespace bowerbird
