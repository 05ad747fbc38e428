#include "parse/text/main_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/rng.h"
#include "parse/text/block_features.h"

namespace bowerbird {
namespace {

struct ModelNode {
  std::uint16_t feature;
  std::uint16_t right;
  float value;
};

#include "parse/text/main_model_table.inc"

// What walks through the trees give.
float walked_score(std::span<const float> row) {
  float sum = 0;
  for (const std::uint16_t first : kFirstNodes) {
    const ModelNode* node = kNodes + first;
    while (node->right != 0) node += row[node->feature] < node->value ? 1 : node->right;
    sum += node->value;
  }
  return 1 / (1 + std::exp(-sum));
}

// A number around those that a feature is compared with, often one of them.
float number_for(std::size_t feature, Rng& random) {
  std::vector<float> values;
  for (const ModelNode& node : kNodes) {
    if (node.right != 0 && node.feature == feature) values.push_back(node.value);
  }
  if (values.empty()) return 0;
  const float value = values[random.below(values.size())];
  switch (random.below(4)) {
    case 0:
      return value;
    case 1:
      return std::nextafter(value, -std::numeric_limits<float>::infinity());
    case 2:
      return value * 2 + 1;
    default:
      return -value;
  }
}

TEST(MainModel, ScoresLikeAWalkThroughEachTree) {
  EXPECT_EQ(model_feature_names(), kFeatureNames);
  constexpr std::size_t kLanes = MainTextScorer::kLanes;
  const std::size_t width = BlockFeatures::width();
  Rng random(1);
  for (const std::size_t page_width : {std::size_t{0}, std::size_t{60}}) {
    std::vector<float> page;
    for (std::size_t i = width - page_width; i < width; ++i) page.push_back(number_for(i, random));
    const std::size_t columns_width = width - page_width;
    MainTextScorer scorer(columns_width, page);
    for (int round = 0; round < 4; ++round) {
      std::vector<std::vector<float>> rows(kLanes);
      std::vector<float> columns(columns_width * kLanes);
      for (std::size_t i = 0; i < columns_width; ++i) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          rows[lane].push_back(number_for(i, random));
          columns[i * kLanes + lane] = rows[lane].back();
        }
      }
      const std::array<float, kLanes> scores = scorer.score(columns);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        rows[lane].insert(rows[lane].end(), page.begin(), page.end());
        EXPECT_EQ(scores[lane], walked_score(rows[lane]));
      }
    }
  }
}

}  // namespace
}  // namespace bowerbird
