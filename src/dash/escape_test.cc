#include "dash/escape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Escape, MarkupBecomesText) {
  EXPECT_EQ(html_escaped("<a href=\"x\" title='y'>&</a>"),
            "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;");
  EXPECT_EQ(html_escaped("plain ütf-8 ✓"), "plain ütf-8 ✓");
}

TEST(Escape, WhatXmlForbidsIsReplaced) {
  EXPECT_EQ(html_escaped(std::string("a\0b\x1b\x7f", 5)), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(html_escaped("tab\tand\nline"), "tab\tand\nline");
  EXPECT_EQ(html_escaped("\xff\xc3"), "\uFFFD\uFFFD");
}

TEST(Escape, JsonCannotLeaveItsScript) {
  const nlohmann::json value = {{"</script><!--", "]]> \u2028 \u2029 & <script>"}};
  const std::string text = script_json(value.dump());
  for (const char* bad : {"<", ">", "&", "\u2028", "\u2029"}) EXPECT_THAT(text, Not(HasSubstr(bad)));
  EXPECT_EQ(nlohmann::json::parse(text), value);
}

// Every code point of the first plane: no text changes its meaning.
TEST(Escape, JsonKeepsTheValueOfAnyText) {
  nlohmann::json list = nlohmann::json::array();
  for (unsigned c = 0; c < 0xd800; ++c) {
    char bytes[4] = {};
    std::string text;
    if (c < 0x80) {
      text = static_cast<char>(c);
    } else if (c < 0x800) {
      bytes[0] = static_cast<char>(0xc0 | (c >> 6));
      bytes[1] = static_cast<char>(0x80 | (c & 63));
      text.assign(bytes, 2);
    } else {
      bytes[0] = static_cast<char>(0xe0 | (c >> 12));
      bytes[1] = static_cast<char>(0x80 | ((c >> 6) & 63));
      bytes[2] = static_cast<char>(0x80 | (c & 63));
      text.assign(bytes, 3);
    }
    list.push_back(text);
  }
  EXPECT_EQ(nlohmann::json::parse(script_json(list.dump())), list);
}

}  // namespace
}  // namespace bowerbird
