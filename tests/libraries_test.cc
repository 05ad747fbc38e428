// The libraries that the program is linked with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "process.h"

namespace bowerbird {
namespace {

// Names of all shared libraries that the program loads, including indirect ones, without those of sanitizers.
std::vector<std::string> libraries() {
  const ShellResult list = run_shell("ldd " BOWERBIRD_BINARY);
  EXPECT_EQ(list.code, 0);
  std::vector<std::string> names;
  std::istringstream lines(list.text);
  for (std::string text; std::getline(lines, text);) {
    const std::size_t first = text.find_first_not_of("\t ");
    const std::string name = text.substr(first, text.find(' ', first) - first);
    if (name.find("san.so") == std::string::npos) names.push_back(name);
  }
  return names;
}

TEST(Libraries, AreFewAndNoneIsForDrawing) {
  const std::vector<std::string> names = libraries();
  EXPECT_THAT(names, testing::Contains(testing::StartsWith("libc.so")));
  for (const std::string& name : names) {
    for (const char* prefix : {"librsvg", "libglib", "libgobject", "libcairo", "libpango", "libX11"}) {
      EXPECT_FALSE(name.starts_with(prefix)) << name;
    }
  }
  EXPECT_LE(names.size(), 48u);
}

}  // namespace
}  // namespace bowerbird
