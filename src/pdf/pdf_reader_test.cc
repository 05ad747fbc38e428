#include "pdf/pdf_reader.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "pdf/pdf_testing.h"

namespace bowerbird {
namespace {

TEST(PdfReader, ReadsTextAndLinks) {
  const PdfReader reader;
  if (!reader.available()) GTEST_SKIP() << "poppler-utils is not installed";
  const std::string pdf = small_pdf("Of bowers", "1 < 2 & a bird", "http://bower.example/?a=1&b=2");
  const auto text = reader.text(pdf);
  ASSERT_TRUE(text.ok()) << text.error().text;
  EXPECT_EQ(text->text.substr(0, 23), "1 < 2 & a bird\nRead on\n");
  EXPECT_NE(text->head.find("<title>Of bowers</title>"), std::string::npos) << text->head;
  EXPECT_NE(text->head.find("Ada Bird"), std::string::npos);
  const auto links = reader.links(pdf);
  ASSERT_TRUE(links.ok()) << links.error().text;
  EXPECT_NE(links->find("href=\"http://bower.example/?a=1&amp;b=2\""), std::string::npos) << *links;
}

TEST(PdfReader, ReportsFilesThatAreNotPdf) {
  const PdfReader reader;
  if (!reader.available()) GTEST_SKIP() << "poppler-utils is not installed";
  EXPECT_FALSE(reader.text("no PDF").ok());
  EXPECT_FALSE(reader.text("").ok());
}

}  // namespace
}  // namespace bowerbird
