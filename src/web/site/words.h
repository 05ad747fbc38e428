// The vocabulary of the test Web: words that any page uses, the most frequent first, and the words of each
// topic.
//
// Plain English in lower case, including a few words with non-ASCII letters, none longer than 15 bytes.
#pragma once

#include <array>
#include <string_view>

namespace bowerbird {

inline constexpr int kTopics = 16;

struct Subject {
  std::string_view name;
  std::string_view words;  // separated by blanks
};

extern const std::string_view kCommonWords;
extern const std::array<Subject, kTopics> kTopicWords;

}  // namespace bowerbird
