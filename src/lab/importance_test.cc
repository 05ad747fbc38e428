#include "lab/importance.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

struct Tiny {
  Tiny() {
    CsrBuilder builder;
    std::vector<std::vector<PageId>> rows = {{1, 2}, {2}, {}};
    for (auto& row : rows) builder.add(row);
    auto arrays = std::make_unique<CsrGraph>(std::move(builder).finish());
    graph = arrays.get();
    web.graph = std::move(arrays);
    auto names = std::make_unique<StoredNames>();
    for (const char* url : {"http://a.org/", "http://a.org/home/x", "http://b.com/"}) names->add(url);
    web.names = std::move(names);
  }
  std::vector<double> of(Importance importance) const {
    return compute_importance(importance, *graph, web, {}).value();
  }
  Web web;
  const CsrGraph* graph;
};

TEST(Importance, DegreesAreThoseOfTheWholeGraph) {
  const Tiny tiny;
  EXPECT_EQ(tiny.of(Importance::kBacklink), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(tiny.of(Importance::kForward), (std::vector<double>{2, 1, 0}));
}

TEST(Importance, LocationAndHomeComeFromTheUrl) {
  const Tiny tiny;
  EXPECT_EQ(tiny.of(Importance::kHome), (std::vector<double>{1, 0, 1}));
  const auto location = tiny.of(Importance::kLocation);
  EXPECT_DOUBLE_EQ(location[0], .5);
  EXPECT_DOUBLE_EQ(location[1], 1.0 / 3 + .5);
  EXPECT_DOUBLE_EQ(location[2], 1.0);
}

TEST(Importance, UrlsThatAreMissingAreAnError) {
  Tiny tiny;
  tiny.web.names.reset();
  EXPECT_FALSE(compute_importance(Importance::kLocation, *tiny.graph, tiny.web, {}).ok());
  EXPECT_FALSE(compute_importance(Importance::kHome, *tiny.graph, tiny.web, {}).ok());
  EXPECT_TRUE(compute_importance(Importance::kPageRank, *tiny.graph, tiny.web, {}).ok());
}

TEST(Importance, OfATopicNeedsOne) {
  Tiny tiny;
  EXPECT_FALSE(compute_importance(Importance::kSimilarity, *tiny.graph, tiny.web, {}).ok());
  EXPECT_FALSE(compute_importance(Importance::kOnTopic, *tiny.graph, tiny.web, {}).ok());
  tiny.web.topic = std::make_unique<WebTopic>();
  tiny.web.topic->similarity = {0.5, 0, 0.25};
  tiny.web.topic->on_topic = {true, false, false};
  EXPECT_EQ(tiny.of(Importance::kSimilarity), (std::vector<double>{0.5, 0, 0.25}));
  EXPECT_EQ(tiny.of(Importance::kOnTopic), (std::vector<double>{1, 0, 0}));
}

// IC: each part is divided by its largest value.
TEST(Importance, OfSeveralKindsIsAWeightedSum) {
  Tiny tiny;
  tiny.web.topic = std::make_unique<WebTopic>();
  tiny.web.topic->similarity = {0.5, 0, 0.25};
  ImportanceOptions options;
  options.weights = parse_weights("similarity=2,backlink=1").value();
  EXPECT_EQ(compute_importance(Importance::kCombined, *tiny.graph, tiny.web, options).value(),
            (std::vector<double>{2, 0.5, 2}));
  for (const char* text : {"", "similarity", "beauty=1", "combined=1", "backlink=much"}) {
    EXPECT_FALSE(parse_weights(text).ok()) << text;
  }
}

TEST(Importance, NamesAreReadBack) {
  for (const char* name : {"pagerank", "backlink", "forward", "location", "home", "similarity", "on-topic",
                           "combined", "none"}) {
    EXPECT_EQ(name_of(parse_importance(name).value()), name);
  }
  EXPECT_FALSE(parse_importance("beauty").ok());
}

}  // namespace
}  // namespace bowerbird
