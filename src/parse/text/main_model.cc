#include "parse/text/main_model.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bowerbird {

namespace {

// A node of a tree: rows with a number below `value` go on to the next node, others to `right` nodes further;
// a leaf has no `right`, and its value is added to the sum.
struct ModelNode {
  std::uint16_t feature;
  std::uint16_t right;
  float value;
};

// kFirstNodes: where each tree begins. kNodes: all trees.
#include "parse/text/main_model_table.inc"

}  // namespace

float main_text_score(std::span<const float> row) {
  float sum = 0;
  for (const std::uint16_t first : kFirstNodes) {
    const ModelNode* node = kNodes + first;
    while (node->right != 0) node += row[node->feature] < node->value ? 1 : node->right;
    sum += node->value;
  }
  return 1 / (1 + std::exp(-sum));
}

std::uint32_t model_feature_names() {
  return kFeatureNames;
}

}  // namespace bowerbird
