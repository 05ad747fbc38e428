#include "parse/http_head.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

std::string head_of(const std::vector<std::string_view>& lines) {
  std::string head = "HTTP/1.1 200 OK\r\n";
  for (const std::string_view line : lines) head.append(line).append("\r\n");
  return head + "\r\n";
}

TEST(HttpHead, FieldsAreFoundByNameInAnyCase) {
  const std::string head = head_of({"A: 1", "b:\t2 ", "A:", "a: 3"});
  EXPECT_EQ(head_field(head, "B"), "2");
  EXPECT_EQ(head_field(head, "c").data(), nullptr);
  EXPECT_EQ(joined_fields(head, "a"), "1, , 3");
  EXPECT_EQ(joined_fields(head, "c"), "");
}

struct TypeCase {
  std::vector<std::string_view> lines;
  std::string_view type;
  std::string_view charset;
};

// Fetch standard, "extract a MIME type", with the examples given there.
TEST(ContentTypeOfHead, IsTheLastValidOne) {
  const TypeCase cases[] = {
      {{}, "", ""},
      {{"Content-Type: text/plain;charset=gbk, text/html"}, "text/html", ""},
      {{"Content-Type: text/html;charset=gbk;a=b, text/html;x=y"}, "text/html", "gbk"},
      {{"Content-Type: text/html;charset=gbk;a=b", "Content-Type: text/html;x=y"}, "text/html", "gbk"},
      {{"Content-Type: text/html;charset=gbk", "Content-Type: x/x", "Content-Type: text/html;x=y"},
       "text/html",
       ""},
      {{"Content-Type: text/html", "Content-Type: cannot-parse"}, "text/html", ""},
      {{"Content-Type: text/html", "Content-Type: */*"}, "text/html", ""},
      {{"Content-Type: text/html", "Content-Type:"}, "text/html", ""},
      {{"Content-Type: */*"}, "", ""},
      {{"Content-Type: text/html;a=\",x/y\";charset=koi8-r"}, "text/html", "koi8-r"},
      {{"Content-Type: text/html;a=\"\\\",x/y\";charset=koi8-r, x/z"}, "x/z", ""},
      {{"Content-Type: text/html;charset=a, text/html;charset=b, text/html"}, "text/html", "a"},
  };
  for (const TypeCase& test : cases) {
    const ContentType type = content_type_of(head_of(test.lines));
    EXPECT_EQ(type.type, test.type);
    EXPECT_EQ(type.charset, test.charset);
  }
}

// Fetch standard, "determine nosniff": the first value decides.
TEST(Nosniff, IsTheFirstValue) {
  EXPECT_TRUE(says_nosniff(head_of({"X-Content-Type-Options: NoSniff"})));
  EXPECT_TRUE(says_nosniff(head_of({"X-Content-Type-Options: nosniff, other"})));
  EXPECT_FALSE(says_nosniff(head_of({"X-Content-Type-Options: other, nosniff"})));
  EXPECT_FALSE(says_nosniff(head_of({"X-Content-Type-Options: 'nosniff'"})));
  EXPECT_FALSE(says_nosniff(head_of({})));
}

std::string target_of(std::string_view location) {
  Url base, target;
  EXPECT_EQ(parse_url("http://a.example/x/y?z", nullptr, base), UrlFault::kNone);
  const std::string line = std::string("Location: ").append(location);
  return redirect_target(head_of({line}), base, target) ? target.text() : "";
}

TEST(RedirectTarget, KeepsRawBytes) {
  EXPECT_EQ(target_of("/x\xE9"), "http://a.example/x%E9");
  EXPECT_EQ(target_of("/x\xC3\xA9"), "http://a.example/x%C3%A9");
  EXPECT_EQ(target_of("?q=\xC6"), "http://a.example/x/y?q=%C6");
  EXPECT_EQ(target_of("http://b\xC3\xBC"
                      "cher.example/"),
            "http://xn--bcher-kva.example/");
  EXPECT_EQ(target_of("http://b\xFC"
                      "cher.example/"),
            "");
}

TEST(RedirectTarget, IsRelativeToThePage) {
  EXPECT_EQ(target_of("../w#part"), "http://a.example/w");
  EXPECT_EQ(target_of("//b.example"), "http://b.example/");
  EXPECT_EQ(target_of(""), "");
  EXPECT_EQ(target_of("mailto:x@a.example"), "");
}

}  // namespace
}  // namespace bowerbird
