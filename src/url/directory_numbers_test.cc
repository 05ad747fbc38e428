#include "url/directory_numbers.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

const std::vector<std::string> kUrls = {"http://a.test/x/1?q=/y/", "http://a.test/",   "http://a.test/x/2",
                                        "https://a.test/x/1",      "http://b.test/x/", "http://a.test/x"};

std::string url_of(PageId page) {
  return kUrls[page];
}

TEST(DirectoryNumbers, PagesOfOneDirectoryHaveOneNumber) {
  DirectoryNumbers numbers;
  EXPECT_EQ(numbers.number(0, url_of), 0u);
  EXPECT_EQ(numbers.number(2, url_of), 0u);
  EXPECT_EQ(numbers.number(1, url_of), 1u);
  EXPECT_EQ(numbers.number(5, url_of), 1u) << "x is a file of the root";
  EXPECT_NE(numbers.number(3, url_of), numbers.number(0, url_of)) << "another scheme";
  EXPECT_NE(numbers.number(4, url_of), numbers.number(0, url_of)) << "another host";
}

TEST(DirectoryNumbers, DoNotDependOnTheOrderOfQueries) {
  DirectoryNumbers forwards, backwards;
  for (PageId page = 0; page < kUrls.size(); ++page) forwards.number(page, url_of);
  for (PageId page = kUrls.size(); page-- > 0;)
    EXPECT_EQ(backwards.number(page, url_of), forwards.number(page, url_of));
}

}  // namespace
}  // namespace bowerbird
