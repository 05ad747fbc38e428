#include "parse/web_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> icons_of(std::string_view manifest) {
  std::vector<std::string> found;
  read_manifest_icons(manifest, [&](std::string_view url) { found.emplace_back(url); });
  return found;
}

TEST(WebManifest, HasTheIconsOfTheAppAndOfItsShortcuts) {
  EXPECT_THAT(icons_of(R"({"name": "x", "icons": [{"src": "a.png", "sizes": "48x48"}, {"src": "/b.svg"}],
                          "shortcuts": [{"url": "/s", "icons": [{"src": "c.png"}]}, 7]})"),
              ElementsAre("a.png", "/b.svg", "c.png"));
  EXPECT_THAT(icons_of("\xEF\xBB\xBF{\"icons\":[{\"src\":\"a\"}]}"), ElementsAre("a"));
}

TEST(WebManifest, ThatMakesNoSenseHasNone) {
  for (const char* text : {"", "[]", "{", "{\"icons\":{}}", "{\"icons\":[1,{\"src\":2},{}]}", "\xff",
                           "{\"shortcuts\":[{\"icons\":7}]}"})
    EXPECT_THAT(icons_of(text), IsEmpty()) << text;
  EXPECT_THAT(
      icons_of("{\"a\":" + std::string(100, '[') + std::string(100, ']') + ",\"icons\":[{\"src\":\"a\"}]}"),
      IsEmpty());
  EXPECT_THAT(icons_of("{\"icons\":[{\"src\":\"a\"}]}" + std::string(std::size_t{1} << 20, ' ')), IsEmpty());
}

}  // namespace
}  // namespace bowerbird
