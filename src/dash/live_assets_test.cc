// The files of the live page, and the contract of its API, src/dash/assets/live/openapi.json.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "dash/assets.h"

namespace bowerbird {
namespace {

using Json = nlohmann::json;

// Calls visit(text) for each reference in the file.
void each_reference(const Json& json, const std::function<void(const std::string&)>& visit) {
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

bool is_asset(std::string_view name) {
  return std::ranges::any_of(all_assets(), [&](const Asset& one) { return one.name == name; });
}

TEST(LivePage, EverythingThatItLoadsIsPartOfTheProgram) {
  std::set<std::string> seen;
  std::vector<std::string> open = {"live/index.html", "live/stream.js"};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!seen.insert(name).second) continue;
    ASSERT_TRUE(is_asset(name)) << name;
    re2::StringPiece text = asset(name);
    std::string found;
    if (name.ends_with(".html")) {
      while (RE2::FindAndConsume(&text, R"re((?:src|href)="assets/([^"]+)")re", &found))
        open.push_back(found);
    } else if (name.starts_with("live/")) {
      while (RE2::FindAndConsume(&text, R"re(from "\./([^"]+)")re", &found)) open.push_back("live/" + found);
    }
  }
  EXPECT_GT(seen.size(), 10u);
  for (const Asset& one : all_assets()) {
    const bool code =
        one.name.starts_with("live/") && !one.name.ends_with(".json") && !one.name.ends_with(".txt");
    EXPECT_TRUE(!code || seen.contains(std::string(one.name))) << one.name;
  }
}

}  // namespace
}  // namespace bowerbird
