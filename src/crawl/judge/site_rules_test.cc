#include "crawl/judge/site_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawl/judge/scope.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Url url_of(const std::string& text) {
  Url url;
  EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone);
  return url;
}

SiteSettings site_for(std::vector<std::string> hosts, std::vector<std::string> domains = {},
                      std::vector<std::string> urls = {}) {
  SiteSettings site;
  site.hosts = std::move(hosts);
  site.domains = std::move(domains);
  site.urls = std::move(urls);
  return site;
}

SiteTables found(const SiteRules& rules, const std::string& url) {
  SiteCache cache;
  const auto cached = rules.tables_of(url_of(url), cache);
  SiteTables tables(cached.begin(), cached.end());
  EXPECT_EQ(tables, rules.tables_of(url_of(url)));
  const auto again = rules.tables_of(url_of(url), cache);
  EXPECT_EQ(tables, SiteTables(again.begin(), again.end()));
  return tables;
}

TEST(SiteRules, TablesMatchByHostDomainAndPattern) {
  const SiteRules rules = SiteRules::make({site_for({"WWW.Example.org"}), site_for({"*.example.org"}),
                                           site_for({}, {"example.org"}), site_for({}, {}, {"/news/\\d+"}),
                                           site_for({"http://example.org:81"})})
                              .value();
  EXPECT_THAT(found(rules, "https://www.example.org/"), ElementsAre(0, 1, 2));
  EXPECT_THAT(found(rules, "https://www.example.org:8443/"), ElementsAre(0, 1, 2)) << "any port";
  EXPECT_THAT(found(rules, "https://example.org/"), ElementsAre(2)) << "not below itself";
  EXPECT_THAT(found(rules, "http://example.org:81/news/7"), ElementsAre(2, 3, 4));
  EXPECT_THAT(found(rules, "https://example.org:81/"), ElementsAre(2)) << "another scheme";
  EXPECT_THAT(found(rules, "https://notexample.org/"), IsEmpty());
  EXPECT_THAT(found(rules, "https://example.org.evil.test/"), IsEmpty());
  const SiteRules ports = SiteRules::make({site_for({"a.test:443"}), site_for({"a.test:80"})}).value();
  EXPECT_THAT(found(ports, "https://a.test/"), ElementsAre(0));
  EXPECT_THAT(found(ports, "http://a.test/"), ElementsAre(1));
  EXPECT_THAT(rules.tables_of_host("example.org:81"), ElementsAre(2, 4));
}

TEST(SiteRules, ALaterTableReplacesAValue) {
  SiteSettings first = site_for({}, {"example.org"}), second = site_for({"www.example.org"});
  first.depth = 3;
  first.requisites = true;
  second.depth = 7;
  const SiteRules rules = SiteRules::make({first, second}).value();
  const SiteTables tables = found(rules, "https://www.example.org/");
  EXPECT_EQ(rules.value(tables, &SiteSettings::depth), 7u);
  EXPECT_EQ(rules.value(tables, &SiteSettings::requisites), true);
  EXPECT_EQ(rules.value(tables, &SiteSettings::delay), std::nullopt);
}

TEST(SiteRules, AnIncludeOfASiteReplacesTheGeneralOneAndAnExcludeIsAdded) {
  SiteSettings site = site_for({}, {"a.test"});
  site.include = {"/wiki/"};
  site.exclude = {"/wiki/Talk"};
  ScopeOptions options;
  options.mode = ScopeMode::kAny;
  options.include = {"/blog/"};
  options.exclude = {"\\.pdf$"};
  const Scope scope =
      Scope::make(options, {}, std::make_shared<SiteRules>(SiteRules::make({site}).value())).value();
  ScopeCache cache;
  EXPECT_EQ(scope.judge(url_of("http://a.test/wiki/x"), cache), ScopeVerdict::kIn);
  EXPECT_EQ(scope.judge(url_of("http://a.test/blog/x"), cache), ScopeVerdict::kNotIncluded);
  EXPECT_EQ(scope.judge(url_of("http://a.test/wiki/Talk"), cache), ScopeVerdict::kExcluded);
  EXPECT_EQ(scope.judge(url_of("http://a.test/wiki/x.pdf"), cache), ScopeVerdict::kExcluded);
  EXPECT_EQ(scope.judge(url_of("http://b.test/wiki/x"), cache), ScopeVerdict::kNotIncluded);
  EXPECT_EQ(scope.judge(url_of("http://b.test/blog/x"), cache), ScopeVerdict::kIn);
  EXPECT_TRUE(scope.excludes(url_of("http://a.test/wiki/Talk")));
  EXPECT_EQ(scope.explain(url_of("http://a.test/wiki/Talk")), "--exclude matches ([[site]] a.test)");
}

TEST(SiteRules, CredentialsNeedHttpsUnlessTheHostSaysHttp) {
  const SiteRules rules =
      SiteRules::make({site_for({"a.test"}), site_for({"http://a.test"}), site_for({}, {"a.test"})}).value();
  EXPECT_TRUE(rules.may_hold_credentials(0, url_of("https://a.test/")));
  EXPECT_FALSE(rules.may_hold_credentials(0, url_of("http://a.test/")));
  EXPECT_TRUE(rules.may_hold_credentials(1, url_of("http://a.test/")));
  EXPECT_FALSE(rules.may_hold_credentials(1, url_of("https://a.test/")));
  EXPECT_TRUE(rules.may_hold_credentials(2, url_of("https://x.a.test/")));
  EXPECT_FALSE(rules.may_hold_credentials(2, url_of("http://x.a.test/")));
}

TEST(SiteRules, InvalidHostsDomainsAndPatternsAreErrors) {
  for (const char* host : {"", "a b", "http://", "https://a.test/path", "user@a.test"})
    EXPECT_FALSE(SiteRules::make({site_for({host})}).ok()) << host;
  for (const char* domain : {"", "*.a.test", "a.test:80", "http://a.test"})
    EXPECT_FALSE(SiteRules::make({site_for({}, {domain})}).ok()) << domain;
  EXPECT_FALSE(SiteRules::make({site_for({}, {}, {"("})}).ok());
}

}  // namespace
}  // namespace bowerbird
