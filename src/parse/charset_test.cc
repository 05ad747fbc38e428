#include "parse/charset.h"

#include <gtest/gtest.h>

#include "parse/html_testing.h"

namespace bowerbird {
namespace {

using namespace std::literals;

std::string prescan(std::string_view bytes) {
  bool from_xml = false;
  const auto found = prescan_charset(ExactBytes(bytes).view(), from_xml);
  return std::string(found ? encoding_name(*found) : "");
}

// HTML standard 2.5.3.
TEST(Charset, IsTakenFromTheContentOfAMeta) {
  EXPECT_EQ(charset_in_content("text/html; charset=utf-8"), "utf-8");
  EXPECT_EQ(charset_in_content("CharSet = koi8-r ; x"), "koi8-r");
  EXPECT_EQ(charset_in_content("charset x; charset='a b' c"), "a b");
  EXPECT_EQ(charset_in_content("charset=\"a"), "");
  EXPECT_EQ(charset_in_content("charset="), "");
  EXPECT_EQ(charset_in_content("charset"), "");
  EXPECT_EQ(charset_in_content("text/html"), "");
}

// HTML standard 13.2.3.2, "prescan a byte stream to determine its encoding".
TEST(CharsetPrescan, ReadsBothFormsOfMeta) {
  EXPECT_EQ(prescan("<meta charset=koi8-r>"), "koi8-r");
  EXPECT_EQ(prescan("<META/CHARSET = 'Shift_JIS' >"), "shift_jis");
  EXPECT_EQ(prescan("<meta http-equiv=Content-Type content='text/html; charset=big5'>"), "big5");
  EXPECT_EQ(prescan("<meta content='text/html; charset=big5' http-equiv=content-type>"), "big5");
  EXPECT_EQ(prescan("<meta content='text/html; charset=big5'>"), "");  // no pragma
  EXPECT_EQ(prescan("<meta http-equiv=refresh content='charset=big5'><meta charset=utf-8>"), "utf-8");
}

TEST(CharsetPrescan, CharsetOverridesContentAndOfDuplicatesTheFirstCounts) {
  EXPECT_EQ(prescan("<meta content='charset=big5' charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("<meta charset=koi8-r charset=utf-8>"), "koi8-r");
  EXPECT_EQ(prescan("<meta charset=nonsense content='charset=big5' http-equiv=content-type>"), "");
}

TEST(CharsetPrescan, Utf16InAMetaCannotBe) {
  EXPECT_EQ(prescan("<meta charset=utf-16>"), "utf-8");
  EXPECT_EQ(prescan("<meta charset=x-user-defined>"), "windows-1252");
}

TEST(CharsetPrescan, SkipsCommentsTagsAndDeclarations) {
  EXPECT_EQ(prescan("<!-- <meta charset=big5> --><meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("<!--><meta charset=big5>"), "big5");
  EXPECT_EQ(prescan("<p title='<meta charset=big5>'><meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("</p title='<meta charset=big5>'><meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("<!x <meta charset=big5><meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("<metax charset=big5><meta charset=utf-8>"), "utf-8");
  // the prescan ignores raw text elements
  EXPECT_EQ(prescan("<script>'<meta charset=big5>'</script>"), "big5");
}

TEST(CharsetPrescan, EndsWhereTheBytesEnd) {
  EXPECT_EQ(prescan("<meta charset=utf-8"), "");
  EXPECT_EQ(prescan("<meta charset='utf-8'"), "");
  EXPECT_EQ(prescan("<meta charset"), "");
  EXPECT_EQ(prescan("<!-- "), "");
  EXPECT_EQ(prescan("<meta"), "");
  EXPECT_EQ(prescan(std::string(1010, ' ') + "<meta charset=utf-8>"), "");
  EXPECT_EQ(prescan(std::string(1000, ' ') + "<meta charset=utf-8>"), "utf-8");
}

// "Get an XML encoding".
TEST(CharsetPrescan, AnXmlDeclarationCountsWhereNoMetaDoes) {
  EXPECT_EQ(prescan("<?xml version='1.0' encoding = \"EUC-JP\"?>"), "euc-jp");
  EXPECT_EQ(prescan("<?xml encoding='euc-jp'?><meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(prescan("<?xml encoding='utf-16'?>"), "utf-8");
  EXPECT_EQ(prescan(" <?xml encoding='euc-jp'?>"), "");
  EXPECT_EQ(prescan("<?xml encoding='euc jp'?>"), "");
  EXPECT_EQ(prescan("<\0?\0x\0m\0l\0"sv), "utf-16le");
  EXPECT_EQ(prescan("\0<\0?\0x\0m\0l"sv), "utf-16be");
}

// 13.2.3.2: the order of the sources.
TEST(Charset, TheStrongestSourceDecides) {
  const std::string page = "<meta charset=koi8-r>\xC3\xA9";
  EXPECT_EQ(choose_charset("\xEF\xBB\xBF" + page, "big5", "gbk").source, CharsetSource::kByteOrderMark);
  EXPECT_EQ(choose_charset(page, "big5", "gbk").encoding, Encoding::kGbk);
  EXPECT_EQ(choose_charset(page, "big5").encoding, Encoding::kBig5);
  EXPECT_EQ(choose_charset(page, "nonsense", "nonsense").encoding, Encoding::kKoi8R);
  EXPECT_EQ(choose_charset("\xFF\xFEx").encoding, Encoding::kUtf16Le);
  EXPECT_EQ(choose_charset("\xFE\xFFx").encoding, Encoding::kUtf16Be);
}

// Our choice.
TEST(Charset, UnnamedItIsUtf8WhereValidAndWindows1252Else) {
  EXPECT_EQ(choose_charset("plain").encoding, Encoding::kUtf8);
  EXPECT_EQ(choose_charset("caf\xC3\xA9").source, CharsetSource::kValidUtf8);
  EXPECT_EQ(choose_charset("caf\xE9 .").encoding, Encoding::kWindows1252);
  EXPECT_EQ(choose_charset("cut in a character \xE2\x82").encoding, Encoding::kUtf8);
  EXPECT_EQ(choose_charset("").encoding, Encoding::kUtf8);
}

}  // namespace
}  // namespace bowerbird
