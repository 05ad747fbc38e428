#include "store/surt.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "url/url.h"

namespace bowerbird {
namespace {

TEST(Surt, TheHostComesFirstAndIsReversed) {
  EXPECT_EQ(surt_key("http://www.Bower.example/"), "example,bower)/");
  EXPECT_EQ(surt_key("https://a.b.bower.example/x"), "example,bower,b,a)/x");
  EXPECT_EQ(surt_key("http://www2.bower.example:8080/"), "example,bower:8080)/");
  EXPECT_EQ(surt_key("https://bower.example:443/"), "example,bower)/");
  EXPECT_EQ(surt_key("http://bower.example./"), "example,bower)/");
  EXPECT_EQ(surt_key("http://192.0.2.7/a"), "7,2,0,192)/a");
  EXPECT_EQ(surt_key("http://[2001:db8::7]:81/"), "2001:db8::7:81)/");
  EXPECT_EQ(surt_key("http://www/"), "www)/");
  EXPECT_EQ(surt_key("http://me:secret@bower.example?q"), "example,bower)/?q");
}

TEST(Surt, SpellingsOfAPathHaveTheSameKey) {
  EXPECT_EQ(surt_key("http://bower.example/A//B/#part"), "example,bower)/a/b");
  EXPECT_EQ(surt_key("http://bower.example/a/%2e%2e%2fb"), "example,bower)/b");
  EXPECT_EQ(surt_key("http://bower.example/a//../b"), "example,bower)/a/b");
  EXPECT_EQ(surt_key("http://bower.example/%2541%"), "example,bower)/a%25");
  EXPECT_EQ(surt_key("http://bower.example/%2%35x"), "example,bower)/%25x");
  EXPECT_EQ(surt_key("http://bower.example/\xc3\xbc%20%23"), "example,bower)/%c3%bc%20%23");
}

TEST(Surt, ParametersAreSortedByNameThenValue) {
  EXPECT_EQ(surt_key("http://bower.example/?b=2&a=1"), "example,bower)/?a=1&b=2");
  // '-' sorts before '=': names are compared, not whole parameters.
  EXPECT_EQ(surt_key("http://bower.example/?a-b=1&a=1"), "example,bower)/?a=1&a-b=1");
  EXPECT_EQ(browser_key("http://bower.example/?a-b=1&a=1"), "example,bower)/?a-b=1&a=1");
  EXPECT_EQ(surt_key("http://bower.example/x?"), "example,bower)/x");
  EXPECT_EQ(surt_key("http://bower.example/x?q=1%26p=2"), "example,bower)/x?p=2&q=1");
}

TEST(Surt, SessionIdsAreRemoved) {
  const std::string id = "00112233445566778899aabbccddeeff";
  for (const std::string name : {"jsessionid", "PHPSESSID", "sid"}) {
    EXPECT_EQ(surt_key("http://bower.example/?b=1&" + name + "=" + id + "&a=2"), "example,bower)/?a=2&b=1");
    EXPECT_EQ(surt_key("http://bower.example/?" + name + "=" + id), "example,bower)/");
    EXPECT_NE(surt_key("http://bower.example/?" + name + "=" + id + "0"), "example,bower)/");
  }
  EXPECT_EQ(surt_key("http://bower.example/?aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx"),
            "example,bower)/");
  EXPECT_EQ(surt_key("http://bower.example/?x&cfid=1&cftoken=2&y"), "example,bower)/?x&y");
  const std::string session = "abcdefghijkl001122334455";
  EXPECT_EQ(surt_key("http://bower.example/s/(" + session + ")/p.ASPX"), "example,bower)/s/p.aspx");
  EXPECT_EQ(surt_key("http://bower.example/(S(" + session + ")F(" + session + "))/d/p.aspx"),
            "example,bower)/d/p.aspx");
  EXPECT_EQ(surt_key("http://bower.example/(" + session + ")/p.html"),
            "example,bower)/(" + session + ")/p.html");
}

TEST(Surt, BrowsersChangeLittle) {
  EXPECT_EQ(browser_key("http://www.bower.example./A//B/?q=%2B&P"), ",example,bower)/a//b/?p&q=%2b");
  EXPECT_EQ(browser_key("http://[2001:db8::7]:81/"), "[2001:db8::7]:81)/");
  EXPECT_EQ(browser_key("https://bower.example:443?"), "example,bower)/");
  EXPECT_EQ(browser_key("urn:X"), "urn:X");
}

// The keys of 194 URLs by both implementations, if the data is present.
TEST(Surt, AgreesWithTheTableOfKeys) {
  const char* const given = std::getenv("BOWERBIRD_DATA");
  std::ifstream table(std::string(given != nullptr ? given : BOWERBIRD_SOURCE_DIR "/../shared/data") +
                      "/surt.tsv");
  if (!table) GTEST_SKIP() << "no surt.tsv";
  std::string line;
  int rows = 0;
  while (std::getline(table, line)) {
    if (line.starts_with('#')) continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    ASSERT_NE(second, std::string::npos);
    const std::string url = line.substr(0, first);
    EXPECT_EQ(surt_key(url), line.substr(first + 1, second - first - 1)) << url;
    // Archives contain parsed URLs; for other texts, browser_key() may differ.
    Url parsed;
    if (parse_url(url, nullptr, parsed) == UrlFault::kNone && parsed.text() == url) {
      EXPECT_EQ(browser_key(url), line.substr(second + 1)) << url;
    }
    ++rows;
  }
  EXPECT_GT(rows, 100);
}

}  // namespace
}  // namespace bowerbird
