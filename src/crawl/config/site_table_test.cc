#include "crawl/config/site_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/option_row_testing.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/options.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

CrawlOptions read_toml(const std::string& toml) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  const auto read = read_crawl_options(toml, "c.toml", options);
  EXPECT_TRUE(read.ok()) << read.error().text;
  return options;
}

std::string error_of(const std::string& toml) {
  CrawlOptions options;
  const auto read = read_crawl_options(toml, "c.toml", options);
  return read.ok() ? "" : read.error().text;
}

std::string complaint_about(const std::string& toml) {
  const Status checked = check_crawl_options(read_toml(toml));
  return checked.ok() ? "" : checked.error().text;
}

// All keys.
const char* const kWhole = R"(
delay = "2s"
[[site]]
host = "www.a.test"
delay = "5s"
pages = 10
bytes = "1MiB"
pages-per-host = "1k"
depth = 2
include = ["/a/", "/b/"]
exclude = "/c/"
header = ["X-Key: hidden1"]
auth = "me:hidden2"
cookie = ["sid=hidden3"]
cookies = true
requisites = false
refresh-interval = "1h"
priority = 2.5
[[site]]
domain = ["b.test", "c.test"]
)";

TEST(SiteTable, EveryKeyIsReadAndKept) {
  const CrawlOptions options = read_toml(kWhole);
  ASSERT_EQ(options.sites.size(), 2u);
  const SiteSettings& site = options.sites[0];
  EXPECT_EQ(site.delay, Seconds(5));
  EXPECT_EQ(site.bytes, std::uint64_t{1} << 20);
  EXPECT_EQ(site.pages_per_host, 1000u);
  EXPECT_EQ(site.priority, 2.5);
  EXPECT_EQ(site.cookies, true);
  EXPECT_EQ(site.requisites, false);
  CrawlOptions again;
  ASSERT_TRUE(read_crawl_options(write_crawl_options(options), "options.toml", again).ok());
  ASSERT_EQ(again.sites.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const SiteOptionRow& row : site_option_table())
      EXPECT_EQ(row.texts(again.sites[i]), row.texts(options.sites[i])) << row.name;
  }
  EXPECT_EQ(check_crawl_options(options).ok(), true) << check_crawl_options(options).error().text;
}

TEST(SiteTable, SecretsAreNotShown) {
  const CrawlOptions options = read_toml(kWhole);
  const std::string shown = shown_crawl_options(options) + agreed_sites(options.sites);
  EXPECT_THAT(shown, Not(HasSubstr("hidden")));
  EXPECT_THAT(shown, HasSubstr("auth"));
  EXPECT_TRUE(has_secrets(options));
  for (const SiteValue& value : shown_site(options.sites[0])) {
    for (const std::string& text : value.values) EXPECT_THAT(text, Not(HasSubstr("hidden")));
  }
}

TEST(SiteTable, MistakesAreErrorsWithTheirPosition) {
  EXPECT_THAT(error_of("[[site]]\nhost = 'a.test'\ndelai = 3"),
              HasSubstr("c.toml:3:1: unknown key 'delai' in [[site]]; did you mean 'delay'"));
  EXPECT_THAT(error_of("[[site]]\ndelay = 3"), HasSubstr("needs host, domain or url"));
  EXPECT_THAT(error_of("[[site]]\nhost = 'a b'"), HasSubstr("is not a host"));
  EXPECT_THAT(error_of("[[site]]\nurl = '('"), HasSubstr("regular expression"));
  EXPECT_THAT(error_of("[[site]]\nhost = 'a.test'\npriority = 0"), HasSubstr("a factor from"));
  EXPECT_THAT(error_of("[site]\nhost = 'a.test'"), HasSubstr("write [[site]]"));
}

TEST(SiteTable, WhatCannotWorkIsRefused) {
  EXPECT_THAT(complaint_about("[[site]]\nhost = 'a.test'\ndelay = 0"), HasSubstr("--allow-net"));
  EXPECT_THAT(complaint_about("[[site]]\nhost = 'a.test'\nconnections = 4"), HasSubstr("--allow-net"));
  EXPECT_THAT(complaint_about("[[site]]\nurl = 'x'\nconnections = 1"), HasSubstr("counted by host"));
  EXPECT_THAT(complaint_about("[[site]]\nurl = 'x'\nauth = 'a:b'"), HasSubstr("need host or domain"));
  EXPECT_THAT(complaint_about("[[site]]\nhost = 'x'\nauth = 'ab'"), HasSubstr("USER:PASSWORD"));
  EXPECT_THAT(complaint_about("[[site]]\nhost = 'x'\nheader = 'Host: y'"), HasSubstr("cannot set Host"));
  EXPECT_THAT(complaint_about("[[site]]\nhost = 'x'\nheader = 'novalue'"), HasSubstr("Name: value"));
}

TEST(SiteTable, TablesOfAFileReplaceThoseOfTheLastRun) {
  CrawlOptions options = read_toml(kWhole);
  ASSERT_TRUE(read_crawl_options("delay = 3", "c.toml", options).ok());
  EXPECT_EQ(options.sites.size(), 2u);
  ASSERT_TRUE(read_crawl_options("[[site]]\nhost = 'x'", "c.toml", options).ok());
  EXPECT_EQ(options.sites.size(), 1u);
  ASSERT_TRUE(read_crawl_options("site = []", "c.toml", options).ok());
  EXPECT_TRUE(options.sites.empty());
}

TEST(SiteTable, PrioritiesAreFixedAndReadBack) {
  CrawlOptions options = read_toml(kWhole);
  const std::string about = fixed_options(options);
  EXPECT_TRUE(check_unchanged(options, about).ok());
  options.sites[0].delay = Seconds(9);
  EXPECT_TRUE(check_unchanged(options, about).ok()) << "other values may change";
  CrawlOptions other = options;
  other.sites[0].priority = 3;
  EXPECT_FALSE(check_unchanged(other, about).ok());
  other.sites.clear();
  EXPECT_FALSE(check_unchanged(other, about).ok());
  CrawlOptions reader;
  ASSERT_TRUE(adopt_fixed(about, reader).ok());
  ASSERT_EQ(reader.sites.size(), 1u);
  EXPECT_EQ(reader.sites[0].priority, 2.5);
  EXPECT_EQ(reader.sites[0].name(), "www.a.test");
}

TEST(SiteTable, FieldsGoToTheirHostsOnly) {
  const CrawlOptions options = read_toml(
      "header = ['X-All: 1']\n"
      "[[site]]\nhost = 'a.test'\nauth = 'me:pw'\nheader = ['X-All: 2', 'X-Site: 3']\n"
      "[[site]]\nhost = 'http://b.test'\ncookie = ['s=1', 't=2']\n");
  const RequestFields fields = RequestFields::make(request_fields_of(options)).value();
  EXPECT_EQ(fields.for_url("https://a.test/"), "X-All: 2\r\nX-Site: 3\r\nAuthorization: Basic bWU6cHc=\r\n");
  EXPECT_EQ(fields.for_url("http://a.test/"), "X-All: 2\r\nX-Site: 3\r\n") << "no credentials over http";
  EXPECT_EQ(fields.for_url("http://b.test/"), "X-All: 1\r\nCookie: s=1; t=2\r\n");
  EXPECT_EQ(fields.for_url("https://b.test/"), "X-All: 1\r\n");
  EXPECT_EQ(fields.for_url("https://c.test/"), "X-All: 1\r\n");
  EXPECT_EQ(fields.for_archive("http://b.test/"), "X-All: withheld\r\nCookie: withheld\r\n");
}

}  // namespace
}  // namespace bowerbird
