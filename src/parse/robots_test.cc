// Clauses are those of RFC 9309; what it leaves open is marked as our choice.
#include "parse/robots.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "parse/robots_pattern.h"
#include "parse/robots_reference.h"

namespace bowerbird {
namespace {

using namespace std::string_literals;

RobotsRules rules(std::string_view text, std::string_view token = "ExampleBot") {
  return RobotsRules::make(parse_robots(text), token);
}

bool allows(std::string_view text, std::string_view target, std::string_view token = "ExampleBot") {
  const RobotsText parsed = parse_robots(text);
  const bool allowed = RobotsRules::make(parsed, token).allows(target);
  EXPECT_EQ(allowed, reference_allows(parsed, token, target)) << text << target;
  return allowed;
}

// A rule for everybody.
bool matches(std::string_view pattern, std::string_view target) {
  return !allows("user-agent: *\ndisallow: " + std::string(pattern), target);
}

// 2.2 formal syntax.
TEST(Robots, KeysAreCaseInsensitiveAndBlanksDoNotCount) {
  EXPECT_FALSE(allows("USER-AGENT:examplebot\nDisAllow:/x", "/x"));
  EXPECT_FALSE(allows(" \tuser-agent \t: \t examplebot\t\n  disallow  :\t/x  ", "/x"));
}

TEST(Robots, LinesEndInCrLfOrBoth) {
  for (const char* end : {"\n", "\r", "\r\n", "\n\n", "\r\r\n"}) {
    const std::string text = fmt::format("user-agent: *{0}disallow: /x{0}allow: /x/y{0}", end);
    EXPECT_FALSE(allows(text, "/x")) << testing::PrintToString(end);
    EXPECT_TRUE(allows(text, "/x/y")) << testing::PrintToString(end);
  }
  EXPECT_EQ(rules("user-agent: *\r\n\r\ndisallow: /x").decide("/x").line, 3u);
  EXPECT_EQ(rules("user-agent: *\rdisallow: /x").decide("/x").line, 2u);
}

// Our choice: also where a part of the mark is lost, or where there are two.
TEST(Robots, AByteOrderMarkIsSkipped) {
  for (const char* mark : {"\xef\xbb\xbf", "\xef\xbb", "\xef", "\xbb\xbf", "\xbf", "\xef\xbb\xbf\xef\xbb\xbf",
                           "\xc3\xaf\xc2\xbb\xc2\xbf" /* encoded twice */, "\xef\xbf\xbd" /* replaced */}) {
    EXPECT_FALSE(allows(mark + std::string("user-agent: *\ndisallow: /x"), "/x"));
  }
}

std::string in_utf16(std::string_view text, bool big_endian) {
  std::string out;
  for (const char c : text) {
    if (big_endian) out += '\0';
    out += c;
    if (!big_endian) out += '\0';
  }
  return out;
}

// Our choice: section 2.3 wants UTF-8, but nothing else can be meant.
TEST(Robots, Utf16IsRead) {
  const std::string text = "user-agent: *\r\ndisallow: /x\r\n";
  for (const bool big_endian : {false, true}) {
    const std::string mark = big_endian ? "\xfe\xff" : "\xff\xfe";
    EXPECT_FALSE(allows(mark + in_utf16(text, big_endian), "/x"));
    EXPECT_FALSE(allows(in_utf16(text, big_endian), "/x"));
    EXPECT_TRUE(allows(mark + in_utf16(text, big_endian), "/y"));
    const std::string letter = big_endian ? "\x04\x16" : "\x16\x04";  // U+0416
    EXPECT_FALSE(allows(mark + in_utf16("user-agent: *\ndisallow: /", big_endian) + letter, "/%D0%96"));
    const std::string pair = big_endian ? "\xd8\x3d\xde\x00"s : "\x3d\xd8\x00\xde"s;  // U+1F600
    EXPECT_FALSE(allows(mark + in_utf16("user-agent: *\ndisallow: /", big_endian) + pair, "/%F0%9F%98%80"));
  }
  EXPECT_TRUE(allows("\xff\xfe", "/x"));
  EXPECT_TRUE(allows("\xff\xfe\xd8", "/x"));
}

// Our choice, for the same reason.
TEST(Robots, Utf32IsRead) {
  for (const bool big_endian : {false, true}) {
    std::string text = big_endian ? "\0\0\xfe\xff"s : "\xff\xfe\0\0"s;
    for (const char c : std::string_view("user-agent: *\ndisallow: /x\n")) {
      text += big_endian ? "\0\0\0"s + c : c + "\0\0\0"s;
    }
    EXPECT_FALSE(allows(text, "/x")) << big_endian;
    EXPECT_TRUE(allows(text, "/y")) << big_endian;
  }
}

// Our choice: people copy lines from Web pages.
TEST(Robots, BlanksOfUnicodeDoNotCount) {
  EXPECT_FALSE(allows("user-agent:\xc2\xa0*\xc2\xa0\ndisallow\xc2\xa0:\xe3\x80\x80/x\xe2\x80\x8b\n", "/x"));
  EXPECT_FALSE(
      allows("\xc2\xa0user-agent: *\n\xef\xbb\xbf"
             "disallow: /x\xc2\xa0\n",
             "/x"));
}

// Our choice: some files are written as if they were HTML.
TEST(Robots, ABrElementEndsALine) {
  EXPECT_FALSE(allows("user-agent: *<BR>\ndisallow: /x<br />\n", "/x"));
  EXPECT_FALSE(allows("user-agent: *<br/>disallow: /x<br", "/x"));
  EXPECT_TRUE(allows("user-agent: *<BR>disallow: /<BR>allow: /x<BR>", "/x"));
}

// Our choice: keys that restrict us may be misspelt.
TEST(Robots, MisspeltRestrictionsCount) {
  for (const char* key : {"dissallow", "dissalow", "disalow", "diasllow", "disallaw", "diallow", "disllow",
                          "desallow", "disalllow", "disallowed", "Disallows"}) {
    EXPECT_FALSE(allows(std::string("user-agent: *\n") + key + ": /x", "/x")) << key;
  }
  for (const char* key : {"alow", "allowed", "d", "", "disable", "noindex"}) {
    EXPECT_TRUE(allows(std::string("user-agent: *\n") + key + ": /x", "/x")) << key;
    EXPECT_FALSE(allows(std::string("user-agent: *\ndisallow: /\n") + key + ": /x", "/x")) << key;
  }
  for (const char* key : {"crawldelay", "crawl delay", "crawl_delay", "craw-delay"}) {
    EXPECT_EQ(rules(std::string("user-agent: *\n") + key + ": 3").crawl_delay(), 3.0) << key;
  }
}

// 2.2.1 the user-agent line.
TEST(Robots, TheProductTokenIsMatchedWithoutRegardToCase) {
  EXPECT_FALSE(allows("user-agent: EXAMPLEBOT\ndisallow: /", "/"));
  EXPECT_TRUE(allows("user-agent: ExampleBotter\ndisallow: /", "/"));
  EXPECT_TRUE(allows("user-agent: Example\ndisallow: /", "/"));
}

TEST(Robots, GroupsOfTheSameAgentAreMerged) {
  const char* text =
      "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\n"
      "user-agent: other\ndisallow: /other\n\n"
      "user-agent: ExampleBot\ndisallow: /baz\n";
  for (const char* target : {"/foo", "/bar", "/baz"}) EXPECT_FALSE(allows(text, target)) << target;
  EXPECT_TRUE(allows(text, "/other"));
}

TEST(Robots, TheStarGroupIsForThoseWhoAreNotNamed) {
  const char* text = "user-agent: *\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: BazBot\ndisallow: /baz\n";
  EXPECT_FALSE(allows(text, "/foo"));
  EXPECT_TRUE(allows(text, "/baz"));
  EXPECT_TRUE(allows(text, "/foo", "BazBot"));
}

TEST(Robots, WithoutAGroupThereAreNoRules) {
  EXPECT_TRUE(allows("user-agent: BazBot\ndisallow: /\n", "/"));
  EXPECT_TRUE(allows("", "/"));
}

TEST(Robots, SeveralAgentsShareAGroup) {
  const char* text = "user-agent: a\nuser-agent: ExampleBot\n\nuser-agent: b\ndisallow: /x\n";
  EXPECT_FALSE(allows(text, "/x", "a"));
  EXPECT_FALSE(allows(text, "/x", "b"));
  EXPECT_FALSE(allows(text, "/x"));
}

TEST(Robots, AGroupWithoutRulesAllowsEverything) {
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /\nuser-agent: ExampleBot\n", "/"));
}

// Our choice: what follows the token ("/1.0", "(x)") is ignored, as in what crawlers send.
TEST(Robots, WhatFollowsTheTokenIsIgnored) {
  EXPECT_FALSE(allows("user-agent: ExampleBot/1.0\ndisallow: /", "/"));
  EXPECT_FALSE(allows("user-agent: * (all)\ndisallow: /", "/"));
  EXPECT_TRUE(allows("user-agent: *bot\ndisallow: /", "/"));
  EXPECT_EQ(product_token("Example_Bot-x/2.1 (+http://example.org)"), "Example_Bot-x");
  EXPECT_EQ(product_token("1bot"), "");
}

// 2.2.2 the allow and disallow lines.
TEST(Robots, MatchingIsByPrefixAndCaseSensitive) {
  EXPECT_TRUE(matches("/fish", "/fish"));
  EXPECT_TRUE(matches("/fish", "/fish.html"));
  EXPECT_TRUE(matches("/fish", "/fish/salmon"));
  EXPECT_TRUE(matches("/fish", "/fish?id=1"));
  EXPECT_FALSE(matches("/fish", "/Fish"));
  EXPECT_FALSE(matches("/fish", "/catfish"));
  EXPECT_FALSE(matches("/fish/", "/fish"));
}

TEST(Robots, TheLongestMatchDecides) {
  const char* text = "user-agent: *\nallow: /example/page/\ndisallow: /example/page/disallowed.gif\n";
  EXPECT_FALSE(allows(text, "/example/page/disallowed.gif"));
  EXPECT_TRUE(allows(text, "/example/page/"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /\nallow: /p", "/page"));
  EXPECT_FALSE(allows("user-agent: *\ndisallow: /\nallow: /$", "/page"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /\nallow: /$", "/"));
  EXPECT_FALSE(allows("user-agent: *\nallow: /page\ndisallow: /*.htm", "/page.htm"));
}

TEST(Robots, AllowWinsATie) {
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /folder\nallow: /folder", "/folder/page"));
  EXPECT_TRUE(allows("user-agent: *\nallow: /folder\ndisallow: /folder", "/folder/page"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /fold*\nallow: /folde", "/folder"));
  EXPECT_TRUE(allows("user-agent: *\nallow: /fold*\ndisallow: /folde", "/folder"));
}

TEST(Robots, AnEmptyPatternDoesNothing) {
  EXPECT_TRUE(allows("user-agent: *\ndisallow:\nallow:\n", "/"));
}

TEST(Robots, RobotsTxtItselfIsAlwaysAllowed) {
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /", "/robots.txt"));
  EXPECT_FALSE(allows("user-agent: *\ndisallow: /", "/robots.txt2"));
  EXPECT_TRUE(RobotsRules::none_allowed().allows("/robots.txt"));
  EXPECT_FALSE(RobotsRules::none_allowed().allows("/"));
}

TEST(Robots, RulesBeforeTheFirstAgentAreIgnored) {
  EXPECT_TRUE(allows("disallow: /\nuser-agent: *\n", "/"));
}

// 2.2.2 table 4.
TEST(Robots, PatternsAndUrlsAreComparedInOneSpelling) {
  EXPECT_TRUE(matches("/foo/bar?baz=quz", "/foo/bar?baz=quz"));
  EXPECT_TRUE(matches("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"));
  EXPECT_TRUE(matches("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"));
  EXPECT_TRUE(matches("/foo/bar/\xe3\x83\x84", "/foo/bar/%E3%83%84"));
  EXPECT_TRUE(matches("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"));
  EXPECT_TRUE(matches("/foo/bar/%62%61%7A", "/foo/bar/baz"));
  EXPECT_TRUE(matches("/foo/bar/baz", "/foo/bar/%62%61%7A"));
  EXPECT_TRUE(matches("/a%3cd.html", "/a%3Cd.html"));
  EXPECT_TRUE(matches("/a b", "/a%20b"));
  EXPECT_TRUE(matches("/100%", "/100%25"));
}

TEST(Robots, ReservedCharactersOfAPathAreNotTheirEscapes) {
  EXPECT_FALSE(matches("/a%2fb", "/a/b"));
  EXPECT_FALSE(matches("/a/b", "/a%2Fb"));
  EXPECT_TRUE(matches("/a%2fb", "/a%2Fb"));
}

// 2.2.3 special characters.
TEST(Robots, AHashBeginsAComment) {
  EXPECT_FALSE(allows("user-agent: * # all\ndisallow: /x # not here\n# disallow: /\n", "/x"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /x#y\n", "/"));
}

TEST(Robots, ADollarSignEndsTheMatch) {
  EXPECT_TRUE(matches("/this/path/exactly$", "/this/path/exactly"));
  EXPECT_FALSE(matches("/this/path/exactly$", "/this/path/exactly/not"));
  EXPECT_FALSE(matches("/this/path/exactly$", "/this/path"));
  EXPECT_TRUE(matches("/a$b", "/a$b"));
  EXPECT_FALSE(matches("/a$b", "/a"));
}

TEST(Robots, AStarMatchesAnything) {
  EXPECT_TRUE(matches("/this/*/exactly", "/this/path/exactly"));
  EXPECT_TRUE(matches("/this/*/exactly", "/this/a/b/exactly.html"));
  EXPECT_FALSE(matches("/this/*/exactly", "/this/exactly"));
  EXPECT_TRUE(matches("*.gif$", "/a/b.gif"));
  EXPECT_FALSE(matches("*.gif$", "/a/b.gif?x"));
  EXPECT_TRUE(matches("/*.php", "/index.php?x"));
  EXPECT_TRUE(matches("/a*b*c$", "/aXbXbXcXc"));
  EXPECT_FALSE(matches("/a*b*c$", "/aXcXb"));
  EXPECT_TRUE(matches("/fish*", "/fish"));
  EXPECT_TRUE(matches("/*", "/"));
  EXPECT_TRUE(matches("/**a***", "/xa"));
  EXPECT_TRUE(matches("/ab*ba$", "/abba"));
  EXPECT_FALSE(matches("/ab*ba$", "/aba"));
}

TEST(Robots, SpecialCharactersOfUrlsAreWrittenEscaped) {
  EXPECT_TRUE(matches("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"));
  EXPECT_FALSE(matches("/path/file-with-a-%2A.html", "/path/file-with-a-b.html"));
  EXPECT_TRUE(matches("/path/foo-%24", "/path/foo-$"));
  EXPECT_FALSE(matches("/path/foo-%24", "/path/foo-"));
}

// 2.2.4 other records.
TEST(Robots, OtherRecordsDoNotEndAGroup) {
  const char* text =
      "user-agent: a\nsitemap: http://a.org/s.xml\nfoo: bar\ncrawl-delay: 3\nuser-agent: b\ndisallow: /x\n";
  EXPECT_FALSE(allows(text, "/x", "a"));
  EXPECT_FALSE(allows(text, "/x", "b"));
}

TEST(Robots, SitemapsBelongToNoGroup) {
  const RobotsText text =
      parse_robots("Sitemap: http://a.org/1.xml\nuser-agent: x\nsitemap:http://a.org/2.xml?a=b:c\n");
  ASSERT_EQ(text.sitemaps.size(), 2u);
  EXPECT_EQ(text.sitemaps[0].text, "http://a.org/1.xml");
  EXPECT_EQ(text.sitemaps[1].text, "http://a.org/2.xml?a=b:c");
  EXPECT_EQ(text.sitemaps[1].line, 3u);
}

// Our choice: Crawl-delay is for the agents named above it since the last rule or Crawl-delay; of several the
// longest counts.
TEST(Robots, CrawlDelaysBelongToTheAgentsAboveThem) {
  const char* shared = "user-agent: bingbot\ncrawl-delay: 10\nuser-agent: *\ndisallow: /x\n";
  EXPECT_EQ(rules(shared).crawl_delay(), std::nullopt);
  EXPECT_EQ(rules(shared, "bingbot").crawl_delay(), 10.0);
  EXPECT_FALSE(allows(shared, "/x"));
  EXPECT_FALSE(allows(shared, "/x", "bingbot"));
  const char* two = "user-agent: a\nuser-agent: b\ncrawl-delay: 1\nuser-agent: c\ncrawl-delay: 2\n";
  EXPECT_EQ(rules(two, "a").crawl_delay(), 1.0);
  EXPECT_EQ(rules(two, "b").crawl_delay(), 1.0);
  EXPECT_EQ(rules(two, "c").crawl_delay(), 2.0);
  EXPECT_EQ(rules("user-agent: *\ndisallow: /x\ncrawl-delay: 3\ncrawl_delay: 5").crawl_delay(), 5.0);
}

// Our choice: when in doubt we wait.
TEST(Robots, ACrawlDelayMayHaveAUnit) {
  for (const char* delay : {"5s", "5 s", "5 seconds", "5, please", "5-10", "5;"}) {
    EXPECT_EQ(rules(std::string("user-agent: *\ncrawl-delay: ") + delay).crawl_delay(), 5.0) << delay;
  }
}

TEST(Robots, OfSeveralCrawlDelaysTheLongestCounts) {
  const char* text =
      "user-agent: *\ncrawl-delay: 1\nuser-agent: ExampleBot\ndisallow: /x\ncrawl-delay: 2.5\n"
      "user-agent: ExampleBot\nallow: /y\nCrawl-Delay: 0.5\n";
  EXPECT_EQ(rules("user-agent: *\ncrawl-delay: 10").crawl_delay(), 10.0);
  EXPECT_EQ(rules(text).crawl_delay(), 2.5);
  EXPECT_EQ(rules("user-agent: *\ndisallow: /x").crawl_delay(), std::nullopt);
  for (const char* bad : {"-1", "x", "", ".", "nan", "inf", "one"}) {
    EXPECT_EQ(rules(std::string("user-agent: *\ncrawl-delay: ") + bad).crawl_delay(), std::nullopt) << bad;
  }
  EXPECT_EQ(rules("user-agent: *\ncrawl-delay: 1e300").crawl_delay(), 1e9);
}

// 2.3.1 access results.
TEST(Robots, WithoutAFileTheStatusDecides) {
  EXPECT_EQ(robots_access(200), RobotsAccess::kParse);
  for (const int status : {301, 400, 401, 403, 404, 410})
    EXPECT_EQ(robots_access(status), RobotsAccess::kAllAllowed);
  for (const int status : {0, 500, 503, 599}) EXPECT_EQ(robots_access(status), RobotsAccess::kNoneAllowed);
  // Our choice: they ask for another try.
  for (const int status : {408, 421, 425, 429}) EXPECT_EQ(robots_access(status), RobotsAccess::kNoneAllowed);
}

// 2.3.1.5 parsing errors.
TEST(Robots, EveryLineThatCanBeUnderstoodCounts) {
  const char* text =
      "<html>\nuser-agent: *\n:\n: /a\ndisallow\ndisallow: x\n\x01?\x02\nfoo: bar\ndisallow: /x\n";
  EXPECT_FALSE(allows(text, "/x"));
  const RobotsText parsed = parse_robots(text);
  std::vector<std::uint32_t> lines;
  for (const RobotsRecord& complaint : parsed.complaints) lines.push_back(complaint.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 3, 4, 5, 6, 7, 8}));
}

TEST(Robots, ComplaintsAreNotWithoutEnd) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "junk\n";
  EXPECT_EQ(parse_robots(text).complaints.size(), RobotsText::kMostComplaints);
}

// Our choices, which Google's parser makes too: missing colons, common misspellings.
TEST(Robots, CommonMistakesAreUnderstoodWhereTheyRestrictUs) {
  EXPECT_FALSE(allows("user-agent *\ndisallow /x\n", "/x"));
  EXPECT_FALSE(allows("useragent: *\ndissallow: /x\n", "/x"));
  EXPECT_FALSE(allows("user-agent: *\ndisallow: /\nalow: /x\n", "/x"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow /x /y\n", "/x"));
}

// 2.5 limits.
TEST(Robots, WhatLiesBeyond500KibibytesIsIgnored) {
  std::string text = "user-agent: *\n";
  while (text.size() < kRobotsLimit - 12) text += "#\n";
  text.resize(kRobotsLimit - 12, '\n');
  EXPECT_FALSE(allows(text + "disallow: /y\ndisallow: /z\n", "/y"));
  EXPECT_TRUE(allows(text + "disallow: /y\ndisallow: /z\n", "/z"));
  EXPECT_TRUE(allows(text + "disallow: /yy\n", "/yy"));  // cut short: not a rule, and not "/y" either
  EXPECT_TRUE(allows(text + "disallow: /yy\n", "/y"));
  EXPECT_FALSE(allows(text + "disallow: /y", "/y"));
  EXPECT_TRUE(parse_robots(text + "disallow: /y\n").truncated);
  EXPECT_FALSE(parse_robots(text + "disallow: /y").truncated);
}

// 5.1 simple example.
TEST(Robots, TheExampleOfTheStandard) {
  const char* text =
      "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n"
      "User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n"
      "User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n"
      "User-Agent: quxbot\n\nEOF\n";
  EXPECT_FALSE(allows(text, "/a.gif"));
  EXPECT_FALSE(allows(text, "/example/"));
  EXPECT_TRUE(allows(text, "/publications/a.gif"));
  EXPECT_TRUE(allows(text, "/other"));
  EXPECT_TRUE(allows(text, "/example/page.html", "foobot"));
  EXPECT_FALSE(allows(text, "/other", "foobot"));
  EXPECT_FALSE(allows(text, "/example/page.html", "bazbot"));
  EXPECT_TRUE(allows(text, "/example/", "barbot"));
  EXPECT_TRUE(allows(text, "/example/a.gif", "quxbot"));
}

TEST(Robots, TheDecisionNamesItsLine) {
  const RobotsRules r = rules("user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /*.gif$\ndisallow: /a\n");
  EXPECT_EQ(r.decide("/a/x").line, 2u);
  EXPECT_EQ(r.decide("/a/b").line, 3u);
  EXPECT_EQ(r.decide("/x.gif").line, 4u);
  EXPECT_EQ(r.decide("/x").line, 0u);
}

TEST(Robots, NoPatternMakesMatchingExplode) {
  std::string stars;
  for (int i = 0; i < 1000; ++i) stars += "*a";
  const RobotsRules r = rules("user-agent: *\ndisallow: /" + stars + "b\n");
  EXPECT_TRUE(r.allows("/" + std::string(4000, 'a')));
  EXPECT_FALSE(r.allows("/" + std::string(4000, 'a') + "b"));
}

// 500 KiB of different rules, each of which fails only at the end of a long URL.
std::string slow_rules(std::string_view kind) {
  std::string file = "user-agent: *\n";
  for (unsigned number = 0; file.size() < kRobotsLimit - 100; ++number) {
    file += fmt::format("{}: ", kind);
    for (unsigned bit = 0; bit < 14; ++bit) file += (number >> bit & 1) != 0 ? "*aa" : "*a";
    file += "*b\n";
  }
  return file;
}

TEST(Robots, TheWorkOfADecisionIsBoundedAndDoubtRestricts) {
  const std::string target = "/b" + std::string(8000, 'a');
  const RobotsDecision forbidden = rules(slow_rules("disallow")).decide(target);
  EXPECT_FALSE(forbidden.allowed);
  EXPECT_LT(forbidden.work, 2 * kRobotsWork);
  const RobotsDecision not_allowed = rules(slow_rules("allow") + "disallow: /\n").decide(target);
  EXPECT_FALSE(not_allowed.allowed);
  EXPECT_LT(not_allowed.work, 2 * kRobotsWork);
  // Two thousand rules that somebody may have written are all tried.
  std::string file = "user-agent: *\n";
  for (int i = 0; i < 2000; ++i) file += fmt::format("disallow: /*?p{}=\n", i);
  const RobotsDecision allowed = rules(file).decide("/shop/list.html?q=shoes&p=1970&s=13579");
  EXPECT_TRUE(allowed.allowed);
  EXPECT_LT(allowed.work, kRobotsWork / 2);
}

// All small patterns on all small targets, then large random sets of rules.
TEST(Robots, DecidesAsTheObviousMatcherOnAllSmallPatterns) {
  const std::string_view alphabet = "/a*$";
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; i < words.size() && words[i].size() < 4; ++i) {
    for (const char c : alphabet) words.push_back(words[i] + c);
  }
  std::vector<std::string> targets;
  for (const std::string& word : words) {
    if (word.find('*') == std::string::npos && word.size() < 4) targets.push_back("/" + word);
  }
  for (const std::string& word : words) {
    const RobotsText text = parse_robots("user-agent: *\ndisallow: /" + word);
    const RobotsRules r = RobotsRules::make(text, "x");
    for (const std::string& target : targets) {
      ASSERT_EQ(r.allows(target), reference_allows(text, "x", target)) << word << " on " << target;
    }
  }
}

TEST(Robots, DecidesAsTheObviousMatcherOnRandomRules) {
  Rng rng(9309);
  const auto word = [&rng](std::string_view alphabet, std::uint64_t most) {
    std::string out;
    for (std::uint64_t n = rng.below(most + 1); n > 0; --n) out += alphabet[rng.below(alphabet.size())];
    return out;
  };
  for (int round = 0; round < 60; ++round) {
    std::string file = "user-agent: *\n";
    for (std::uint64_t n = 1 + rng.below(40); n > 0; --n) {
      file += (rng.below(2) ? "allow: /" : "disallow: /") + word(rng.below(2) ? "ab/" : "ab/*?%2F", 6) +
              (rng.below(5) == 0 ? "$" : "") + "\n";
    }
    const RobotsText text = parse_robots(file);
    const RobotsRules r = RobotsRules::make(text, "x");
    const RobotsRules again = rules(r.to_text());
    EXPECT_EQ(again.size(), r.size());
    for (int i = 0; i < 50; ++i) {
      const std::string target = "/" + word("ab/?$*%2F", 10);
      ASSERT_EQ(r.allows(target), reference_allows(text, "x", target)) << file << target;
      ASSERT_EQ(r.allows(target), again.allows(target)) << file << target;
    }
  }
}

TEST(Robots, RulesAreCompact) {
  std::string file = "user-agent: *\n";
  for (int i = 0; i < 1000; ++i) file += fmt::format("disallow: /folder-{}/\n", i);
  const RobotsRules r = rules(file);
  EXPECT_EQ(r.size(), 1000u);
  EXPECT_LT(r.memory(), 2 * file.size());
  EXPECT_LE(RobotsRules().memory(), 128u);
}

}  // namespace
}  // namespace bowerbird
