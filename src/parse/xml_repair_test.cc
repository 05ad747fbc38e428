#include "parse/xml_repair.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

// The same, however it is cut.
std::string repaired(std::string_view text) {
  std::string whole;
  XmlRepair().push(text, whole, true);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    XmlRepair repair;
    std::string out;
    repair.push(text.substr(0, cut), out, false);
    repair.push(text.substr(cut), out, true);
    EXPECT_EQ(out, whole) << "cut at " << cut;
  }
  XmlRepair repair;
  std::string out;
  for (const char& byte : text) repair.push({&byte, 1}, out, false);
  repair.push({}, out, true);
  EXPECT_EQ(out, whole);
  return whole;
}

TEST(XmlRepair, LeavesTheReferencesOfXml) {
  for (const std::string_view text :
       {"&amp;&lt;&gt;&quot;&apos;", "&#38;&#x26;&#x10FFFF;", "a<b>c</b>", ""}) {
    EXPECT_EQ(repaired(text), text);
  }
}

TEST(XmlRepair, EscapesAnAmpersandThatStartsNone) {
  EXPECT_EQ(repaired("?a=1&b=2&copy;&"), "?a=1&amp;b=2&amp;copy;&amp;");
  EXPECT_EQ(repaired("&amp &amp;amp; &AMP;"), "&amp;amp &amp;amp; &amp;AMP;");
  EXPECT_EQ(repaired("&#; &#x; &#xG; &#0; &#xD800; &#x110000; &#99999999999999999999;"),
            "&amp;#; &amp;#x; &amp;#xG; &amp;#0; &amp;#xD800; &amp;#x110000; &amp;#99999999999999999999;");
}

TEST(XmlRepair, LeavesCdataSectionsAndComments) {
  EXPECT_EQ(repaired("<![CDATA[a&b]]]>&c"), "<![CDATA[a&b]]]>&amp;c");
  EXPECT_EQ(repaired("<!-- a&b -- <![CDATA[ -->&c"), "<!-- a&b -- <![CDATA[ -->&amp;c");
  EXPECT_EQ(repaired("<![CDATA &"), "<![CDATA &amp;");
}

TEST(XmlRepair, ReplacesWhatXmlDoesNotAllow) {
  using namespace std::literals;
  EXPECT_EQ(repaired("a\0\x1B\tb\uFFFE\uFFFF\uFF01"sv), "a\uFFFD\uFFFD\tb\uFFFD\uFFFD\uFF01");
  EXPECT_EQ(repaired("<![CDATA[\x01]]>"), "<![CDATA[\uFFFD]]>");
}

}  // namespace
}  // namespace bowerbird
