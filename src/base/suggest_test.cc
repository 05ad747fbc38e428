#include "base/suggest.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

const std::vector<std::string> kWords = {"info", "convert", "generate", "rank", "--json", "--jobs"};

TEST(Suggest, FindsTypingErrors) {
  EXPECT_EQ(closest("ifno", kWords).front(), "info");
  EXPECT_EQ(closest("generat", kWords).front(), "generate");
  EXPECT_EQ(closest("convrt", kWords).front(), "convert");
  EXPECT_EQ(closest("--jsn", kWords).front(), "--json");
}

TEST(Suggest, FindsBeginnings) {
  EXPECT_EQ(closest("gen", kWords).front(), "generate");
}

TEST(Suggest, SaysNothingWhenNothingIsClose) {
  EXPECT_TRUE(closest("parrot", kWords).empty());
  EXPECT_TRUE(closest("", kWords).empty());
  EXPECT_TRUE(closest(std::string(10000, 'x'), kWords).empty());
  EXPECT_EQ(did_you_mean("parrot", kWords), "");
}

TEST(Suggest, ReadsAsASentence) {
  EXPECT_EQ(did_you_mean("ifno", kWords), "; did you mean 'info'?");
  EXPECT_EQ(did_you_mean("htm", {"html", "pdf", "html"}), "; did you mean 'html'?");
  EXPECT_EQ(did_you_mean("--jo", {"--job", "--jog", "--joy"}), "; did you mean '--job', '--jog' or '--joy'?");
}

}  // namespace
}  // namespace bowerbird
