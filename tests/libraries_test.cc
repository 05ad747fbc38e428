// What the program is linked with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace bowerbird {
namespace {

// Names of all shared libraries that the program loads, theirs included; those of sanitizers are left out.
std::vector<std::string> libraries() {
  std::FILE* list = ::popen("ldd " BOWERBIRD_BINARY, "r");
  std::vector<std::string> names;
  std::array<char, 4096> line;
  while (std::fgets(line.data(), line.size(), list) != nullptr) {
    const std::string text = line.data();
    const std::size_t first = text.find_first_not_of("\t ");
    const std::string name = text.substr(first, text.find_first_of(" \n", first) - first);
    if (name.find("san.so") == std::string::npos) names.push_back(name);
  }
  EXPECT_EQ(::pclose(list), 0);
  return names;
}

TEST(Libraries, NoneIsForDrawingAndThereAreFew) {
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
