// The share of a block's words that belong to the main text, as boosted trees expect it.
//
// Problem: thousands of comparisons per block, whose outcomes no processor guesses. The trees are therefore
// not walked. For each number of a row, the values it is compared with are known in ascending order; those
// that are not above it each rule out some leaves of a tree, and the first leaf that is left is the one that
// a walk would find (Lucchese et al., "QuickScorer", SIGIR 2015). Rows are scored kLanes at a time, without
// branches for single rows. What all blocks of a page have in common is looked at once. The trees are a table
// made by tools/train_main_text. Threads: one user at a time; objects are independent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowerbird {

class MainTextScorer {
 public:
  static constexpr std::size_t kLanes = 16;

  // `columns`: how many numbers of a row differ from block to block; `page`: the others, which are the same
  // for all blocks of a page.
  MainTextScorer(std::size_t columns, std::span<const float> page);

  // Scores between 0 and 1 of kLanes blocks. `columns`: their numbers, those of each column together.
  std::array<float, kLanes> score(std::span<const float> columns);

 private:
  std::size_t columns_;
  // Of each tree and lane: bit i: leaf i is not ruled out.
  std::vector<std::uint32_t> left_by_page_;
  std::vector<std::uint32_t> left_;
};

// CRC-32 of the names of the features that the model was made for, by lines.
std::uint32_t model_feature_names();

}  // namespace bowerbird
