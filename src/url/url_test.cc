// Clauses are those of the WHATWG URL Standard (https://url.spec.whatwg.org/).
#include "url/url.h"

#include <gtest/gtest.h>

#include "base/ascii.h"

namespace bowerbird {
namespace {

// The serialisation, or the fault in brackets.
std::string parsed(std::string_view input, std::string_view base = {}) {
  Url base_url;
  if (!base.empty()) {
    EXPECT_EQ(parse_url(base, nullptr, base_url), UrlFault::kNone) << base;
  }
  Url url;
  const UrlFault fault = parse_url(input, base.empty() ? nullptr : &base_url, url);
  if (fault != UrlFault::kNone) {
    EXPECT_TRUE(url.empty());
    return "<" + std::string(fault_text(fault)) + ">";
  }
  return url.text();
}

UrlFault fault_of(std::string_view input) {
  Url url;
  return parse_url(input, nullptr, url);
}

TEST(Url, HasParts) {
  Url url;
  ASSERT_EQ(parse_url("https://user:pa%20ss@Example.ORG:8443/a/b.html?x=1&y#top", nullptr, url),
            UrlFault::kNone);
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "pa%20ss");
  EXPECT_EQ(url.hostname(), "example.org");
  EXPECT_EQ(url.host(), "example.org:8443");
  EXPECT_EQ(url.port(), 8443);
  EXPECT_EQ(url.origin(), "https://example.org:8443");
  EXPECT_EQ(url.path(), "/a/b.html");
  EXPECT_EQ(url.query(), "x=1&y");
  EXPECT_EQ(url.target(), "/a/b.html?x=1&y");
  EXPECT_EQ(url.fragment(), "top");
  EXPECT_EQ(url.depth(), 2u);
}

TEST(Url, PartsThatAreMissingAreEmpty) {
  Url url;
  ASSERT_EQ(parse_url("http://example.org", nullptr, url), UrlFault::kNone);
  EXPECT_FALSE(url.has_credentials());
  EXPECT_EQ(url.username(), "");
  EXPECT_EQ(url.password(), "");
  EXPECT_EQ(url.port(), 80);
  EXPECT_EQ(url.path(), "/");
  EXPECT_FALSE(url.has_query());
  EXPECT_EQ(url.query(), "");
  EXPECT_FALSE(url.has_fragment());
  EXPECT_EQ(url.depth(), 0u);
  ASSERT_EQ(parse_url("http://example.org/?#", nullptr, url), UrlFault::kNone);
  EXPECT_TRUE(url.has_query());
  EXPECT_TRUE(url.has_fragment());
  EXPECT_EQ(url.text(), "http://example.org/?#");
}

// 4.4 step 1: C0 controls and spaces at the ends; step 3: tabs and newlines anywhere.
TEST(Url, BlankEndsAndTabsAndLineEndsAreRemoved) {
  EXPECT_EQ(parsed(" \x01\thttp://a/b \r\n"), "http://a/b");
  EXPECT_EQ(parsed("ht\ntp:/\t/a/b\rc"), "http://a/bc");
  EXPECT_EQ(parsed(std::string_view("\0http://a/", 10)), "http://a/");
}

TEST(Url, InputIsDecodedBeforeTabsAreRemoved) {
  EXPECT_EQ(parsed("http://a/\xc3\t\xa9"), "http://a/%EF%BF%BD%EF%BF%BD");
}

// 4.4 scheme state.
TEST(Url, OtherSchemesAreTurnedDown) {
  for (const char* input : {"mailto:a@b.example", "javascript:void(0)", "data:text/html,x", "ftp://a/",
                            "file:///x", "ws://a/", "localhost:8080/x", "c:\\x", "tel:1", "a+b.c-1:x"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kScheme) << input;
  }
}

TEST(Url, TheCaseOfTheSchemeDoesNotMatter) {
  EXPECT_EQ(parsed("HtTpS://a/"), "https://a/");
}

TEST(Url, WithoutASchemeItIsRelative) {
  EXPECT_EQ(fault_of("//a/"), UrlFault::kRelative);
  EXPECT_EQ(fault_of(""), UrlFault::kRelative);
  EXPECT_EQ(fault_of("1http://a/"), UrlFault::kRelative);
  EXPECT_EQ(parsed("ht tp://a/", "http://b/c"), "http://b/ht%20tp://a/");
}

// 4.4 special authority slashes and special authority ignore slashes states.
TEST(Url, AnyNumberOfSlashesAndBackslashesMayStandBeforeTheHost) {
  for (const char* input : {"http:a/b", "http:/a/b", "http:///a/b", "http:\\\\a\\b", "http:/\\/a/b"}) {
    EXPECT_EQ(parsed(input), "http://a/b") << input;
  }
}

// 4.4 special relative or authority state.
TEST(Url, ASchemeWithoutSlashesIsRelativeToABaseOfTheSameScheme) {
  EXPECT_EQ(parsed("http:x", "http://a/b/c"), "http://a/b/x");
  EXPECT_EQ(parsed("http:/x", "http://a/b/c"), "http://a/x");
  EXPECT_EQ(parsed("http:x", "https://a/b/c"), "http://x/");
}

// 4.4 relative and relative slash states; RFC 3986, section 5.4 has most of these examples.
TEST(Url, RelativeReferencesResolve) {
  const std::string_view base = "http://a/b/c/d;p?q#f";
  const std::pair<const char*, const char*> examples[] = {
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"g?y#s", "http://a/b/c/g?y#s"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"\\g", "http://a/g"},
      {"\\\\g\\h", "http://g/h"},
  };
  for (const auto& [input, expected] : examples) EXPECT_EQ(parsed(input, base), expected) << input;
}

TEST(Url, ARelativeReferenceKeepsUserAndPort) {
  EXPECT_EQ(parsed("x", "http://u:p@a:81/b"), "http://u:p@a:81/x");
}

// 4.4 path state; 4.2 single-dot and double-dot URL path segments.
TEST(Url, DotSegmentsResolveInEverySpelling) {
  EXPECT_EQ(parsed("http://a/b/%2e%2E/c/.%2e/%2e"), "http://a/");
  EXPECT_EQ(parsed("http://a/b/..."), "http://a/b/...");
  EXPECT_EQ(parsed("http://a/.b/../c"), "http://a/c");
  EXPECT_EQ(parsed("http://a/../../b"), "http://a/b");
  EXPECT_EQ(parsed("http://a//b//../c"), "http://a//b/c");
}

TEST(Url, BackslashesInThePathAreSlashes) {
  EXPECT_EQ(parsed("http://a\\b\\..\\c?d\\e#\\f"), "http://a/c?d\\e#\\f");
}

// 1.3 percent-encode sets.
TEST(Url, EachPartHasItsOwnSetOfCharactersToEscape) {
  EXPECT_EQ(parsed("http://a/ \"#<>?`{}^'|"), "http://a/%20%22#%3C%3E?%60{}^'|");
  EXPECT_EQ(parsed("http://a/<>`{}^|'~[]"), "http://a/%3C%3E%60%7B%7D%5E|'~[]");
  EXPECT_EQ(parsed("http://a/? \"<>'`{}^|"), "http://a/?%20%22%3C%3E%27`{}^|");
  EXPECT_EQ(parsed("http://a/\x7f?\x1f"), "http://a/%7F?");
  EXPECT_EQ(parsed("http://u;=[]|^:p:@a/"), "http://u%3B%3D%5B%5D%7C%5E:p%3A@a/");
}

TEST(Url, EscapesAreKept) {
  EXPECT_EQ(parsed("http://a/%7e%zz%?%c3%"), "http://a/%7e%zz%?%c3%");
}

TEST(Url, OtherCharactersAreEscapedAsUtf8) {
  EXPECT_EQ(parsed("http://a/\xc3\xa9?\xe2\x98\x83#\xf0\x9f\x92\xa9"),
            "http://a/%C3%A9?%E2%98%83#%F0%9F%92%A9");
  EXPECT_EQ(parsed("http://a/\xff\xc3"), "http://a/%EF%BF%BD%EF%BF%BD");
}

// 4.4 authority state.
TEST(Url, TheLastAtSignEndsTheUser) {
  EXPECT_EQ(parsed("http://a@b@c/"), "http://a%40b@c/");
  EXPECT_EQ(parsed("http://@c/"), "http://c/");
  EXPECT_EQ(parsed("http://:@c/"), "http://c/");
  EXPECT_EQ(parsed("http://u:@c/"), "http://u@c/");
  EXPECT_EQ(parsed("http://:p@c/"), "http://:p@c/");
  EXPECT_EQ(fault_of("http://u@/"), UrlFault::kHostMissing);
}

// 4.4 port state.
TEST(Url, PortsAreNumbersAndTheSchemesOwnIsDropped) {
  EXPECT_EQ(parsed("http://a:80/"), "http://a/");
  EXPECT_EQ(parsed("https://a:443/"), "https://a/");
  EXPECT_EQ(parsed("http://a:443/"), "http://a:443/");
  EXPECT_EQ(parsed("http://a:/"), "http://a/");
  EXPECT_EQ(parsed("http://a:0008080/"), "http://a:8080/");
  EXPECT_EQ(parsed("http://a:0/"), "http://a:0/");
  for (const char* input : {"http://a:65536/", "http://a:8x/", "http://a:-1/", "http://a:1:2/"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kPort) << input;
  }
}

// 3.5 host parser.
TEST(Url, AHostMustBeThere) {
  for (const char* input : {"http://", "http:", "https:///", "http://?x", "http://#x", "http://:80/"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kHostMissing) << input;
  }
}

TEST(Url, ForbiddenDomainCodePointsAreFaults) {
  for (const char* input : {"http://a b/", "http://a<b/", "http://a|b/", "http://a^b/", "http://a%00b/",
                            "http://a%2fb/", "http://a%zz/", "http://a]b/"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kHostCharacter) << input;
  }
  EXPECT_EQ(parsed("http://a_b!$&'()*+,;=~/"), "http://a_b!$&'()*+,;=~/");
}

// 3.3 domain to ASCII (UTS #46, nontransitional).
TEST(Url, InternationalNamesBecomePunycode) {
  EXPECT_EQ(parsed("http://B\xc3\xbc"
                   "cher.example/"),
            "http://xn--bcher-kva.example/");
  EXPECT_EQ(parsed("http://fa\xc3\x9f.de/"), "http://xn--fa-hia.de/");
  EXPECT_EQ(parsed("http://\xe2\x98\x83.net/"), "http://xn--n3h.net/");
  EXPECT_EQ(parsed("http://%E2%98%83.net/"), "http://xn--n3h.net/");
  EXPECT_EQ(parsed("http://\xef\xbc\xa7\xef\xbd\x8f.com/"), "http://go.com/");                   // full width
  EXPECT_EQ(parsed("http://\xe6\x97\xa5\xe6\x9c\xac\xe3\x80\x82jp/"), "http://xn--wgv71a.jp/");  // U+3002
  EXPECT_EQ(parsed("http://a\xc2\xad"
                   "b/"),
            "http://ab/");  // soft hyphen
  EXPECT_EQ(parsed("http://XN--N3H.net/"), "http://xn--n3h.net/");
}

// 3.3, domain to ASCII: a name that is all ASCII is lowered and accepted, whatever UTS #46 says of its labels
// (whatwg/url#914).
TEST(Url, AsciiNamesWithLabelsThatAreNoPunycodeAreAccepted) {
  for (const char* input : {"http://xn--a/", "http://xn--/", "http://xn---/", "http://xn--99/",
                            "http://xn--a$/", "http://xn--nest_/", "http://www.xn--a.example/"}) {
    EXPECT_EQ(parsed(input), input);
  }
}

// Each of these labels decodes to a name that UTS #46 refuses.
TEST(Url, AsciiNamesWithLabelsThatBreakIdnaAreAccepted) {
  for (const char* input : {
           "http://xn--ird-r76s.example/",  // a full-width letter, which is mapped
           "http://xn--NEST-jna/",          // capital letters
           "http://xn--abcd-676a/",         // a joiner between Latin letters
           "http://xn--shop-otf/",          // mixed directions
           "http://xn--mark-uvc/",          // a combining mark at the front
           "http://xn--q-pib/",             // a code point that is not assigned
           "http://xn--z-p10i/",            // U+FFFD
           "http://xn--abc-/",              // nothing that needs Punycode
           "http://xn--xn--ird-r76s-/",     // Punycode in Punycode
           "http://1.xn--4db/",             // a number in front of a label from right to left
       }) {
    const std::string answer = parsed(input);
    EXPECT_EQ(answer, lowered(input));
    EXPECT_EQ(parsed(answer), answer);
  }
}

TEST(Url, AsciiNamesAreLowered) {
  EXPECT_EQ(parsed("http://XN--A/"), "http://xn--a/");
  EXPECT_EQ(parsed("http://Xn--8I7CAA.Example/"), "http://xn--8i7caa.example/");
  EXPECT_EQ(parsed("http://xn--%61/"), "http://xn--a/");  // escapes are decoded before
  EXPECT_EQ(parsed("http://%58%4E--%41/"), "http://xn--a/");
}

TEST(Url, AsciiNamesHaveNoLengthLimitInTheParser) {
  const std::string label(70, 'x');
  EXPECT_EQ(parsed("http://xn--" + label + "/"), "http://xn--" + label + "/");
  EXPECT_EQ(parsed("http://a..xn--a./"), "http://a..xn--a./");
}

TEST(Url, AsciiNamesMayNotContainForbiddenCharacters) {
  for (const char* input :
       {"http://xn--a b/", "http://xn--a%/", "http://xn--a%7C/", "http://xn--a^/", "http://xn--a%00/",
        "http://xn--<a/", "http://xn--a%2F/", "http://xn--a%7f/", "http://xn--%25/"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kHostCharacter) << input;
  }
}

TEST(Url, AsciiNamesThatEndInANumberAreAddresses) {
  EXPECT_EQ(fault_of("http://xn--a.1/"), UrlFault::kIpv4);
  EXPECT_EQ(fault_of("http://xn--a.0x1f/"), UrlFault::kIpv4);
  EXPECT_EQ(parsed("http://xn--a.1a/"), "http://xn--a.1a/");
}

// One character that is not ASCII, and all labels must be valid.
TEST(Url, InvalidLabelsNextToCharactersThatAreNotAsciiAreFaults) {
  for (const char* input :
       {"http://xn--a.\xc3\xbc/", "http://\xc3\xbc.xn--8i7caa/", "http://xn--a%C3%BC/",
        "http://xn--a\xe3\x80\x82"
        "example/",                  // an ideographic full stop
        "http://xn--a\xc2\xad/",     // a soft hyphen, which is ignored
        "http://\xef\xbd\x98n--a/",  // a full-width x
        "http://xn--.\xc3\xbc/", "http://xn--abc-.\xc3\xbc/", "http://xn--t\xc3\xa4st/"}) {
    EXPECT_EQ(fault_of(input), UrlFault::kHostName) << input;
  }
  EXPECT_EQ(parsed("http://xn--bcher-kva.\xc3\xbc/"), "http://xn--bcher-kva.xn--tda/");
}

// UTS #46 as changed by Unicode 15.1 and 16.
TEST(Url, MappingsNewerThanIcuAreKnown) {
  EXPECT_EQ(parsed("http://fa\xe1\xba\x9e.de/"), "http://xn--fa-hia.de/");            // capital sharp s
  EXPECT_EQ(parsed("http://\xd3\x80.example/"), parsed("http://\xd3\x8f.example/"));  // palochka
  EXPECT_EQ(parsed("http://\xe1\x82\xa1.example/"), parsed("http://\xe2\xb4\x81.example/"));  // Georgian
  EXPECT_EQ(parsed("http://a\xe2\x81\xa3z/"), "http://az/");  // invisible separator
}

TEST(Url, NamesThatBreakIdnaAreFaults) {
  EXPECT_EQ(fault_of("http://xn--a.\xc3\xbc/"), UrlFault::kHostName);
  EXPECT_EQ(fault_of("http://\xff.com/"), UrlFault::kHostName);
  EXPECT_EQ(fault_of("http://a\xd7\x90.com/"), UrlFault::kHostName);  // mixed direction
  EXPECT_EQ(fault_of("http://\xcc\x81.com/"), UrlFault::kHostName);   // a mark at the front
  EXPECT_EQ(fault_of("http://\xc2\xad/"), UrlFault::kHostName);       // nothing left
}

TEST(Url, HyphensAreNotLookedAt) {
  EXPECT_EQ(parsed("http://-a-.ab--cd.com/"), "http://-a-.ab--cd.com/");
}

// 3.5 IPv4 parser.
TEST(Url, Ipv4AddressesInEveryForm) {
  for (const char* host :
       {"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0X7F000001", "017700000001", "0177.0.0.0x1",
        "127.0.0.1.", "%31%32%37.1", "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1"}) {
    EXPECT_EQ(parsed("http://" + std::string(host) + "/"), "http://127.0.0.1/") << host;
  }
  EXPECT_EQ(parsed("http://0x/"), "http://0.0.0.0/");
}

TEST(Url, AHostThatEndsInANumberIsAnAddressOrNothing) {
  for (const char* host : {"256.0.0.1", "1.2.3.4.5", "4294967296", "1.2.3.256", "a.1", "1..2", "08", "a.0x1",
                           "1.256.1.1", "99999999999999999999999999"}) {
    EXPECT_EQ(fault_of("http://" + std::string(host) + "/"), UrlFault::kIpv4) << host;
  }
  EXPECT_EQ(parsed("http://1.a/"), "http://1.a/");
  EXPECT_EQ(parsed("http://1.2.3.4x/"), "http://1.2.3.4x/");
  EXPECT_EQ(parsed("http://a.1../"), "http://a.1../");
}

// 3.5 IPv6 parser, 3.6 IPv6 serializer.
TEST(Url, Ipv6AddressesAreCompressed) {
  const std::pair<const char*, const char*> examples[] = {
      {"[::]", "[::]"},
      {"[::1]", "[::1]"},
      {"[1::]", "[1::]"},
      {"[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"},
      {"[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"},
      {"[0:1:0:1:0:1:0:1]", "[0:1:0:1:0:1:0:1]"},
      {"[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"},
      {"[::ffff:127.0.0.1]", "[::ffff:7f00:1]"},
      {"[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]"},
      {"[0001::0ab]", "[1::ab]"},
  };
  for (const auto& [host, expected] : examples) {
    EXPECT_EQ(parsed(std::string("http://") + host + ":81/"), std::string("http://") + expected + ":81/");
  }
}

TEST(Url, BracketsWithoutAnIpv6AddressAreAFault) {
  for (const char* host : {"[",
                           "[]",
                           "[1]",
                           "[::1",
                           "[:1]",
                           "[1:]",
                           "[1:2:3:4:5:6:7]",
                           "[1:2:3:4:5:6:7:8:9]",
                           "[::1::]",
                           "[12345::]",
                           "[::g]",
                           "[::1.2.3]",
                           "[::1.2.3.4.5]",
                           "[::01.2.3.4]",
                           "[::256.1.1.1]",
                           "[::1]x",
                           "[1:2:3:4:5:6:7:1.2.3.4]",
                           "[::1%25eth0]",
                           "[:::]",
                           "[::.1.2.3]",
                           "[::1.2.3.]",
                           "[::1.]"}) {
    EXPECT_EQ(fault_of("http://" + std::string(host) + "/"), UrlFault::kIpv6) << host;
  }
}

TEST(Url, ParsingTheSerialisationChangesNothing) {
  for (const char* input : {"http://a/b c?d e#f g",
                            "https://u:p@B\xc3\xbc"
                            "cher.de:8080/x/../y",
                            "http://[::1]:81//..//a"}) {
    const std::string once = parsed(input);
    Url again;
    ASSERT_EQ(parse_url(once, nullptr, again), UrlFault::kNone);
    EXPECT_EQ(again.text(), once);
    EXPECT_EQ(again.notes(), 0u) << input;
  }
}

TEST(Url, NotesTellWhatWasDone) {
  const std::pair<const char*, std::uint32_t> examples[] = {
      {" http://a/", kNoteTrimmed},      {"http://a/\tb", kNoteTabs},        {"HTTP://a/", kNoteScheme},
      {"http:/a/", kNoteSlashes},        {"http://a\\b", kNoteSlashes},      {"http://A/", kNoteHostCase},
      {"http://%61/", kNoteHostEscapes}, {"http://\xc3\xa9/", kNoteIdna},    {"http://0/", kNoteAddress},
      {"http://[0::1]/", kNoteAddress},  {"http://a:80/", kNoteDefaultPort}, {"http://a:/", kNoteEmptyPort},
      {"http://a:081/", kNotePortZeros}, {"http://a/./b", kNoteDots},        {"http://a/b c", kNoteEncoded},
      {"http://a/b?x=%7e#y", 0},
  };
  for (const auto& [input, notes] : examples) {
    Url url;
    ASSERT_EQ(parse_url(input, nullptr, url), UrlFault::kNone) << input;
    EXPECT_EQ(url.notes(), notes) << input;
    EXPECT_EQ(note_texts(notes).size(), notes == 0 ? 0u : 1u);
  }
}

std::string query_in(Encoding encoding, std::string_view link) {
  Url url;
  EXPECT_EQ(parse_url(link, nullptr, url, encoding), UrlFault::kNone) << link;
  return std::string(url.query());
}

// 1.3, "percent-encode after encoding".
TEST(Url, TheQueryIsWrittenInTheEncodingOfThePage) {
  EXPECT_EQ(query_in(Encoding::kUtf8, "http://a/?q=\u0416"), "q=%D0%96");
  EXPECT_EQ(query_in(Encoding::kWindows1251, "http://a/?q=\u0416"), "q=%C6");
  EXPECT_EQ(query_in(Encoding::kKoi8R, "http://a/?q=\u0416&%D0%96 '"), "q=%F6&%D0%96%20%27");
  EXPECT_EQ(query_in(Encoding::kEucJp, "http://a/?\u65E5"), "%C6%FC");
  EXPECT_EQ(query_in(Encoding::kBig5, "http://a/?\u4E2D"), "%A4%A4");
  // The second byte of a character may be ASCII.
  EXPECT_EQ(query_in(Encoding::kShiftJis, "http://a/?\u672C\u8868"), "%96{%95\\");
}

TEST(Url, WhatTheEncodingOfThePageLacksIsAReferenceInTheQuery) {
  EXPECT_EQ(query_in(Encoding::kWindows1252, "http://a/?\u203D\u00E9"), "%26%238253%3B%E9");
  EXPECT_EQ(query_in(Encoding::kWindows1251, "http://a/?\xFF"), "%26%2365533%3B");
  EXPECT_EQ(query_in(Encoding::kGbk, "http://a/?\U0001F4A9"), "%26%23128169%3B");
  EXPECT_EQ(query_in(Encoding::kGb18030, "http://a/?\U0001F4A9"), "%949%DA3");
}

// The character set is changed back at the end, and where a reference is written.
TEST(Url, TheQueryOfAnIso2022JpPageIsInEscapeSequences) {
  EXPECT_EQ(query_in(Encoding::kIso2022Jp, "http://a/?a\u65E5b"), "a%1B$BF|%1B(Bb");
  EXPECT_EQ(query_in(Encoding::kIso2022Jp, "http://a/?\u00A5"), "%1B(J\\%1B(B");
  EXPECT_EQ(query_in(Encoding::kIso2022Jp, "http://a/?\u65E5\U0001F4A9"), "%1B$BF|%1B(B%26%23128169%3B");
  EXPECT_EQ(query_in(Encoding::kIso2022Jp, "http://a/?\u00A5\U0001F4A9"), "%1B(J\\%26%23128169%3B%1B(B");
  EXPECT_EQ(query_in(Encoding::kIso2022Jp, "http://a/?x\x0Ez"), "x%26%2365533%3Bz");
}

TEST(Url, EncodingsThatCannotBeWrittenCountAsUtf8) {
  for (const Encoding encoding : {Encoding::kUtf16Be, Encoding::kUtf16Le, Encoding::kReplacementEncoding}) {
    EXPECT_EQ(query_in(encoding, "http://a/?\u0416"), "%D0%96");
  }
}

TEST(Url, TheOtherPartsAreAlwaysUtf8) {
  Url url;
  ASSERT_EQ(parse_url("http://\u0416:\u0416@a/\u0416?\u0416#\u0416", nullptr, url, Encoding::kWindows1251),
            UrlFault::kNone);
  EXPECT_EQ(url.text(), "http://%D0%96:%D0%96@a/%D0%96?%C6#%D0%96");
}

TEST(Url, AHugeInputIsTurnedDown) {
  EXPECT_EQ(fault_of("http://a/" + std::string(kLongestUrlInput, 'x')), UrlFault::kTooLong);
  EXPECT_EQ(fault_of("http://" + std::string(100000, '\xc3') + "/"), UrlFault::kHostName);
}

TEST(Url, TheSameObjectTakesOneUrlAfterTheOther) {
  Url url;
  ASSERT_EQ(parse_url("https://u:p@a:1/b?c#d", nullptr, url), UrlFault::kNone);
  ASSERT_EQ(parse_url("http://e", nullptr, url), UrlFault::kNone);
  EXPECT_EQ(url.text(), "http://e/");
  EXPECT_FALSE(url.has_credentials());
  EXPECT_FALSE(url.https());
  EXPECT_FALSE(url.has_query());
  EXPECT_FALSE(url.has_fragment());
}

}  // namespace
}  // namespace bowerbird
