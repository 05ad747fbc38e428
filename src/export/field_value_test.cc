#include "export/field_value.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bowerbird {
namespace {

std::string json_of(const FieldValue& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string csv_of(const FieldValue& value) {
  std::string out;
  append_csv(out, value);
  return out;
}

TEST(FieldValue, InJson) {
  EXPECT_EQ(json_of({}), "null");
  EXPECT_EQ(json_of(true), "true");
  EXPECT_EQ(json_of(std::int64_t{-7}), "-7");
  EXPECT_EQ(json_of(0.25), "0.25");
  EXPECT_EQ(json_of(1e-9), "1e-09");
  EXPECT_EQ(json_of(std::vector<std::string>{}), "[]");
  EXPECT_EQ(json_of(std::vector<std::string>{"a", "[\"b\"]"}), "[\"a\",\"[\\\"b\\\"]\"]");
  const std::string hostile = "a\"\\\x1b\xff\n";
  EXPECT_TRUE(nlohmann::json::accept(json_of(hostile)));
}

TEST(FieldValue, InCsv) {
  EXPECT_EQ(csv_of({}), "");
  EXPECT_EQ(csv_of(false), "false");
  EXPECT_EQ(csv_of(std::int64_t{12}), "12");
  EXPECT_EQ(csv_of(std::string("a \"b\"\nc,d")), "\"a \"\"b\"\"\nc,d\"");
  EXPECT_EQ(csv_of(std::vector<std::string>{"a", "b"}), "\"a; b\"");
}

TEST(FieldValue, EmptyTextIsUnknown) {
  EXPECT_EQ(json_of(text_value("")), "null");
  EXPECT_EQ(json_of(text_value("x")), "\"x\"");
}

}  // namespace
}  // namespace bowerbird
