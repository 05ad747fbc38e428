#include "parse/charset.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "parse/html_testing.h"

namespace bowerbird {
namespace {

using namespace std::literals;

std::string prescan(std::string_view bytes) {
  bool from_xml = false;
  return std::string(prescan_charset(ExactBytes(bytes).view(), from_xml));
}

std::string decoded(std::string_view charset, std::string_view bytes) {
  CharsetDecoder decoder;
  std::string utf8;
  EXPECT_TRUE(decoder.decode(charset, bytes, utf8)) << charset;
  return utf8;
}

// Encoding Standard 4.2.
TEST(Charset, LabelsAreReadInAnyCaseWithoutSurroundingSpace) {
  EXPECT_EQ(charset_of_label(" Latin1\n"), "windows-1252");
  EXPECT_EQ(charset_of_label("ISO-8859-1"), "windows-1252");
  EXPECT_EQ(charset_of_label("UTF8"), "utf-8");
  EXPECT_EQ(charset_of_label("gb2312"), "gbk");
  EXPECT_EQ(charset_of_label("utf-16"), "utf-16le");
  EXPECT_EQ(charset_of_label("utf-7"), "");
  EXPECT_EQ(charset_of_label("latin1 l1"), "");
  EXPECT_EQ(charset_of_label(""), "");
  EXPECT_EQ(charset_of_label(std::string(1000, 'x')), "");
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
  EXPECT_EQ(prescan("<script>'<meta charset=big5>'</script>"), "big5");  // the prescan knows no raw text
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
  EXPECT_EQ(choose_charset(page, "big5", "gbk").name, "gbk");
  EXPECT_EQ(choose_charset(page, "big5").name, "big5");
  EXPECT_EQ(choose_charset(page, "nonsense", "nonsense").name, "koi8-r");
  EXPECT_EQ(choose_charset("\xFF\xFEx").name, "utf-16le");
  EXPECT_EQ(choose_charset("\xFE\xFFx").name, "utf-16be");
}

// Choice of the house.
TEST(Charset, UnnamedItIsUtf8WhereValidAndWindows1252Else) {
  EXPECT_EQ(choose_charset("plain").name, "utf-8");
  EXPECT_EQ(choose_charset("caf\xC3\xA9").source, CharsetSource::kValidUtf8);
  EXPECT_EQ(choose_charset("caf\xE9 .").name, "windows-1252");
  EXPECT_EQ(choose_charset("cut in a character \xE2\x82").name, "utf-8");
  EXPECT_EQ(choose_charset("").name, "utf-8");
}

TEST(CharsetDecoder, KnowsEveryEncodingOfTheStandard) {
  for (const std::string_view name : charset_names()) {
    if (name == "replacement" || name.starts_with("utf-16")) continue;
    EXPECT_EQ(decoded(name, "plain"), "plain") << name;
  }
  EXPECT_EQ(charset_names().size(), 40u);
}

TEST(CharsetDecoder, ReadsRealText) {
  EXPECT_EQ(decoded("windows-1252", "caf\xE9 \x80 \x81"), "caf\u00E9 \u20AC \u0081");
  EXPECT_EQ(decoded("koi8-r", "\xF0\xD2\xC9\xD7\xC5\xD4"), "\u041F\u0440\u0438\u0432\u0435\u0442");
  EXPECT_EQ(decoded("windows-1251", "\xCF\x98"), "\u041F\u0098");
  EXPECT_EQ(decoded("shift_jis", "\x93\xFA\x96\x7B"), "\u65E5\u672C");
  EXPECT_EQ(decoded("euc-jp", "\xC6\xFC\xCB\xDC"), "\u65E5\u672C");
  EXPECT_EQ(decoded("iso-2022-jp", "\x1B$BF|K\\\x1B(B."), "\u65E5\u672C.");
  EXPECT_EQ(decoded("gbk", "\xD6\xD0\xCE\xC4"), "\u4E2D\u6587");
  EXPECT_EQ(decoded("big5", "\xA4\xA4\xA4\xE5"), "\u4E2D\u6587");
  EXPECT_EQ(decoded("euc-kr", "\xC7\xD1"), "\uD55C");
  EXPECT_EQ(decoded("x-user-defined", "a\xFF"), "a\uF7FF");
  EXPECT_EQ(decoded("replacement", "anything"), "\uFFFD");
}

// Encoding Standard 14.2.1.
TEST(CharsetDecoder, ReadsUtf16WithSurrogates) {
  EXPECT_EQ(decoded("utf-16le", "a\0=\xD8\0\xDE"sv), "a\U0001F600");
  EXPECT_EQ(decoded("utf-16be", "\0a\xD8=\xDE\0"sv), "a\U0001F600");
  EXPECT_EQ(decoded("utf-16le",
                    "=\xD8"
                    "a\0\0\xDE"
                    "b"sv),
            "\uFFFDa\uFFFD\uFFFD");
}

TEST(CharsetDecoder, ReplacesWhatIsInvalid) {
  EXPECT_EQ(decoded("utf-8", "a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(decoded("shift_jis", "a\xFDz"), "a\uFFFDz");
  EXPECT_EQ(decoded("gbk", "z\xD6"), "z\uFFFD");  // cut in a character
  EXPECT_EQ(decoded("windows-1253", "\xAA"), "\uFFFD");
}

TEST(CharsetDecoder, AnyBytesBecomeValidUtf8InEveryEncoding) {
  std::string bytes;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; b += 7) bytes += {static_cast<char>(a), static_cast<char>(b)};
  }
  for (const std::string_view name : charset_names()) {
    EXPECT_TRUE(is_valid_utf8(decoded(name, bytes))) << name;
  }
}

TEST(CharsetDecoder, IsUsedForOnePageAfterAnother) {
  CharsetDecoder decoder;
  std::string utf8;
  for (int i = 0; i < 3; ++i) {
    decoder.decode("iso-2022-jp", "\x1B$BF|", utf8);  // leaves the converter in Japanese
    EXPECT_EQ(utf8, "\u65E5");
    decoder.decode("koi8-r", "\xF0", utf8);
    EXPECT_EQ(utf8, "\u041F");
  }
}

TEST(CharsetDecoder, LongTextGrowsPastItsBlocks) {
  std::string bytes;
  for (int i = 0; i < 10000; ++i) bytes += "\xC6\xFC";
  EXPECT_EQ(decoded("euc-jp", bytes).size(), 30000u);
}

TEST(Charset, PlainAsciiNeedsNoConversion) {
  EXPECT_TRUE(needs_no_conversion("koi8-r", "plain"));
  EXPECT_FALSE(needs_no_conversion("koi8-r", "\xF0"));
  EXPECT_TRUE(needs_no_conversion("utf-8", "\xF0"));
  EXPECT_FALSE(needs_no_conversion("utf-16le", "plain"));
  EXPECT_FALSE(needs_no_conversion("iso-2022-jp", "plain"));
}

}  // namespace
}  // namespace bowerbird
