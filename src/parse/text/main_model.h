// The share of a block's words that belong to the main text, as boosted trees expect it.
//
// The trees are a table made by tools/train_main_text. Pure; threads: any.
#pragma once

#include <cstdint>
#include <span>

namespace bowerbird {

// `row` is a row of BlockFeatures. Between 0 and 1.
float main_text_score(std::span<const float> row);

// CRC-32 of the names of the features that the model was made for, by lines.
std::uint32_t model_feature_names();

}  // namespace bowerbird
