#include "parse/text/main_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/check.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

constexpr std::size_t kTrees = std::size(kFirstNodes);
constexpr std::size_t kMostLeaves = 32;

// An inner node: a row whose number is not below `value` does not come to the leaves that are not `kept`.
struct Split {
  std::uint16_t feature = 0;
  std::uint16_t tree = 0;
  std::uint32_t kept = 0;
  float value = 0;
};

// The splits of one feature.
struct FeatureSplits {
  std::size_t feature = 0;
  const Split* first = nullptr;
  const Split* last = nullptr;
};

// The trees as splits by feature and value, made from the table once.
class SplitTable {
 public:
  SplitTable() {
    for (std::size_t tree = 0; tree < kTrees; ++tree) {
      std::uint32_t leaves = 0;
      add(tree, kFirstNodes[tree], leaves);
    }
    std::sort(splits_.begin(), splits_.end(), [](const Split& a, const Split& b) {
      return a.feature != b.feature ? a.feature < b.feature : a.value < b.value;
    });
    for (const Split& split : splits_) {
      if (features_.empty() || features_.back().feature != split.feature)
        features_.push_back({split.feature, &split, &split});
      features_.back().last = &split + 1;
    }
  }

  // Features in ascending order, those that are in no split left out.
  const std::vector<FeatureSplits>& features() const { return features_; }
  float leaf(std::size_t tree, int number) const {
    return leaves_[tree * kMostLeaves + static_cast<std::size_t>(number)];
  }

 private:
  // Adds the node at `at` and those below it; `leaves` of the tree were added before.
  void add(std::size_t tree, std::size_t at, std::uint32_t& leaves) {
    const ModelNode& node = kNodes[at];
    if (node.right == 0) {
      CHECK(leaves < kMostLeaves);
      leaves_[tree * kMostLeaves + leaves++] = node.value;
      return;
    }
    const std::uint32_t first = leaves;
    add(tree, at + 1, leaves);
    const std::uint64_t lost = (std::uint64_t{1} << leaves) - (std::uint64_t{1} << first);
    splits_.push_back(
        {node.feature, static_cast<std::uint16_t>(tree), static_cast<std::uint32_t>(~lost), node.value});
    add(tree, at + node.right, leaves);
  }

  std::vector<Split> splits_;
  std::vector<FeatureSplits> features_;
  std::array<float, kTrees * kMostLeaves> leaves_{};
};

const SplitTable& split_table() {
  static const SplitTable table;
  return table;
}

// Four lanes, and what a comparison of them gives: all bits or none.
using Lanes = float __attribute__((vector_size(16)));
using LaneBits = std::int32_t __attribute__((vector_size(16)));
constexpr std::size_t kVectors = MainTextScorer::kLanes / 4;

bool is_all(LaneBits bits) {
#ifdef __SSE2__
  return _mm_movemask_ps(reinterpret_cast<__m128>(bits)) == 15;
#else
  return (bits[0] & bits[1] & bits[2] & bits[3]) != 0;
#endif
}

// Removes the leaves that a split rules out for lanes whose number is not below its value. False if all are:
// so they are for splits by larger values.
bool rule_out(const Split& split, const std::array<Lanes, kVectors>& numbers, std::uint32_t* left) {
  std::array<LaneBits, kVectors> below;
  LaneBits all = LaneBits{-1, -1, -1, -1};
  for (std::size_t v = 0; v < kVectors; ++v) all &= below[v] = numbers[v] < split.value;
  if (is_all(all)) return false;
  for (std::size_t v = 0; v < kVectors; ++v) {
    LaneBits bits;
    std::memcpy(&bits, left + 4 * v, sizeof bits);
    bits &= below[v] | static_cast<std::int32_t>(split.kept);
    std::memcpy(left + 4 * v, &bits, sizeof bits);
  }
  return true;
}

}  // namespace

MainTextScorer::MainTextScorer(std::size_t columns, std::span<const float> page)
    : columns_(columns), left_by_page_(kTrees * kLanes, ~std::uint32_t{0}), left_(kTrees * kLanes) {
  for (const FeatureSplits& splits : split_table().features()) {
    if (splits.feature < columns) continue;
    CHECK(splits.feature - columns < page.size());
    std::array<Lanes, kVectors> numbers;
    numbers.fill(Lanes{} + page[splits.feature - columns]);
    const Split* split = splits.first;
    while (split < splits.last && rule_out(*split, numbers, left_by_page_.data() + split->tree * kLanes))
      ++split;
  }
}

std::array<float, MainTextScorer::kLanes> MainTextScorer::score(std::span<const float> columns) {
  CHECK(columns.size() == columns_ * kLanes);
  const SplitTable& table = split_table();
  left_ = left_by_page_;
  std::uint32_t* const left = left_.data();
  for (const FeatureSplits& splits : table.features()) {
    if (splits.feature >= columns_) break;
    std::array<Lanes, kVectors> numbers;
    std::memcpy(&numbers, columns.data() + splits.feature * kLanes, sizeof numbers);
    const Split* split = splits.first;
    while (split < splits.last && rule_out(*split, numbers, left + split->tree * kLanes)) ++split;
  }
  std::array<float, kLanes> sums{};
  for (std::size_t tree = 0; tree < kTrees; ++tree) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += table.leaf(tree, __builtin_ctz(left[tree * kLanes + lane]));
  }
  for (float& sum : sums) sum = 1 / (1 + std::exp(-sum));
  return sums;
}

std::uint32_t model_feature_names() {
  return kFeatureNames;
}

}  // namespace bowerbird
