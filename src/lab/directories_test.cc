#include "lab/directories.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Directories, AreThePagesWhoseUrlsAgreeUpToTheLastSlash) {
  StoredNames names;
  for (const char* url : {"http://h/a/x.html", "http://h/a/y.html?of=/b/", "http://h/a/", "http://h/",
                          "http://h/b", "http://g/a/x.html", "http://h/a/b/x#/"}) {
    names.add(url);
  }
  const GroupOf group = directories_of(names);
  EXPECT_EQ(group(0), 0u);
  EXPECT_EQ(group(1), 0u);
  EXPECT_EQ(group(2), 0u);
  EXPECT_EQ(group(3), 1u);
  EXPECT_EQ(group(4), 1u);
  EXPECT_EQ(group(5), 2u);
  EXPECT_EQ(group(6), 3u);
  EXPECT_EQ(group(0), 0u) << "asked again";
}

}  // namespace
}  // namespace bowerbird
