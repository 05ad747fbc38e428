#include "parse/text/plain_facts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using Names = std::vector<std::string>;

TEST(PlainFacts, FieldsAreAskedFirst) {
  const DocumentFacts book = read_plain_facts(
      "The Project\n\nTitle: A Long Story\nAuthor: Ann Lee\nRelease date: June 1, 1994\n\nCHAPTER I\n");
  EXPECT_EQ(book.title, "A Long Story");
  EXPECT_EQ(book.authors, Names{"Ann Lee"});
  EXPECT_EQ(book.published, "1994-06-01");
  const DocumentFacts mail =
      read_plain_facts("From: Ann Lee <ann@a.example>\nSubject: \"Re: x\"\n\nHello.\n");
  EXPECT_EQ(mail.title, "Re: x");
  EXPECT_EQ(mail.authors, Names{"Ann Lee"});
}

TEST(PlainFacts, HeadingsAndFirstLinesAreTitles) {
  EXPECT_EQ(read_plain_facts("\n\nHow to build\n============\n\ntext\n").title, "How to build");
  EXPECT_EQ(read_plain_facts("[badge]\n\n# How to build\ntext\n").title, "How to build");
  EXPECT_EQ(read_plain_facts("  A Tale\n\nby Ann Lee\n\nIt was.\n").title, "A Tale");
  EXPECT_EQ(read_plain_facts("  A Tale\n\nby Ann Lee\n\nIt was.\n").authors, Names{"Ann Lee"});
}

TEST(PlainFacts, OtherTextsHaveNoTitle) {
  for (const char* text :
       {"", "\n\n", "This is a sentence that begins a text.\n\nMore.\n", "first line\nsecond line\n",
        "User-agent: *\nDisallow: /\n", "a\tb\tc\n\n1\t2\t3\n", "int main() {\n\n}\n", "-----\n\n-----\n",
        "#!/bin/sh\n# starts it\n\nrun\n"}) {
    EXPECT_EQ(read_plain_facts(text).title, "") << text;
    EXPECT_TRUE(read_plain_facts(text).authors.empty()) << text;
  }
}

}  // namespace
}  // namespace bowerbird
