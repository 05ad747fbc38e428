#include "url/url_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace bowerbird {
namespace {

TEST(UrlTable, GivesIdsInTheOrderOfArrivalAndFindsThemAgain) {
  UrlTable table;
  std::vector<std::string> targets;
  for (unsigned i = 0; i < 100'000; ++i) {
    targets.push_back(fmt::format("/{}/{}", i, std::string(i % 300, 'x')));
    const auto print = UrlTable::fingerprint("http://h" + std::to_string(i % 7) + targets.back());
    ASSERT_EQ(table.find(print), kNoPage);
    ASSERT_EQ(table.add(print, i % 7, i % 2 == 1, targets.back()), i);
  }
  for (unsigned i = 0; i < targets.size(); ++i) {
    ASSERT_EQ(table.find(UrlTable::fingerprint("http://h" + std::to_string(i % 7) + targets[i])), i);
    ASSERT_EQ(table.target(i), targets[i]);
    ASSERT_EQ(table.host(i), i % 7);
    ASSERT_EQ(table.https(i), i % 2 == 1);
  }
  EXPECT_EQ(table.find(UrlTable::fingerprint("http://h0/other")), kNoPage);
}

TEST(UrlTable, FingerprintsTellTextsApart) {
  std::set<std::uint64_t> prints;
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    prints.insert(UrlTable::fingerprint(text));
    text += static_cast<char>(i % 3);
  }
  for (int i = 0; i < 256; ++i) prints.insert(UrlTable::fingerprint(fmt::format("http://a/{}", i)));
  EXPECT_EQ(prints.size(), 2256u);
}

}  // namespace
}  // namespace bowerbird
