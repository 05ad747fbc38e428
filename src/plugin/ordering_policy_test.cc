#include "plugin/ordering_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "plugin/plugin.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

// Scores a link by its position on the page. Parameters select what fails.
class ForeignOrdering : public v1::Ordering {
 public:
  explicit ForeignOrdering(std::string parameters) : parameters_(std::move(parameters)) {
    if (parameters_ == "refuse") throw std::runtime_error("no such parameter");
  }
  double seed(std::uint32_t, double share) override { return share; }
  void score(const v1::Visit&, std::span<v1::Link> links) const override {
    if (parameters_ == "throw") throw std::runtime_error("out of ideas");
    if (parameters_ == "odd") throw 42;
    double next = 1;
    for (v1::Link& link : links) link.score = parameters_ == "nan" ? std::nan("") : next++;
  }
  void save(std::string& bytes) const override { bytes = "kept"; }
  bool load(std::string_view bytes) override { return bytes == "kept"; }

 private:
  std::string parameters_;
};

Result<std::unique_ptr<Policy>> foreign(const std::string& text) {
  EXPECT_TRUE(add_ordering("foreign", "a test", [](const v1::OrderingContext& context) {
                return context.parameters == "none" ? nullptr
                                                    : std::make_unique<ForeignOrdering>(context.parameters);
              }).ok());
  return make_policy(text, {});
}

std::vector<Score> scores_of(const Policy& policy) {
  std::vector<OpenLink> links(2);
  policy.give({}, links);
  return {links[0].score, links[1].score};
}

TEST(ForeignOrderings, GiveScoresAndKeepTheirState) {
  auto made = foreign("foreign");
  ASSERT_TRUE(made.ok()) << made.error().text;
  EXPECT_EQ(scores_of(**made), (std::vector<Score>{1, 2}));
  std::string saved;
  {
    ByteWriter out(saved);
    (*made)->save(out);
  }
  ByteReader in(saved);
  (*made)->load(in);
  EXPECT_TRUE(in.ok());
  ByteReader nothing("");
  (*made)->load(nothing);
  EXPECT_FALSE(nothing.ok());
}

TEST(ForeignOrderings, NaNBecomesTheLowestScore) {
  auto made = foreign("foreign@nan");
  ASSERT_TRUE(made.ok()) << made.error().text;
  for (const Score score : scores_of(**made)) EXPECT_LT(score, -1e300);
  EXPECT_TRUE((*made)->status().ok());
}

TEST(ForeignOrderings, AnExceptionBecomesTheError) {
  for (const auto& [parameters, reason] : {std::pair("throw", "out of ideas"), std::pair("odd", "failed")}) {
    auto made = foreign(std::string("foreign@") + parameters);
    ASSERT_TRUE(made.ok()) << made.error().text;
    scores_of(**made);
    ASSERT_FALSE((*made)->status().ok());
    EXPECT_THAT((*made)->status().error().text, HasSubstr(reason));
  }
  EXPECT_THAT(foreign("foreign@refuse").error().text, HasSubstr("no such parameter"));
  EXPECT_THAT(foreign("foreign@none").error().text, HasSubstr("was not made"));
}

TEST(ForeignOrderings, AFileThatIsNotAPluginIsRefused) {
  EXPECT_THAT(load_plugin("there-is-no-such-file.so").error().text, HasSubstr("there-is-no-such-file.so"));
  EXPECT_THAT(load_plugin("/proc/self/status").error().text, HasSubstr("cannot load"));
}

}  // namespace
}  // namespace bowerbird
