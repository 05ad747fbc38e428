#include "archive/capture_library.h"

#include <gtest/gtest.h>

#include <fstream>

#include "archive/captured_body.h"
#include "archive/captures.h"
#include "archive/wacz.h"
#include "archive/zip_writer.h"
#include "store/cdxj.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string library_record(const std::string& url, const std::string& date, const std::string& http,
                           const std::string& more = "WARC-Type: response\r\n") {
  return fmt::format(
      "WARC/1.1\r\n{}WARC-Target-URI: {}\r\nWARC-Date: {}\r\nWARC-Record-ID: "
      "<urn:uuid:0f2a3b52-7d1a-4b58-9c9b-000000000000>\r\n"
      "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      more, url, date, http.size(), http);
}

std::string library_page(const std::string& body, const std::string& fields = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + "\r\n" + body;
}

class Library : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::unique_ptr<CaptureLibrary> open(const std::string& name) {
    auto library = CaptureLibrary::open({folder_ / name});
    EXPECT_TRUE(library.ok()) << library.error().text;
    return library.ok() ? std::move(*library) : nullptr;
  }
  std::string body_at(const CaptureLibrary& library, const std::string& url, std::int64_t time = 0) {
    const auto captures = library.captures(url);
    EXPECT_TRUE(captures.ok());
    if (captures->empty()) return "none";
    const auto loaded = library.load((*captures)[nearest_capture(*captures, time)]);
    return loaded.ok() ? loaded->body : loaded.error().text;
  }
  std::string fault(const std::string& name) {
    const auto library = CaptureLibrary::open({folder_ / name});
    return library.ok() ? "" : library.error().text;
  }
  void write_package(const std::string& name) {
    auto source = std::move(open_captures({folder_ / "a.warc"})).value();
    WaczOptions options;
    options.out = folder_ / name;
    options.created_us = 1'700'000'000'000'000;
    ASSERT_TRUE(write_wacz(*source, options).ok());
  }

  TemporaryFolder folder_;
};

TEST_F(Library, FindsTheCaptureNearestToATime) {
  write("a.warc", library_record("http://a.test/", "2024-01-01T00:00:00Z", library_page("old")) +
                      library_record("http://a.test/", "2026-01-01T00:00:00Z", library_page("new")) +
                      library_record("http://a.test/A", "2026-01-01T00:00:00Z", library_page("upper")) +
                      library_record("http://a.test/a", "2026-01-01T00:00:00Z", library_page("lower")));
  const auto library = open("a.warc");
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(body_at(*library, "http://a.test/", *parse_timestamp("2024")), "old");
  EXPECT_EQ(body_at(*library, "http://a.test/", *parse_timestamp("20251231")), "new");
  EXPECT_EQ(body_at(*library, "https://www.a.test/", *parse_timestamp("2026")), "new")
      << "the same to archives";
  EXPECT_EQ(body_at(*library, "http://a.test/A"), "upper") << "the exact URL counts";
  EXPECT_EQ(body_at(*library, "http://a.test/a"), "lower");
  EXPECT_EQ(body_at(*library, "http://b.test/"), "none");
  ASSERT_EQ(library->pages().size(), 3u);
  EXPECT_EQ(library->pages()[0].captures, 2u);
}

TEST_F(Library, UndoesCodingsAndResolvesRevisits) {
  const std::string revisit =
      "WARC-Type: revisit\r\nWARC-Refers-To-Target-URI: http://a.test/\r\nWARC-Refers-To-Date: "
      "2024-01-01T00:00:00Z\r\n";
  write("a.warc",
        library_record("http://a.test/", "2024-01-01T00:00:00Z",
                       library_page("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n")) +
            library_record("http://a.test/b", "2025-01-01T00:00:00Z", "HTTP/1.1 200 OK\r\n\r\n", revisit) +
            library_record("http://c.test/", "2025-01-01T00:00:00Z", "HTTP/1.1 200 OK\r\n\r\n",
                           "WARC-Type: revisit\r\n"));
  const auto library = open("a.warc");
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(body_at(*library, "http://a.test/"), "abcde");
  EXPECT_EQ(body_at(*library, "http://a.test/b"), "abcde");
  EXPECT_NE(body_at(*library, "http://c.test/").find("not in the archive"), std::string::npos);
}

// Servers send the same body with all their redirects: only the head says where each leads.
TEST_F(Library, RevisitsHaveTheirOwnHead) {
  const std::string moved = "<title>301 Moved Permanently</title>";
  const auto head = [](int status, const std::string& fields) {
    return fmt::format("HTTP/1.1 {} X\r\nContent-Type: text/html\r\n{}\r\n", status, fields);
  };
  const std::string revisit =
      "WARC-Type: revisit\r\nWARC-Profile: "
      "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
      "WARC-Refers-To-Target-URI: http://a.test/a\r\nWARC-Refers-To-Date: 2024-01-01T00:00:00Z\r\n";
  write("a.warc", library_record("http://a.test/a", "2024-01-01T00:00:00Z",
                                 head(301, "Location: /a/\r\nTransfer-Encoding: chunked\r\n") +
                                     fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", moved.size(), moved)) +
                      library_record("http://a.test/b", "2024-01-01T00:00:01Z",
                                     head(302, "Location: /b/\r\n"), revisit) +
                      library_record("http://a.test/c", "2024-01-01T00:00:02Z", "", revisit));
  const auto library = open("a.warc");
  ASSERT_NE(library, nullptr);
  const auto loaded = [&](const std::string& url) {
    return library->load(library->captures(url)->front()).value();
  };
  EXPECT_EQ(loaded("http://a.test/b").status, 302u);
  EXPECT_EQ(loaded("http://a.test/b").head, head(302, "Location: /b/\r\n"));
  EXPECT_EQ(loaded("http://a.test/b").body, moved) << "with the codings of the original";
  EXPECT_EQ(loaded("http://a.test/c").status, 301u) << "it has no head";
}

TEST_F(Library, RequisitesAreNotPages) {
  const auto about = [](const std::string& url, const std::string& type, const std::string& block) {
    return library_record(url, "2024-01-01T00:00:00Z", block, "WARC-Type: " + type + "\r\n");
  };
  const auto page = [](const std::string& url) {
    return library_record(url, "2024-01-01T00:00:00Z", library_page("x"));
  };
  const auto hops = [&](const std::string& url, const std::string& path) {
    return page(url) + about(url, "request", "GET / HTTP/1.1\r\n\r\n") +
           about(url, "metadata", "via: http://a.test/\r\nhopsFromSeed: " + path + "\r\n");
  };
  const auto used_as = [&](const std::string& url, const std::string& use) {
    return page(url) + about(url, "request", "GET / HTTP/1.1\r\nSec-Fetch-Dest: " + use + "\r\n\r\n");
  };
  write("a.warc", hops("http://a.test/", "") + hops("http://a.test/link", "LL") +
                      hops("http://a.test/moved", "ER L") + hops("http://f.test/frame", "LE") +
                      hops("http://f.test/guess", "LX") + hops("http://f.test/moved", "LER") +
                      used_as("http://b.test/", "document") + used_as("http://f.test/iframe", "iframe") +
                      page("http://b.test/unknown") +
                      about("http://other.test/", "metadata", "hopsFromSeed: E\r\n"));
  const auto library = open("a.warc");
  ASSERT_NE(library, nullptr);
  std::vector<std::string> pages;
  for (const ArchivedPage& one : library->pages()) pages.push_back(one.url);
  EXPECT_EQ(pages, (std::vector<std::string>{"http://a.test/", "http://a.test/link", "http://a.test/moved",
                                             "http://b.test/", "http://b.test/unknown"}));
  EXPECT_EQ(body_at(*library, "http://f.test/frame"), "x") << "they are there nevertheless";
}

TEST_F(Library, RevisitsOfPagesWithNoarchiveHaveIt) {
  const auto record = [](const std::string& url, const std::string& type, const std::string& body) {
    return library_record(url, "2024-01-01T00:00:00Z", library_page(body),
                          "WARC-Type: " + type + "\r\nWARC-Payload-Digest: sha1:" +
                              (url.ends_with("open") ? "B" : "A") + "\r\n");
  };
  write("a.warc", record("http://a.test/", "response", "<meta name=robots content=noarchive>secret") +
                      record("http://a.test/open", "response", "open") +
                      record("http://a.test/again", "revisit", "") +
                      record("http://b.test/open", "revisit", ""));
  auto source = std::move(open_captures({folder_ / "a.warc"})).value();
  WaczOptions options;
  options.out = folder_ / "x.wacz";
  options.created_us = 1'700'000'000'000'000;
  options.parts.respect_noarchive = true;
  const auto counts = write_wacz(*source, options);
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->left_out, 2u);
  EXPECT_EQ(counts->captures, 2u);
  EXPECT_EQ(counts->completed, 0u);
}

TEST_F(Library, BodiesCanBeReadInPieces) {
  std::string chunks, plain;
  for (int i = 0; i < 3000; ++i) {
    const std::string piece = fmt::format("piece {} ", i * i);
    chunks += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    plain += piece;
  }
  write("a.warc", library_record("http://a.test/", "2024-01-01T00:00:00Z",
                                 library_page(chunks + "0\r\n\r\n", "Transfer-Encoding: chunked\r\n")) +
                      library_record("http://b.test/", "2024-01-01T00:00:00Z",
                                     library_page(plain, "Transfer-Encoding: chunked\r\n")) +
                      library_record("http://c.test/", "2024-01-01T00:00:00Z", library_page(plain)));
  const auto library = open("a.warc");
  ASSERT_NE(library, nullptr);
  for (const char* const url : {"http://a.test/", "http://b.test/", "http://c.test/"}) {
    auto body = library->open_body(library->captures(url)->front());
    ASSERT_TRUE(body.ok()) << body.error().text;
    EXPECT_EQ((*body)->length().has_value(), std::string_view(url) == "http://c.test/");
    std::string read;
    ASSERT_TRUE((*body)->append(read, 10).ok());
    EXPECT_EQ(read, plain.substr(0, 10));
    ASSERT_TRUE((*body)->skip(1000).ok());
    ASSERT_TRUE((*body)->append(read, plain.size()).ok());
    EXPECT_EQ(read, plain.substr(0, 10) + plain.substr(1010)) << url;
  }
  EXPECT_EQ((*library->open_body(library->captures("http://c.test/")->front()))->length(), plain.size());
}

TEST_F(Library, ReadsPackagesThroughTheirIndex) {
  std::string records;
  for (int i = 0; i < 7000; ++i)
    records += library_record(fmt::format("http://a.test/{}", i), "2024-01-01T00:00:00Z",
                              library_page(fmt::format("<title>t{0}</title>page {0}", i)));
  write("a.warc", records);
  write_package("a.wacz");
  const auto library = open("a.wacz");
  ASSERT_NE(library, nullptr);
  for (const int i : {0, 1, 2999, 3000, 3001, 6999})
    EXPECT_EQ(body_at(*library, fmt::format("http://a.test/{}", i)),
              fmt::format("<title>t{0}</title>page {0}", i));
  EXPECT_EQ(body_at(*library, "http://a.test/7000"), "none");
  EXPECT_EQ(library->pages().size(), 7000u);
}

TEST_F(Library, RefusesPackagesWithWrongDigests) {
  const auto package = [&](const std::string& description, const std::string& warc_name) {
    auto zip = std::move(ZipWriter::create(folder_ / "x.wacz", 1'700'000'000'000'000)).value();
    if (!description.empty()) {
      EXPECT_TRUE(zip->add("datapackage.json", description).ok());
    }
    EXPECT_TRUE(zip->add(warc_name, "x").ok());
    EXPECT_TRUE(zip->finish().ok());
    return fault("x.wacz");
  };
  EXPECT_NE(package("", "archive/a.warc").find("no datapackage.json"), std::string::npos);
  EXPECT_NE(package("[]", "archive/a.warc").find("not the description"), std::string::npos);
  EXPECT_NE(
      package("{\"resources\":[{\"path\":\"archive/b.warc\"}]}", "archive/a.warc").find("not in the file"),
      std::string::npos);
  EXPECT_NE(package("{\"resources\":[{\"path\":\"archive/a.warc\",\"bytes\":7}]}", "archive/a.warc")
                .find("the size"),
            std::string::npos);
  EXPECT_NE(
      package("{\"resources\":[{\"path\":\"archive/a.warc\",\"hash\":\"sha256:00\"}]}", "archive/a.warc")
          .find("the hash"),
      std::string::npos);
  EXPECT_NE(package("{\"resources\":[]}", "other/a.warc").find("no WARC file"), std::string::npos);
  EXPECT_NE(package("{\"resources\":[]}", "archive/a.warc").find("no readable index"), std::string::npos);
}

TEST_F(Library, RefusesAnEmptyPackage) {
  std::ofstream(folder_ / "x.wacz").flush();
  EXPECT_NE(fault("x.wacz").find("not a ZIP file"), std::string::npos);
}

TEST_F(Library, AForgedIndexOnlyLeadsToErrors) {
  const auto zip_with = [&](const std::string& line) {
    auto zip = std::move(ZipWriter::create(folder_ / "x.wacz", 1'700'000'000'000'000)).value();
    EXPECT_TRUE(zip->add("datapackage.json", "{\"resources\":[]}").ok());
    EXPECT_TRUE(zip->add("archive/a.warc", "WARC/1.0\r\n").ok());
    EXPECT_TRUE(zip->add("indexes/index.cdxj", line + "\n").ok());
    EXPECT_TRUE(zip->finish().ok());
    return open("x.wacz");
  };
  const auto line = [](const std::string& file, const std::string& offset) {
    return "test,a)/ 20240101000000 {\"url\":\"http://a.test/\",\"filename\":\"" + file + "\",\"offset\":\"" +
           offset + "\"}";
  };
  EXPECT_NE(body_at(*zip_with(line("../../etc/passwd", "0")), "http://a.test/").find("does not exist"),
            std::string::npos);
  EXPECT_NE(body_at(*zip_with(line("a.warc", "999999999999")), "http://a.test/").find("shorter"),
            std::string::npos);
  EXPECT_NE(body_at(*zip_with(line("a.warc", "0")), "http://a.test/"), "none");
  EXPECT_EQ(body_at(*zip_with(line("a.warc", "-1")), "http://a.test/"), "none");
  EXPECT_EQ(body_at(*zip_with("test,a)/ 20240101000000 {{{"), "http://a.test/"), "none");
}

TEST_F(Library, RecognisesNoarchive) {
  ArchivedResponse response;
  response.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  response.body = "<title>a &amp; b</title><meta name=robots content='noindex, NOARCHIVE'>";
  EXPECT_TRUE(says_noarchive(response));
  EXPECT_EQ(title_of(response), "a & b");
  response.body = "<meta name=otherbot content=noarchive>";
  EXPECT_FALSE(says_noarchive(response));
  response.head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nX-Robots-Tag: noarchive\r\n\r\n";
  EXPECT_TRUE(says_noarchive(response));
}

TEST(CaptureIndex, FindsAllLinesOfAKeyAndNoOthers) {
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < i % 3; ++j) lines += fmt::format("test,a)/{:03} 2024010100000{} {{}}\n", i, j);
  }
  const auto index = make_line_index(lines, nullptr);
  for (int i = 0; i < 100; ++i) {
    int found = 0;
    const std::string key = fmt::format("test,a)/{:03}", i);
    ASSERT_TRUE(index
                    ->find(key,
                           [&](std::string_view line) {
                             EXPECT_TRUE(line.starts_with(key + " "));
                             ++found;
                           })
                    .ok());
    EXPECT_EQ(found, i % 3) << i;
  }
  int found = 0;
  ASSERT_TRUE(index->find("test,a)/0", [&](std::string_view) { ++found; }).ok());
  EXPECT_EQ(found, 0);
}

TEST(CaptureIndex, ReadsTimestamps) {
  EXPECT_EQ(timestamp_of(*parse_timestamp("20260131235958")), "20260131235958");
  EXPECT_EQ(timestamp_of(*parse_timestamp("2026")), "20260101000000");
  EXPECT_EQ(timestamp_of(*parse_timestamp("202612")), "20261201000000");
  for (const char* bad : {"", "abcd", "20261301", "2026x", "20260132", "99999999999999999999"})
    EXPECT_FALSE(parse_timestamp(bad)) << bad;
}

}  // namespace
}  // namespace bowerbird
