// What docs/urls.md promises, rule by rule.
#include "url/canonical.h"

#include <gtest/gtest.h>

#include "url/parameter_rules.h"
#include "url/percent.h"

namespace bowerbird {
namespace {

std::string canonical(std::string_view link, const CanonicalOptions& options = {}) {
  Url base;
  EXPECT_EQ(parse_url("http://example.org/dir/page.html?old#old", nullptr, base), UrlFault::kNone);
  Url url;
  const UrlFault fault = canonical_url(link, &base, url, options);
  if (fault != UrlFault::kNone) return "<" + std::string(fault_text(fault)) + ">";
  Url again;
  EXPECT_EQ(canonical_url(url.text(), nullptr, again, options), UrlFault::kNone);
  EXPECT_EQ(again.text(), url.text()) << link;
  EXPECT_EQ(again.notes(), 0u) << link;
  EXPECT_EQ(again.path(), url.path());
  EXPECT_EQ(again.query(), url.query());
  EXPECT_EQ(again.host(), url.host());
  return url.text();
}

std::uint32_t notes(std::string_view link) {
  Url url;
  EXPECT_EQ(canonical_url(link, nullptr, url), UrlFault::kNone);
  return url.notes();
}

TEST(CanonicalUrl, LinksOfAPageAreResolved) {
  EXPECT_EQ(canonical("../a.html#b"), "http://example.org/a.html");
  EXPECT_EQ(canonical("?new"), "http://example.org/dir/page.html?new");
  EXPECT_EQ(canonical("#top"), "http://example.org/dir/page.html?old");
}

TEST(CanonicalUrl, FragmentsAreDropped) {
  EXPECT_EQ(canonical("http://a.org/x#y"), "http://a.org/x");
  EXPECT_EQ(canonical("http://a.org/#"), "http://a.org/");
}

TEST(CanonicalUrl, CredentialsAreDropped) {
  EXPECT_EQ(canonical("http://user:secret@a.org:81/x?y"), "http://a.org:81/x?y");
  EXPECT_EQ(canonical("https://user@a.org./x?y"), "https://a.org/x?y");
}

TEST(CanonicalUrl, DefaultPortsAreDropped) {
  EXPECT_EQ(canonical("https://a.org:443"), "https://a.org/");
}

TEST(CanonicalUrl, ADotAtTheEndOfTheHostIsDropped) {
  EXPECT_EQ(canonical("http://a.org.:81/x?y"), "http://a.org:81/x?y");
}

TEST(CanonicalUrl, HostsThatCannotBeInTheDnsAreTurnedDown) {
  const std::string label(63, 'a');
  EXPECT_EQ(canonical("http://" + label + ".org/"), "http://" + label + ".org/");
  const std::vector<std::string> hosts = {label + "a.org",
                                          "a..b",
                                          ".a.org",
                                          "a.org..",
                                          ".",
                                          "a.b." + label + "a",
                                          label + "." + label + "." + label + "." + label};
  for (const std::string& host : hosts) {
    Url url;
    EXPECT_EQ(canonical_url("http://" + host + "/", nullptr, url), UrlFault::kDnsName) << host;
    EXPECT_TRUE(url.empty());
  }
  EXPECT_EQ(canonical("http://[::1]/"), "http://[::1]/");
}

// RFC 3986, section 6.2.2.
TEST(CanonicalUrl, EscapesHaveOneSpelling) {
  EXPECT_EQ(canonical("/%7Euser/%61%2d%2E%5f"), "http://example.org/~user/a-._");
  EXPECT_EQ(canonical("/a%2fb%c3%a9?x=%3d"), "http://example.org/a%2Fb%C3%A9?x=%3D");
  EXPECT_EQ(canonical("/\xc3\xa9"), canonical("/%c3%a9"));
}

TEST(CanonicalUrl, ReservedCharactersKeepTheirSpelling) {
  EXPECT_EQ(canonical("/a;b,c=d@e:f!$&'()*+"), "http://example.org/a;b,c=d@e:f!$&'()*+");
  EXPECT_EQ(canonical("/%3B%2C%3D%40%3A"), "http://example.org/%3B%2C%3D%40%3A");
}

TEST(CanonicalUrl, WhatRfc3986DoesNotAllowBareIsEscaped) {
  EXPECT_EQ(canonical("/a|b[c]"), "http://example.org/a%7Cb%5Bc%5D");
  EXPECT_EQ(canonical("?a[]={b}`^\\|"), "http://example.org/dir/page.html?a%5B%5D=%7Bb%7D%60%5E%5C%7C");
}

TEST(CanonicalUrl, APercentSignThatBeginsNoEscapeIsEscaped) {
  EXPECT_EQ(canonical("/100%?q=5%&r=%4"), "http://example.org/100%25?q=5%25&r=%254");
  EXPECT_EQ(canonical("/%%34%31"), "http://example.org/%2541");
}

TEST(CanonicalUrl, TrackingParametersAreRemoved) {
  EXPECT_EQ(canonical("/x?utm_source=a&id=7&UTM_Medium=b&fbclid=c"), "http://example.org/x?id=7");
  EXPECT_EQ(canonical("/x?gclid=1&msclkid=2"), "http://example.org/x");
  EXPECT_EQ(canonical("/x?utmost=1&utm=2&gclidx=3"), "http://example.org/x?utmost=1&utm=2&gclidx=3");
  EXPECT_EQ(canonical("/x?a=1&%75tm_source=b&c"), "http://example.org/x?a=1&c");
}

TEST(CanonicalUrl, SessionParametersAreRemoved) {
  EXPECT_EQ(canonical("/x?PHPSESSID=abc&id=7"), "http://example.org/x?id=7");
  EXPECT_EQ(canonical("/x?id=7&sid=0123456789abcdef0123456789abcdef"), "http://example.org/x?id=7");
  EXPECT_EQ(canonical("/x?s=0123456789abcdef0123456789ABCDEF&t=9"), "http://example.org/x?t=9");
}

TEST(CanonicalUrl, AmbiguousNamesNeedAValueThatLooksLikeASession) {
  EXPECT_EQ(canonical("/x?sid=42&s=shoes&session=summer"),
            "http://example.org/x?sid=42&s=shoes&session=summer");
  EXPECT_EQ(canonical("/x?sid=internationalisation"), "http://example.org/x?sid=internationalisation");
}

TEST(CanonicalUrl, SessionsInThePathAreRemoved) {
  EXPECT_EQ(canonical("/a;jsessionid=1F2E/b;v=2;JSESSIONID=3?x"), "http://example.org/a/b;v=2?x");
  EXPECT_EQ(canonical("/app/(S(3wj2n1e45t2hfi45r0kxlm55))/page.aspx"), "http://example.org/app/page.aspx");
  EXPECT_EQ(canonical("/app/(S(3wj2n1e45t2hfi45r0kxlm55))"), "http://example.org/app/");
  EXPECT_EQ(canonical("/(S(short))/a;b"), "http://example.org/(S(short))/a;b");
}

TEST(CanonicalUrl, DotsThatASessionHidResolve) {
  EXPECT_EQ(canonical("/a/b/..;jsessionid=1/c?utm_id=1"), "http://example.org/a/c");
  EXPECT_EQ(canonical("/a/%2e;jsessionid=1"), "http://example.org/a/");
}

TEST(CanonicalUrl, EmptyParametersAndQueriesAreDropped) {
  EXPECT_EQ(canonical("/x?"), "http://example.org/x");
  EXPECT_EQ(canonical("/x?&&"), "http://example.org/x");
  EXPECT_EQ(canonical("/x?&a&&b=&c&"), "http://example.org/x?a&b=&c");
}

TEST(CanonicalUrl, TheOrderOfParametersStays) {
  EXPECT_EQ(canonical("/x?b=2&a=1&b=1"), "http://example.org/x?b=2&a=1&b=1");
}

TEST(CanonicalUrl, RulesCanBeSwitchedOff) {
  CanonicalOptions options;
  options.drop_tracking = false;
  EXPECT_EQ(canonical("/x;jsessionid=1?utm_source=a&sessionid=1", options),
            "http://example.org/x?utm_source=a");
  options.drop_tracking = true;
  options.drop_sessions = false;
  EXPECT_EQ(canonical("/x;jsessionid=1?utm_source=a&sessionid=1", options),
            "http://example.org/x;jsessionid=1?sessionid=1");
}

TEST(CanonicalUrl, LongUrlsAreTurnedDown) {
  CanonicalOptions options;
  options.max_length = 30;
  EXPECT_EQ(canonical("/0123456789", options), "http://example.org/0123456789");
  EXPECT_EQ(canonical("/0123456789?utm_source=long&x=", options), "<too long>");
  EXPECT_EQ(canonical("/0123456789?utm_source=very_long_but_dropped", options),
            "http://example.org/0123456789");
}

TEST(CanonicalUrl, NotesTellWhatWasDone) {
  EXPECT_EQ(notes("http://a.org/b?c=d"), 0u);
  EXPECT_EQ(notes("http://a.org/#x"), kNoteFragment);
  EXPECT_EQ(notes("http://u@a.org/"), kNoteCredentials);
  EXPECT_EQ(notes("http://a.org./"), kNoteTrailingDot);
  EXPECT_EQ(notes("http://a.org/%41"), kNoteResolvedEscapes);
  EXPECT_EQ(notes("http://a.org/%c3"), kNoteUpperEscapes);
  EXPECT_EQ(notes("http://a.org/|"), kNoteNotUri);
  EXPECT_EQ(notes("http://a.org/?phpsessid=1&x"), kNoteSession);
  EXPECT_EQ(notes("http://a.org/;jsessionid=1"), kNoteSession);
  EXPECT_EQ(notes("http://a.org/?utm_id=1&x"), kNoteTracking);
  EXPECT_EQ(notes("http://a.org/?&x"), kNoteEmptyParameters);
  EXPECT_EQ(notes("http://a.org/?"), kNoteEmptyQuery);
}

TEST(ParameterRules, EveryRuleFindsItsOwnName) {
  for (const ParameterRule& rule : parameter_rules()) {
    std::string parameter(rule.name);
    if (parameter.back() == '*') parameter.back() = 'x';
    if (rule.value != ParameterRule::kAny) {
      EXPECT_EQ(parameter_kind(parameter), ParameterKind::kContent) << parameter;
      parameter += "=0123456789abcdef0123456789abcdef";
    }
    EXPECT_EQ(parameter_kind(parameter), rule.kind) << parameter;
  }
}

TEST(Percent, DecodingKeepsInvalidEscapes) {
  EXPECT_EQ(percent_decoded("%41%zz%4"), "A%zz%4");
  EXPECT_EQ(escape_value("%fF"), 255);
  EXPECT_EQ(escape_value("%f"), -1);
}

}  // namespace
}  // namespace bowerbird
