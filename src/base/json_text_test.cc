#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bowerbird {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonText, EveryByteIsReadBackByAJsonLibrary) {
  for (int byte = 0; byte < 128; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    EXPECT_EQ(nlohmann::json::parse(json(text)).get<std::string>(), text);
  }
}

TEST(JsonText, NonAsciiTextIsKeptAndInvalidUtf8IsReplaced) {
  EXPECT_EQ(json("h\xc3\xa9"), "\"h\xc3\xa9\"");
  EXPECT_EQ(json("\xff|\xc3"), "\"\xef\xbf\xbd|\xef\xbf\xbd\"");
}

TEST(JsonText, NothingIsAnEmptyString) {
  EXPECT_EQ(json(""), "\"\"");
}

TEST(JsonText, NestingIsCountedOutsideOfStrings) {
  EXPECT_TRUE(is_shallow_json(R"({"a": "[[[[\"[[[", "b": [1]})", 2));
  EXPECT_FALSE(is_shallow_json("[[[]]]", 2));
  EXPECT_TRUE(is_shallow_json("[][][]", 1));
}

}  // namespace
}  // namespace bowerbird
