#include "web/site/addresses.h"

#include <gtest/gtest.h>

#include <set>

#include "graph/synthetic.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

std::unique_ptr<Addresses> addresses_of(const Web& web, const AddressOptions& options = {}) {
  return std::move(make_addresses(web, options)).value();
}

std::string url_of(const Addresses& addresses, PageId page) {
  PageUrl url;
  addresses.url_of(page, url);
  return url.text;
}

PageId page_at(const Addresses& addresses, std::string_view authority, std::string_view target) {
  bool https = false;
  return addresses.page_at(https, authority, target);
}

// Page -> URL -> page for these pages, all URLs different.
void expect_inverse(const Addresses& addresses, const std::vector<PageId>& pages) {
  std::set<std::string> seen;
  PageUrl url;
  for (const PageId page : pages) {
    addresses.url_of(page, url);
    EXPECT_TRUE(seen.insert(url.text).second) << url.text;
    bool https = url.https();
    EXPECT_EQ(addresses.page_at(https, url.authority(), url.target()), page) << url.text;
    EXPECT_EQ(https, url.https());
    const HostId host = addresses.host_named(url.authority());
    ASSERT_NE(host, kNoHost) << url.text;
    EXPECT_EQ(addresses.host_name(host), url.authority());
    const HostPages mates = addresses.pages_of(host);
    bool found = false;
    for (PageId i = 0; i < mates.count && i < 100'000; ++i) found |= mates.at(i) == page;
    EXPECT_TRUE(found) << url.text;
  }
}

std::vector<PageId> all_pages(const Web& web) {
  std::vector<PageId> pages(web.graph->pages());
  for (PageId page = 0; page < pages.size(); ++page) pages[page] = page;
  return pages;
}

TEST(Addresses, WithoutNamesAndHostsPagesHaveNumbersOnOneHost) {
  const Web web = make_web({{1}, {}, {}});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 2), "http://host-0.test/page-2");
  expect_inverse(*addresses, all_pages(web));
}

TEST(Addresses, AWebWithoutHostsCanBeDividedIntoHosts) {
  const Web web = make_web({{}, {}, {}, {}, {}, {}, {}});
  const auto addresses = addresses_of(web, {false, 3});
  EXPECT_EQ(addresses->hosts(), 3u);
  EXPECT_EQ(url_of(*addresses, 6), "http://host-2.test/page-6");
  expect_inverse(*addresses, all_pages(web));
  PageId sum = 0;
  for (HostId host = 0; host < 3; ++host) sum += addresses->pages_of(host).count;
  EXPECT_EQ(sum, 7u);
  expect_inverse(*addresses_of(web, {false, 20}), all_pages(web));
}

TEST(Addresses, KnownHostsNeedNotBeInOrder) {
  const Web web = make_web({{}, {}, {}, {}}, {2, 0, 2, 1});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 2), "http://host-2.test/page-2");
  expect_inverse(*addresses, all_pages(web));
  EXPECT_EQ(addresses->pages_of(2).count, 2u);
}

TEST(Addresses, NumbersHaveOneSpelling) {
  const Web web = make_web({{}, {}, {}});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(page_at(*addresses, "host-0.test", "/page-1"), 1u);
  for (const char* target :
       {"/page-01", "/page-+1", "/page-3", "/page-", "/page-1x", "/page-99999999999", "/"}) {
    EXPECT_EQ(page_at(*addresses, "host-0.test", target), kNoPage) << target;
  }
  EXPECT_EQ(page_at(*addresses, "host-1.test", "/page-1"), kNoPage);
  EXPECT_EQ(page_at(*addresses, "host-0", "/page-1"), kNoPage);
  EXPECT_EQ(page_at(*addresses, "host-.test", "/page-1"), kNoPage);
}

TEST(Addresses, ValidNamesAreUsed) {
  const Web web =
      make_web({{}, {}, {}}, {}, {"http://www.a.org/", "http://www.a.org/x?y=1&z", "http://b.org:81/q"});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 1), "http://www.a.org/x?y=1&z");
  EXPECT_EQ(addresses->hosts(), 2u);
  EXPECT_EQ(addresses->host_name(1), "b.org:81");
  expect_inverse(*addresses, all_pages(web));
  EXPECT_EQ(page_at(*addresses, "www.a.org", "/y"), kNoPage);
}

TEST(Addresses, HostGraphsHaveOneHomePageEach) {
  const Web web = make_web({{}, {}}, {}, {"www.a.org", "b.org"});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 1), "http://b.org/");
  expect_inverse(*addresses, all_pages(web));
}

TEST(Addresses, InvalidNamesAreReplacedByNumbers) {
  const Web web = make_web({{}, {}, {}, {}, {}, {}, {}, {}}, {},
                           {"http://a.org/", "http://a.org/", "", "ftp://a.org/x", "http://127.0.0.1/x",
                            "http://localhost/", "http://[::1]/", "http://host-0.test/page-1"});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 0), "http://a.org/");
  EXPECT_EQ(url_of(*addresses, 1), "http://host-0.test/page-1");
  EXPECT_EQ(url_of(*addresses, 3), "http://host-0.test/page-3");
  expect_inverse(*addresses, all_pages(web));
}

TEST(Addresses, HttpsNamesAreKeptOnlyWithTls) {
  const Web web = make_web({{}, {}}, {}, {"https://a.org/", "http://a.org/"});
  const auto plain = addresses_of(web);
  EXPECT_EQ(url_of(*plain, 0), "http://a.org/");
  EXPECT_EQ(url_of(*plain, 1), "http://host-0.test/page-1");  // the name was taken
  expect_inverse(*plain, all_pages(web));
  const auto secure = addresses_of(web, {true, 1});
  EXPECT_EQ(url_of(*secure, 0), "https://a.org/");
  EXPECT_EQ(url_of(*secure, 1), "http://a.org/");
  expect_inverse(*secure, all_pages(web));
}

TEST(Addresses, APageIsFoundUnderTheOtherSchemeToo) {
  const Web web = make_web({{}}, {}, {"https://a.org/x"});
  bool https = false;
  EXPECT_EQ(addresses_of(web, {true, 1})->page_at(https, "a.org", "/x"), 0u);
  EXPECT_TRUE(https);
}

TEST(Addresses, HostsThatAreScatteredInNamesAreListed) {
  const Web web = make_web({{}, {}, {}}, {}, {"http://a.org/1", "http://b.org/1", "http://a.org/2"});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(addresses->pages_of(0).count, 2u);
  EXPECT_EQ(addresses->pages_of(0).at(1), 2u);
  expect_inverse(*addresses, all_pages(web));
}

TEST(Addresses, ABillionPagesNeedNoMemory) {
  SyntheticOptions options;
  options.pages = 1'000'000'000;
  const Web web = make_synthetic(options);
  const auto addresses = addresses_of(web);
  std::vector<PageId> pages = {0, 1, 999'999'999};
  for (std::uint64_t i = 0; i < 200; ++i)
    pages.push_back(static_cast<PageId>(to_below(draw(5, i), options.pages)));
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  PageUrl url;
  for (const PageId page : pages) {
    addresses->url_of(page, url);
    EXPECT_EQ(page_at(*addresses, url.authority(), url.target()), page) << url.text;
    const HostId host = addresses->host_named(url.authority());
    ASSERT_EQ(host, web.hosts->host(page));
    const HostPages mates = addresses->pages_of(host);
    EXPECT_LE(mates.first, page);
    EXPECT_GT(mates.first + mates.count, page);
  }
}

TEST(Addresses, ThisMachineIsRecognised) {
  for (const char* authority :
       {"localhost", "localhost:80", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:8080"}) {
    EXPECT_TRUE(is_this_machine(authority)) << authority;
  }
  for (const char* authority : {"a.localhost", "128.0.0.1", "127.com", "[::2]", "localhost.org", ""}) {
    EXPECT_FALSE(is_this_machine(authority)) << authority;
  }
}

TEST(Addresses, NamesAreServedInCanonicalForm) {
  const Web web = make_web({{}, {}, {}, {}, {}, {}}, {},
                           {"http://x.test/%7euser/", "http://x.test:80/p", "http://x.test/a?utm_source=1",
                            "http://x.test/c/../d", "http://Upper.test/A", "http://evil.test/a'b&c<d>"});
  const auto addresses = addresses_of(web);
  EXPECT_EQ(url_of(*addresses, 0), "http://x.test/~user/");
  EXPECT_EQ(url_of(*addresses, 1), "http://x.test/p");
  EXPECT_EQ(url_of(*addresses, 2), "http://x.test/a");
  EXPECT_EQ(url_of(*addresses, 3), "http://x.test/d");
  EXPECT_EQ(url_of(*addresses, 4), "http://upper.test/A");
  EXPECT_EQ(url_of(*addresses, 5), "http://evil.test/a'b&c%3Cd%3E");
  expect_inverse(*addresses, all_pages(web));
}

}  // namespace
}  // namespace bowerbird
