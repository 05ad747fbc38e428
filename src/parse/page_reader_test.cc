#include "parse/page_reader.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(PageReader, ConvertsBeforeItScans) {
  PageReader reader;
  HtmlPage page;
  const CharsetChoice choice =
      reader.read("<meta charset=koi8-r><title>\xF0</title><a href='\xF0'>\xD2</a>", {}, page);
  EXPECT_EQ(choice.encoding, Encoding::kKoi8R);
  EXPECT_EQ(choice.source, CharsetSource::kMeta);
  EXPECT_EQ(page.title, "\u041F");
  EXPECT_EQ(page.href(page.links.at(0)), "\u041F");
  EXPECT_EQ(page.text, "\u0440");
}

TEST(PageReader, SkipsAByteOrderMark) {
  PageReader reader;
  HtmlPage page;
  reader.read("\xEF\xBB\xBFx", {}, page);
  EXPECT_EQ(page.text, "x");
  reader.read(std::string_view("\xFF\xFE<\0b\0>\0x\0", 10), {}, page);
  EXPECT_EQ(page.text, "x");
}

TEST(PageReader, DecodesAtOnceAndScansLater) {
  PageReader reader;
  HtmlPage page;
  ASSERT_TRUE(reader.decode("<meta charset=koi8-r><title>\xF0</title><a href='\xF0'>\xD2</a>", {}));
  EXPECT_EQ(reader.utf8(), "<meta charset=koi8-r><title>\u041F</title><a href='\u041F'>\u0440</a>");
  reader.scan(page);
  EXPECT_EQ(page.encoding, Encoding::kKoi8R);
  EXPECT_EQ(page.title, "\u041F");
  EXPECT_EQ(page.text, "\u0440");
  EXPECT_FALSE(reader.decode("<p>no charset is named", {}));
  EXPECT_FALSE(reader.decode("<html/>", {"utf-8", "", true}));
}

// HTML standard 13.2.3.4, "changing the encoding while parsing".
TEST(PageReader, ALateMetaDecidesWhereNothingElseDid) {
  PageReader reader;
  HtmlPage page;
  const std::string html = "<p>" + std::string(2000, ' ') + "<meta charset=koi8-r>\xF0";
  EXPECT_EQ(reader.read(html, {}, page).source, CharsetSource::kLateMeta);
  EXPECT_EQ(page.text, "\u041F");
  EXPECT_EQ(reader.read(html, {"windows-1251", ""}, page).encoding, Encoding::kWindows1251);
  EXPECT_EQ(page.text, "\u0440");
  const std::string plain = "<p>" + std::string(2000, ' ') + "<meta charset=koi8-r>x";
  EXPECT_EQ(reader.read(plain, {}, page).encoding, Encoding::kKoi8R);
  EXPECT_EQ(page.text, "x");
  EXPECT_EQ(page.encoding, Encoding::kKoi8R);
}

// The page is read as UTF-8, although it is no valid UTF-8.
TEST(PageReader, ALateMetaMayNameUtf8) {
  PageReader reader;
  HtmlPage page;
  for (const std::string label : {"utf-8", "utf-16"}) {
    const std::string html = "<p>" + std::string(2000, ' ') + "<meta charset=" + label + ">\xFF\xC3\xA9";
    EXPECT_EQ(reader.read(html, {}, page).encoding, Encoding::kUtf8);
    EXPECT_EQ(page.text, "\uFFFD\u00E9");
  }
}

}  // namespace
}  // namespace bowerbird
