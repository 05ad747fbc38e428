// docs/policies.md shows the registry as it is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "policy/registry.h"

namespace bowerbird {
namespace {

constexpr std::string_view kBegin = "--gtest_filter='PoliciesPage.*' -->\n";
constexpr std::string_view kEnd = "<!-- /registry -->";

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string needs(const PolicyInfo& info) {
  std::string text;
  const Need need = *needs_of(info.example);
  for (const auto& [one, name] :
       {std::pair(Need::kHosts, "hosts"), std::pair(Need::kUrls, "URLs"),
        std::pair(Need::kTruth, "true importance"), std::pair(Need::kTopic, "a topic")}) {
    if (!has(need, one)) continue;
    text += text.empty() ? "" : ", ";
    text += has(info.needs, one) ? name : std::string(name) + " for " + code(info.example);
  }
  return text;
}

std::string memory(const PolicyInfo& info) {
  const PolicyMemory& memory = info.memory;
  std::string text = memory.page == 0 ? "" : fmt::format("{} per page", memory.page);
  if (memory.link > 0) text += fmt::format(", {} per link", memory.link);
  if (memory.graph > 0) text += fmt::format(", {} per link or on disk", memory.graph);
  if (memory.samples > 0) text += fmt::format(", up to {} MB to learn from", memory.samples / 1e6);
  return text;
}

std::string table() {
  std::string text =
      "| ordering | what goes first | parameters | example | paper | needs | own memory in bytes | in "
      "`--policies all` |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const PolicyInfo& info : all_policies()) {
    std::string all;
    for (const std::string_view spec : info.in_all) all += (all.empty() ? "" : ", ") + code(spec);
    text += "| " + code(info.name) + " | " + std::string(info.summary) + " | " +
            std::string(info.parameters) + " | " + code(info.example) + " | " + std::string(info.paper) +
            " | " + needs(info) + " | " + memory(info) + " | " + all + " |\n";
  }
  return text;
}

TEST(PoliciesPage, ShowsEveryRowOfTheRegistry) {
  const std::string path = BOWERBIRD_SOURCE_DIR "/docs/policies.md";
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  const std::string page = stream.str();
  const std::size_t from = page.find(kBegin) + kBegin.size(), to = page.find(kEnd);
  ASSERT_LT(from, page.size());
  ASSERT_LE(from, to);
  if (std::getenv("BOWERBIRD_WRITE_DOCS") != nullptr) {
    std::ofstream(path) << page.substr(0, from) << table() << page.substr(to);
    return;
  }
  EXPECT_EQ(page.substr(from, to - from), table())
      << "the registry has changed: run BOWERBIRD_WRITE_DOCS=1 policy_test --gtest_filter='PoliciesPage.*'";
}

}  // namespace
}  // namespace bowerbird
