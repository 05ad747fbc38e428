// The contract of the live page's API, src/dash/assets/live/openapi.json.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "dash/assets.h"

namespace bowerbird {
namespace {

using Json = nlohmann::json;

// Calls visit(text) for each reference in the file.
template <typename Visit>
void each_reference(const Json& json, const Visit& visit) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object() && key == "$ref") visit(value.get<std::string>());
    if (value.is_structured()) each_reference(value, visit);
  }
}

TEST(LiveContract, EveryReferenceIsDefinedAndEveryDefinitionIsUsed) {
  const Json api = Json::parse(asset("live/openapi.json"));
  std::set<std::string> used;
  each_reference(api, [&](const std::string& reference) {
    ASSERT_TRUE(reference.starts_with("#/")) << reference;
    EXPECT_TRUE(api.contains(Json::json_pointer(reference.substr(1)))) << reference;
    used.insert(reference);
  });
  for (const auto& [name, schema] : api["components"]["schemas"].items())
    EXPECT_TRUE(used.contains("#/components/schemas/" + name)) << name;
}

TEST(LiveContract, ReadingIsGetAndChangingIsPostWithAToken) {
  const Json api = Json::parse(asset("live/openapi.json"));
  std::set<std::string> ids;
  for (const auto& [path, operations] : api["paths"].items()) {
    const bool command = path.find("/commands/") != std::string::npos;
    ASSERT_EQ(operations.size(), 1u) << path;
    ASSERT_TRUE(operations.contains(command ? "post" : "get")) << path;
    const Json& operation = operations.front();
    EXPECT_TRUE(ids.insert(operation["operationId"].get<std::string>()).second) << path;
    EXPECT_TRUE(operation["responses"].contains("421")) << path;
    if (!command) continue;
    EXPECT_EQ(operation["security"], Json::parse(R"([{"token": []}])")) << path;
    EXPECT_TRUE(operation["responses"].contains("401")) << path;
  }
}

// The policy is one line: it is sent as a header.
TEST(LiveContract, TheContentSecurityPolicyAllowsNoInlineScript) {
  std::string_view policy = asset("live/policy.txt");
  ASSERT_TRUE(policy.ends_with("\n"));
  policy.remove_suffix(1);
  EXPECT_EQ(policy.find_first_of("\r\n"), std::string_view::npos);
  EXPECT_NE(policy.find("default-src 'none'"), std::string_view::npos);
  EXPECT_NE(policy.find("script-src 'self';"), std::string_view::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string_view::npos);
}

}  // namespace
}  // namespace bowerbird
