// Crawls with given pages, and exports of them, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "export/exporter.h"
#include "store/crawl_store.h"
#include "sys/stream.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {

inline constexpr std::int64_t kExportTime = 1'763'270'400'000'000;

struct StoredPage {
  std::string url;
  std::string body;
  unsigned second = 0;
  std::string mime = "text/html";
  unsigned status = 200;
  std::string fields = {};    // of the response
  std::string metadata = {};  // of the crawl
  std::string main_text = {};
};

inline std::string story(const std::string& title, const std::string& words) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += "<p>This is what the story of " + words + " tells in its sentence number " + std::to_string(i) +
            ", which is long enough to be read by those who like stories.</p>";
  return "<html lang=en><title>" + title + "</title><nav><a href=/>Home</a></nav><main><article><h1>" +
         title + "</h1>" + text + "</article></main><footer>Copyright</footer>";
}

inline void write_crawl(const std::string& folder, const std::vector<StoredPage>& pages,
                        const std::vector<std::pair<int, int>>& links = {},
                        const std::vector<std::string>& others = {}) {
  StoreOptions options;
  options.durable = false;
  options.others = others;
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
    fetch.metadata = page.metadata;
    fetch.main_text = page.main_text;
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

inline std::string content(const std::string& path) {
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

inline std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(content(path));
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line, nullptr, false));
  return lines;
}

inline std::vector<std::string> urls_of(const std::string& path) {
  std::vector<std::string> urls;
  for (const nlohmann::json& line : lines_of(path)) urls.push_back(line.value("url", ""));
  return urls;
}

using Urls = std::vector<std::string>;
inline const std::string kSite = "http://bower.example/";

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

}  // namespace bowerbird
