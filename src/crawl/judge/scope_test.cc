#include "crawl/judge/scope.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

ScopeVerdict judge(const ScopeOptions& options, std::vector<std::string> seeds, std::string_view text) {
  const Scope scope = std::move(Scope::make(options, seeds)).value();
  Url url;
  EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone);
  ScopeCache cache;
  const ScopeVerdict first = scope.judge(url, cache);
  EXPECT_EQ(scope.judge(url, cache), first) << "the cache answers the same";
  return first;
}

ScopeOptions mode(ScopeMode mode) {
  ScopeOptions options;
  options.mode = mode;
  return options;
}

const std::vector<std::string> kSeeds = {"https://www.example.co.uk/docs/start.html"};

TEST(Scope, HostModeAllowsBothSchemes) {
  EXPECT_EQ(judge(mode(ScopeMode::kHost), kSeeds, "http://www.example.co.uk/x"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(mode(ScopeMode::kHost), kSeeds, "http://example.co.uk/x"), ScopeVerdict::kIn)
      << "without www.";
  EXPECT_EQ(judge(mode(ScopeMode::kHost), {"http://a.example/"}, "http://www.a.example/x"),
            ScopeVerdict::kIn);
  EXPECT_EQ(judge(mode(ScopeMode::kHost), kSeeds, "http://shop.example.co.uk/x"), ScopeVerdict::kOtherHost);
  EXPECT_EQ(judge(mode(ScopeMode::kHost), kSeeds, "http://www.example.co.uk:8080/x"),
            ScopeVerdict::kOtherHost);
}

TEST(Scope, DomainModeUsesTheRegistrableDomain) {
  EXPECT_EQ(judge(mode(ScopeMode::kDomain), kSeeds, "http://shop.example.co.uk/"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(mode(ScopeMode::kDomain), kSeeds, "http://other.co.uk/"), ScopeVerdict::kOtherHost);
}

TEST(Scope, PrefixModeUsesTheFolderOfTheSeed) {
  EXPECT_EQ(judge(mode(ScopeMode::kPrefix), kSeeds, "http://www.example.co.uk/docs/a/b"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(mode(ScopeMode::kPrefix), kSeeds, "http://www.example.co.uk/blog/"),
            ScopeVerdict::kOtherPrefix);
}

TEST(Scope, NamesTheRuleThatDecides) {
  ScopeOptions options = mode(ScopeMode::kHost);
  options.exclude = {"/old/", "[?&]print="};
  const Scope scope = std::move(Scope::make(options, kSeeds)).value();
  const auto explain = [&](std::string_view text) {
    Url url;
    EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone);
    return scope.explain(url);
  };
  EXPECT_EQ(explain("http://example.co.uk/x"), "in scope");
  EXPECT_EQ(explain("http://other.example/x"), "its host is not in scope (--scope host)");
  EXPECT_EQ(explain("http://example.co.uk/?print=1"), "--exclude matches: [?&]print=");
}

TEST(Scope, NamesThePrefixThatDecides) {
  const Scope scope = std::move(Scope::make(mode(ScopeMode::kPrefix),
                                            std::vector<std::string>{kSeeds[0], "http://b.example/x/"}))
                          .value();
  const auto explain = [&](std::string_view text) {
    Url url;
    EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone);
    return scope.explain(url);
  };
  EXPECT_EQ(explain("http://www.example.co.uk/blog/"),
            "not below a seed's folder: www.example.co.uk/docs/ (--scope prefix)");
  EXPECT_EQ(explain("http://c.example/"),
            "not below a seed's folder: www.example.co.uk/docs/, example.co.uk/docs/, b.example/x/, ... "
            "(--scope prefix)");
}

TEST(Scope, AnyModeAllowsEveryHost) {
  EXPECT_EQ(judge(mode(ScopeMode::kAny), {}, "http://nobody.example/"), ScopeVerdict::kIn);
}

TEST(Scope, HostsMayBeNamed) {
  ScopeOptions options = mode(ScopeMode::kHost);
  options.hosts = {"Static.example.net", "*.cdn.example"};
  EXPECT_EQ(judge(options, kSeeds, "http://static.example.net/"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(options, kSeeds, "http://a.b.cdn.example/"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(options, kSeeds, "http://cdn.example/"), ScopeVerdict::kOtherHost);
  options.hosts = {
      "b\xc3\xbc"
      "cher.example"};
  EXPECT_EQ(judge(options, kSeeds, "http://xn--bcher-kva.example/"), ScopeVerdict::kIn);
  options.hosts = {"http://a.example/"};
  EXPECT_FALSE(Scope::make(options, {}).ok());
}

TEST(Scope, IncludeAndExcludeRulesNarrowIt) {
  ScopeOptions options = mode(ScopeMode::kAny);
  options.include = {"/docs/", R"(\.html$)"};
  options.exclude = {"[?&]print="};
  EXPECT_EQ(judge(options, {}, "http://a/x.html"), ScopeVerdict::kIn);
  EXPECT_EQ(judge(options, {}, "http://a/x.pdf"), ScopeVerdict::kNotIncluded);
  EXPECT_EQ(judge(options, {}, "http://a/docs/?print=1"), ScopeVerdict::kExcluded);
}

TEST(Scope, BadRulesAreErrors) {
  ScopeOptions options = mode(ScopeMode::kAny);
  options.exclude = {"["};
  const auto scope = Scope::make(options, {});
  ASSERT_FALSE(scope.ok());
  EXPECT_NE(scope.error().text.find("'['"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
