#include "replay/replay_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/compress_testing.h"
#include "replay/address.h"
#include "replay/memento.h"
#include "replay/site_export.h"
#include "replay/site_files.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string replay_record(const std::string& url, const std::string& date, const std::string& fields,
                          const std::string& body, int status = 200) {
  const std::string http = fmt::format("HTTP/1.1 {} X\r\n{}\r\n{}", status, fields, body);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
      "WARC-Record-ID: <urn:uuid:0f2a3b52-7d1a-4b58-9c9b-000000000000>\r\n"
      "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, http.size(), http);
}

constexpr char kHtml[] = "Content-Type: text/html\r\n";

std::string hostile_capture() {
  return replay_record("http://a.test/", "2024-01-01T00:00:00Z",
                       std::string(kHtml) + "Set-Cookie: a=b\r\nX-Frame-Options: DENY\r\n",
                       "<title></title><script>alert(1)</script></title><link rel=stylesheet href=s.css><img "
                       "src=//b.test/i.png><a "
                       "href=gone>x</a>") +
         replay_record("http://a.test/", "2025-06-01T12:30:00Z", kHtml, "<title>second</title>") +
         replay_record("http://a.test/s.css", "2024-01-01T00:00:00Z", "Content-Type: text/css\r\n",
                       "a{b:url(/i.png)}") +
         replay_record("http://b.test/i.png", "2024-01-01T00:00:00Z", "Content-Type: image/png\r\n",
                       "0123456789") +
         replay_record("http://a.test/old", "2024-01-01T00:00:00Z", "Location: /new?x\r\n", "", 301) +
         replay_record("http://a.test/new?x", "2024-01-01T00:00:00Z", kHtml,
                       "<a href='/old#f'>y</a><a href=http://c.test/>z</a>") +
         replay_record("http://a.test/secret", "2024-01-01T00:00:00Z",
                       std::string(kHtml) + "X-Robots-Tag: noarchive\r\n", "<title>secret</title>") +
         replay_record("http://a.test/t", "2024-01-01T00:00:00Z", kHtml,
                       "<title>&lt;script&gt;alert(2)&lt;/script&gt;</title>");
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "a.warc", std::ios::binary) << hostile_capture();
    auto library = CaptureLibrary::open({folder_ / "a.warc"});
    ASSERT_TRUE(library.ok()) << library.error().text;
    library_ = std::move(*library);
    restart({});
  }
  void restart(ReplayOptions options) {
    options.name = "<b>name</b>";
    context_ = std::shared_ptr<ReplayContext>(new ReplayContext{*library_, options});
    context_->list_port = 8701;
    context_->page_port = 8702;
    list_ = make_list_service(context_)->make_handler();
    pages_ = make_page_service(context_)->make_handler();
  }
  const HttpResponse& ask(HttpHandler& handler, std::string_view authority, std::string_view target,
                          std::vector<HttpField> fields = {}, std::string_view method = "GET") {
    HttpRequest request;
    request.method = method;
    request.authority = authority;
    request.target = target;
    request.fields = fields;
    handler.answer(request, {}, response_);
    return response_;
  }
  const HttpResponse& page(std::string_view target, std::vector<HttpField> fields = {}) {
    return ask(*pages_, "127.0.0.1:8702", target, std::move(fields));
  }
  const HttpResponse& list(std::string_view target) { return ask(*list_, "127.0.0.1:8701", target); }
  std::string field(std::string_view name) const {
    const std::string* value = response_.field(name);
    return value == nullptr ? "none" : *value;
  }

  TemporaryFolder folder_;
  std::unique_ptr<CaptureLibrary> library_;
  std::shared_ptr<ReplayContext> context_;
  std::unique_ptr<HttpHandler> list_, pages_;
  HttpResponse response_;
};

TEST_F(Replay, ShowsAPageFromTheArchiveAlone) {
  EXPECT_EQ(page("/web/20240101000000/http://a.test/").status, 200);
  EXPECT_THAT(response_.body, HasSubstr("href=\"/web/20240101000000/http://a.test/s.css\""));
  EXPECT_THAT(response_.body, HasSubstr("src=\"/web/20240101000000/http://b.test/i.png\""));
  EXPECT_EQ(field("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page("/web/20240101000000/http://a.test/s.css").body,
            "a{b:url(/web/20240101000000/http://a.test/i.png)}");
  EXPECT_EQ(page("/web/20240101000000/http://b.test/i.png").body, "0123456789");
  EXPECT_EQ(page("/web/20240101000000/http://a.test/gone").status, 404);
  EXPECT_THAT(response_.body, HasSubstr("http://a.test/gone was not captured"));
}

TEST_F(Replay, KeepsCapturedPagesInASandbox) {
  page("/web/20240101000000/http://a.test/");
  const std::string policy = field("content-security-policy");
  EXPECT_THAT(policy, HasSubstr("sandbox"));
  EXPECT_THAT(policy, Not(HasSubstr("allow-scripts")));
  EXPECT_THAT(policy, Not(HasSubstr("allow-same-origin")));
  EXPECT_THAT(policy, HasSubstr("script-src 'none'"));
  EXPECT_EQ(field("set-cookie"), "none");
  EXPECT_EQ(field("x-frame-options"), "none");
  EXPECT_EQ(field("access-control-allow-origin"), "none");
  page("/web/20240101000000/http://b.test/i.png", {{"referer", "http://127.0.0.1:8702/"}});
  EXPECT_EQ(field("access-control-allow-origin"), "*");
  page("/web/20240101000000/http://b.test/i.png", {{"referer", "http://127.0.0.1:8702.evil.test/"}});
  EXPECT_EQ(field("access-control-allow-origin"), "none");
  ReplayOptions options;
  options.scripts = true;
  restart(options);
  page("/web/20240101000000/http://a.test/", {{"sec-fetch-dest", "iframe"}});
  EXPECT_THAT(field("content-security-policy"), HasSubstr("allow-scripts"));
  EXPECT_THAT(field("content-security-policy"), Not(HasSubstr("allow-same-origin")));
  EXPECT_THAT(field("content-security-policy"), Not(HasSubstr("allow-top-navigation")));
  // The page is in a frame that cannot leave this port.
  page("/web/20240101000000/http://a.test/", {{"sec-fetch-dest", "document"}});
  EXPECT_THAT(field("content-security-policy"), HasSubstr("frame-src http://127.0.0.1:8702;"));
  EXPECT_THAT(response_.body, HasSubstr("<iframe src=\"/web/20240101000000/http://a.test/\" sandbox="));
}

TEST_F(Replay, PoliciesNameNoIpv6Addresses) {
  const char* const target = "/web/20240101000000/http://a.test/";
  EXPECT_EQ(ask(*pages_, "[::1]:8702", target).status, 200);
  EXPECT_THAT(field("content-security-policy"), HasSubstr("default-src 'self' data: blob:;"))
      << "browsers ignore a source such as http://[::1]:8702";
  ReplayOptions options;
  options.scripts = true;
  restart(options);
  ask(*pages_, "[::1]:8702", target, {{"sec-fetch-dest", "document"}});
  EXPECT_THAT(field("content-security-policy"), HasSubstr("frame-src 'self';"));
}

TEST_F(Replay, AnswersOnlyForItsOwnHostNames) {
  for (const char* name :
       {"evil.test", "evil.test:8702", "127.0.0.1", "127.0.0.1:8701", "127.0.0.1.evil.test:8702", ""})
    EXPECT_EQ(ask(*pages_, name, "/web/2024/http://a.test/").status, 421) << name;
  EXPECT_EQ(ask(*list_, "evil.test:8701", "/").status, 421);
  for (const char* name : {"127.0.0.1:8702", "localhost:8702", "[::1]:8702"})
    EXPECT_EQ(ask(*pages_, name, "/web/20240101000000/http://a.test/").status, 200) << name;
  EXPECT_EQ(ask(*pages_, "127.0.0.1:8702", "/web/20240101000000/http://a.test/", {}, "POST").status, 405);
}

TEST_F(Replay, ImplementsMemento) {
  page("/web/20240101000000/http://a.test/");
  EXPECT_EQ(field("memento-datetime"), "Mon, 01 Jan 2024 00:00:00 GMT");
  const std::string links = field("link");
  EXPECT_THAT(links, HasSubstr("<http://a.test/>; rel=\"original\""));
  EXPECT_THAT(links, HasSubstr("<http://127.0.0.1:8702/web/http://a.test/>; rel=\"timegate\""));
  EXPECT_THAT(links, HasSubstr("<http://127.0.0.1:8702/timemap/link/http://a.test/>; rel=\"timemap\""));
  EXPECT_THAT(links, HasSubstr("rel=\"first memento\"; datetime=\"Mon, 01 Jan 2024 00:00:00 GMT\""));
  EXPECT_THAT(links, HasSubstr("rel=\"next last memento\"; datetime=\"Sun, 01 Jun 2025 12:30:00 GMT\""));
  EXPECT_EQ(page("/web/http://a.test/", {{"Accept-Datetime", "Mon, 08 Jan 2024 00:00:00 GMT"}}).status, 302);
  EXPECT_EQ(field("location"), "http://127.0.0.1:8702/web/20240101000000/http://a.test/");
  EXPECT_EQ(field("vary"), "accept-datetime");
  page("/web/http://a.test/");
  EXPECT_EQ(field("location"), "http://127.0.0.1:8702/web/20250601123000/http://a.test/");
  EXPECT_EQ(page("/web/http://a.test/", {{"accept-datetime", "yesterday"}}).status, 400);
  EXPECT_EQ(page("/timemap/link/http://a.test/").status, 200);
  EXPECT_EQ(field("content-type"), "application/link-format");
  EXPECT_THAT(response_.body, HasSubstr("rel=\"first memento\""));
  EXPECT_EQ(page("/web/2025/http://a.test/").status, 302) << "the address of a page shows its time";
  EXPECT_EQ(field("location"), "/web/20250601123000/http://a.test/");
}

TEST_F(Replay, RedirectsStayInTheArchive) {
  EXPECT_EQ(page("/web/20240101000000/http://a.test/old").status, 301);
  EXPECT_EQ(field("location"), "/web/20240101000000/http://a.test/new?x");
}

TEST_F(Replay, ServesRanges) {
  EXPECT_EQ(page("/web/20240101000000/http://b.test/i.png", {{"range", "bytes=2-4"}}).status, 206);
  EXPECT_EQ(response_.body, "234");
  EXPECT_EQ(field("content-range"), "bytes 2-4/10");
  EXPECT_EQ(page("/web/20240101000000/http://b.test/i.png", {{"range", "bytes=-3"}}).body, "789");
  EXPECT_EQ(page("/web/20240101000000/http://b.test/i.png", {{"range", "bytes=99-"}}).status, 200);
}

TEST_F(Replay, LargeBodiesAreStreams) {
  std::string large;
  while (large.size() < 3'000'000) large += fmt::format("{} ", large.size());
  std::ofstream(folder_ / "large.warc", std::ios::binary)
      << replay_record("http://a.test/v", "2024-01-01T00:00:00Z", "Content-Type: video/webm\r\n", large)
      << replay_record("http://a.test/p", "2024-01-01T00:00:00Z", kHtml, large);
  library_ = std::move(CaptureLibrary::open({folder_ / "large.warc"})).value();
  restart({});
  const auto streamed = [&] {
    std::string all;
    while (response_.stream->read(0, all)) {
    }
    return all;
  };
  page("/web/20240101000000/http://a.test/v");
  ASSERT_NE(response_.stream, nullptr);
  EXPECT_EQ(response_.stream_size, large.size());
  EXPECT_TRUE(streamed() == large);
  page("/web/20240101000000/http://a.test/v", {{"range", "bytes=2000000-2000009"}});
  EXPECT_EQ(response_.status, 206);
  EXPECT_EQ(field("content-range"), fmt::format("bytes 2000000-2000009/{}", large.size()));
  EXPECT_EQ(response_.stream_size, 10u);
  EXPECT_EQ(streamed().substr(0, 10), large.substr(2'000'000, 10));
  page("/web/20240101000000/http://a.test/p");
  EXPECT_EQ(response_.stream, nullptr) << "pages are changed, so they are whole";
  EXPECT_GE(response_.body.size(), large.size());
}

TEST_F(Replay, BombsTakeNoMemory) {
  const std::string packed = compressed_for_test("<title>bomb</title>" + std::string(40'000'000, 'x'), 31);
  const std::string coding = "Content-Encoding: gzip\r\n";
  std::ofstream(folder_ / "bomb.warc", std::ios::binary)
      << replay_record("http://a.test/p", "2024-01-01T00:00:00Z",
                       kHtml + coding + "X-Robots-Tag: noarchive\r\n", packed)
      << replay_record("http://a.test/s", "2024-01-01T00:00:00Z", "Content-Type: text/css\r\n" + coding,
                       packed)
      << replay_record("http://a.test/v.webm", "2024-01-01T00:00:00Z",
                       "Content-Type: video/webm\r\n" + coding, packed);
  library_ = std::move(CaptureLibrary::open({folder_ / "bomb.warc"})).value();
  restart({});
  EXPECT_EQ(page("/web/20240101000000/http://a.test/p").status, 502);
  EXPECT_THAT(response_.body, HasSubstr("larger than 32 MiB"));
  EXPECT_EQ(page("/web/20240101000000/http://a.test/s").status, 502);
  EXPECT_EQ(page("/web/20240101000000/http://a.test/v.webm").status, 200);
  EXPECT_NE(response_.stream, nullptr) << "what is not changed is not held in memory";
  list("/");
  EXPECT_THAT(response_.body, HasSubstr("noarchive</span>")) << "the list reads the beginning";
  SiteExportOptions options;
  options.out = folder_ / "site";
  const auto counts = export_site(*library_, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->unreadable, 2u);
  EXPECT_EQ(counts->files, 1u);
  EXPECT_EQ(std::filesystem::file_size(options.out + "/a.test/v.webm"), 40'000'019u);
}

TEST_F(Replay, EscapesTheTitlesOfListedPages) {
  list("/");
  EXPECT_THAT(response_.body, HasSubstr("4 pages"));
  EXPECT_THAT(response_.body, Not(HasSubstr("<script")));
  EXPECT_THAT(response_.body, Not(HasSubstr("<b>name")));
  EXPECT_THAT(response_.body, HasSubstr("&lt;script&gt;alert(2)"));
  EXPECT_THAT(response_.body, HasSubstr("noarchive</span>"));
  EXPECT_THAT(response_.body, HasSubstr("/calendar?url=http://a.test/\">2 captures"));
  EXPECT_THAT(field("content-security-policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(list("/?q=NEW").body, HasSubstr("1 of 4 pages"));
  EXPECT_THAT(list("/?q=%22%3E%3Cscript%3E").body, Not(HasSubstr("<script>")));
  EXPECT_EQ(list("/web/2024/http://a.test/").status, 307);
  EXPECT_EQ(field("location"), "http://127.0.0.1:8702/web/2024/http://a.test/");
  EXPECT_EQ(list("/other").status, 404);
}

TEST_F(Replay, ShowsTheCapturesOfAUrlInACalendar) {
  EXPECT_EQ(list("/calendar?url=http://a.test/").status, 200);
  EXPECT_THAT(response_.body, HasSubstr("<caption>January 2024</caption>"));
  EXPECT_THAT(response_.body, HasSubstr("<caption>June 2025</caption>"));
  EXPECT_THAT(response_.body, HasSubstr("http://127.0.0.1:8702/web/20250601123000/http://a.test/"));
  EXPECT_EQ(list("/calendar?url=http://nowhere.test/").status, 404);
  EXPECT_EQ(list("/calendar?url=%00").status, 404);
}

TEST_F(Replay, LeavesOutPagesThatForbidArchives) {
  EXPECT_EQ(page("/web/20240101000000/http://a.test/secret").status, 200);
  ReplayOptions options;
  options.respect_noarchive = true;
  restart(options);
  EXPECT_EQ(page("/web/20240101000000/http://a.test/secret").status, 404);
  EXPECT_THAT(list("/").body, Not(HasSubstr("a.test/secret")));
}

TEST(ReplayAddress, ReadsWhatBrowsersAndPeopleWrite) {
  EXPECT_EQ(parse_replay_address("/web/2024/example.org/x").url.text(), "http://example.org/x");
  EXPECT_EQ(parse_replay_address("/web/2024/http:/example.org/x?a=/../b").url.text(),
            "http://example.org/x?a=/../b");
  EXPECT_EQ(parse_replay_address("/web/https://example.org/").kind, ReplayAddress::kGate);
  EXPECT_EQ(parse_replay_address("/web/*/http://example.org/").kind, ReplayAddress::kCalendar);
  for (const char* bad :
       {"/", "/web/", "/webx/", "/web/2024/", "/web/2024/javascript:alert(1)", "/web/2024/http://", "", "*"})
    EXPECT_EQ(parse_replay_address(bad).kind, ReplayAddress::kNone) << bad;
}

TEST(SiteFiles, NamesAreSafeAndDifferInAnyCase) {
  SiteFiles files("index.html");
  EXPECT_EQ(files.add("http://a.test/", "text/html"), "a.test/index.html");
  EXPECT_EQ(files.add("http://a.test/x", "text/html"), "a.test/x.html");
  EXPECT_NE(files.add("http://a.test/X", "text/html"), "a.test/X.html") << "the same to some file systems";
  EXPECT_EQ(files.add("http://a.test/s?v=1", "text/css"), "a.test/s_v=1.css");
  EXPECT_EQ(files.add("http://a.test/d/i.png", "image/png"), "a.test/d/i.png");
  const std::string both = files.add("http://a.test/d", "image/png");
  EXPECT_NE(both, "a.test/d") << "it is a folder already";
  for (const char* evil : {"http://a.test/../../etc/passwd", "http://a.test/%2e%2e/%2e%2e/x", "http://../x",
                           "x:y", "http://a.test/CON", "http://a.test/a/.../b.", "http://index.html/"}) {
    const std::string path = files.add(evil, "image/png");
    EXPECT_EQ(("/" + path + "/").find("/../"), std::string::npos) << path;
    EXPECT_FALSE(path.starts_with('/')) << path;
    EXPECT_EQ(path.find("/CON/"), std::string::npos);
  }
  EXPECT_LE(
      files.add("http://a.test/" + std::string(5000, 'a') + "/" + std::string(5000, 'b'), "text/html").size(),
      230u);
  EXPECT_EQ(relative_reference("a/b/c.html", "a/d/e f%.html"), "../d/e%20f%25.html");
  EXPECT_EQ(relative_reference("index.html", "a/b.html"), "a/b.html");
}

TEST_F(Replay, WritesAFolderThatABrowserCanOpen) {
  SiteExportOptions options;
  options.out = folder_ / "site";
  options.title = "<i>t</i>";
  const auto counts = export_site(*library_, options);
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  EXPECT_EQ(counts->files, 6u);
  EXPECT_EQ(counts->pages, 4u);
  const auto read = [&](const std::string& name) {
    std::ifstream file(options.out + "/" + name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_THAT(read("a.test/new_x.html"),
              HasSubstr("<a href=\"new_x.html#f\">y</a><a href=http://c.test/>z</a>"))
      << "a redirect is followed; what was not captured stays";
  EXPECT_EQ(read("a.test/s.css"), "a{b:url(http://a.test/i.png)}");
  EXPECT_THAT(read("index.html"), HasSubstr("href=\"a.test/index.html\""));
  EXPECT_THAT(read("index.html"), Not(HasSubstr("<i>t")));
  EXPECT_THAT(read("index.html"), HasSubstr("noarchive</span>"));
  EXPECT_NE(export_site(*library_, options).error().text.find("exists already"), std::string::npos);
  options.out = folder_ / "other";
  options.respect_noarchive = true;
  EXPECT_EQ(export_site(*library_, options)->files, 5u);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
