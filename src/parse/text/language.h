// Which languages a text is written in, by CLD2 (Compact Language Detector 2,
// https://github.com/CLD2Owners/cld2).
//
// Pure; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

// The main language of a text in valid UTF-8 as a BCP 47 code ("en", "zh-Hant"), or empty where CLD2 is not
// sure.
std::string detect_language(std::string_view text);

// Up to three languages as ISO 639-3 codes ("eng", "zho"), that of most text first; none where CLD2 is not
// sure.
std::vector<std::string> identify_languages(std::string_view text);

}  // namespace bowerbird
