// A real browser in the test Web: every page it reaches by clicking shows the links of the graph. Skipped if
// Chromium or node is not installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "graph/synthetic.h"
#include "process.h"
#include "web/site/site_service.h"

namespace bowerbird {
namespace {

using testing::ElementsAreArray;
using Json = nlohmann::json;

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", name).c_str()) == 0) return name;
  }
  return {};
}

// What the browser saw: the page at `url`, and the pages behind `clicks` clicks.
std::vector<Json> wander(const std::string& url, int clicks) {
  TemporaryFolder folder;
  const std::string command =
      fmt::format("node '{}/tests/wander.mjs' {} '{}' '{}' {} > '{}'", BOWERBIRD_SOURCE_DIR, browser(),
                  folder / "profile", url, clicks, folder / "seen");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::vector<Json> seen;
  std::ifstream file(folder / "seen");
  for (std::string line; std::getline(file, line);) seen.push_back(Json::parse(line));
  return seen;
}

class TestWebFull : public testing::Test {
 protected:
  void SetUp() override {
    if (browser().empty() || std::system("node --version > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "no chromium, or no node";
    SyntheticOptions options;
    options.pages = 3000;
    web_ = make_synthetic(options);
    site_ = std::move(Site::make(web_, {})).value();
    ServerOptions server;
    server.port = 0;
    server_ = std::move(serve_site(*site_, server)).value();
  }

  // The links of a page as `spell` writes them.
  template <typename Spell>
  std::vector<std::string> links_of(PageId page, Spell spell) const {
    LinkBuffer buffer;
    std::vector<std::string> links;
    PageUrl url;
    for (const PageId link : web_.graph->out(page, buffer)) {
      site_->addresses().url_of(link, url);
      links.push_back(spell(url));
    }
    return links;
  }

  PageId page_at(std::string_view authority, std::string_view target) const {
    bool https = false;
    return site_->addresses().page_at(https, authority, target);
  }

  Web web_;
  std::unique_ptr<Site> site_;
  std::unique_ptr<Server> server_;
};

TEST_F(TestWebFull, ABrowserWandersThroughItFromThePortal) {
  const std::string portal = fmt::format("http://127.0.0.1:{}/", server_->port());
  const auto seen = wander(portal, 12);
  ASSERT_EQ(seen.size(), 13u);
  EXPECT_EQ(seen[0].at("title"), "Test Web");
  for (const Json& page : seen) {
    const std::string url = page.at("url");
    if (url == portal) continue;
    ASSERT_TRUE(url.starts_with(portal + "~/")) << url;
    const std::string name = url.substr(portal.size() + 2);
    const std::size_t slash = name.find('/');
    const PageId id = page_at(name.substr(0, slash), name.substr(slash));
    ASSERT_NE(id, kNoPage) << url;
    std::vector<std::string> expected = links_of(id, [&](const PageUrl& link) {
      return fmt::format("{}~/{}{}", portal, link.authority(), link.target());
    });
    expected.insert(expected.begin(), portal);  // the link back
    EXPECT_THAT(page.at("links").get<std::vector<std::string>>(), ElementsAreArray(expected)) << url;
    EXPECT_NE(page.at("title"), "");
  }
}

TEST_F(TestWebFull, EveryHostIsAHostOfItsOwnUnderLocalhost) {
  const auto spell = [&](const PageUrl& link) {
    return fmt::format("http://{}.localhost:{}{}", link.authority(), server_->port(), link.target());
  };
  PageUrl start;
  PageId first = 0;
  LinkBuffer buffer;
  while (web_.graph->out(first, buffer).size() < 8) ++first;
  site_->addresses().url_of(first, start);
  const auto seen = wander(spell(start), 4);
  ASSERT_GE(seen.size(), 2u);
  for (const Json& page : seen) {
    const std::string url = page.at("url");
    const std::size_t host = std::string_view("http://").size();
    const std::size_t slash = url.find('/', host);
    const std::string mark = fmt::format(".localhost:{}", server_->port());
    const std::string authority = url.substr(host, slash - host);
    ASSERT_TRUE(authority.ends_with(mark)) << url;
    const PageId id = page_at(authority.substr(0, authority.size() - mark.size()), url.substr(slash));
    ASSERT_NE(id, kNoPage) << url;
    EXPECT_THAT(page.at("links").get<std::vector<std::string>>(), ElementsAreArray(links_of(id, spell)))
        << url;
  }
}

}  // namespace
}  // namespace bowerbird
