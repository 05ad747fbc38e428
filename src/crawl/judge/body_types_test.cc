#include "crawl/judge/body_types.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

BodyTypes types_of(const std::vector<std::string>& names) {
  return std::move(BodyTypes::make(names)).value();
}

TEST(BodyTypes, AGroupSelectsItsTypes) {
  const BodyTypes types = types_of({"html", "image"});
  for (const char* const type : {"text/html", "application/xhtml+xml", "image/png", "image/svg+xml"}) {
    EXPECT_TRUE(types.wants(type)) << type;
  }
  for (const char* const type : {"application/pdf", "text/plain", "imagex/png", ""}) {
    EXPECT_FALSE(types.wants(type)) << type;
  }
}

TEST(BodyTypes, MediaTypesMayBeGivenExactlyOrWithAWildcard) {
  const BodyTypes types = types_of({"Application/JSON", "font/*"});
  EXPECT_TRUE(types.wants("application/json"));
  EXPECT_FALSE(types.wants("application/json5"));
  EXPECT_TRUE(types.wants("font/woff2"));
}

TEST(BodyTypes, AnySelectsEveryType) {
  EXPECT_TRUE(types_of({"any"}).wants("x/y"));
  EXPECT_FALSE(types_of({"pdf"}).wants("text/css"));
}

TEST(BodyTypes, AnUnknownWordIsAnErrorWithASuggestion) {
  const std::vector<std::string> names = {"htlm"};
  const auto bad = BodyTypes::make(names);
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().text.find("'htlm'"), std::string::npos);
  EXPECT_NE(bad.error().text.find("html"), std::string::npos);
}

TEST(BodyTypes, ATypeIsNamedAfterItsGroup) {
  EXPECT_EQ(BodyTypes::name_of("application/xhtml+xml"), "html");
  EXPECT_EQ(BodyTypes::name_of("image/gif"), "image");
  EXPECT_EQ(BodyTypes::name_of("application/zip"), "application/zip");
  EXPECT_EQ(BodyTypes::name_of(""), "html");
  EXPECT_TRUE(BodyTypes::is_html("text/html"));
  EXPECT_FALSE(BodyTypes::is_xhtml("text/html"));
}

}  // namespace
}  // namespace bowerbird
