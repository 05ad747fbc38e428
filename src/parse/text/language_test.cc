#include "parse/text/language.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

const std::string kEnglish =
    "This sentence is written in English, so that everybody can see which language it is. ";
const std::string kGerman =
    "Dieser Satz ist in deutscher Sprache geschrieben, damit man ihn als solchen erkennt. ";

TEST(Language, IsDetectedWhereThereIsEnoughText) {
  EXPECT_EQ(detect_language(kEnglish), "en");
  EXPECT_EQ(detect_language(kGerman), "de");
  EXPECT_EQ(detect_language("x"), "");
  EXPECT_EQ(detect_language(""), "");
}

TEST(Language, LongTextsAreCutBetweenCharacters) {
  std::string text = "a";
  while (text.size() < 100'000) text += "дом и сад ";
  EXPECT_TRUE(detect_language(text).empty()) << "the same words again and again are no text";
}

TEST(Language, SeveralAreIdentifiedByTheirIsoCodes) {
  EXPECT_EQ(identify_languages(kGerman), std::vector<std::string>{"deu"});
  EXPECT_EQ(identify_languages(kGerman + kGerman + kGerman + kEnglish),
            (std::vector<std::string>{"deu", "eng"}));
  EXPECT_TRUE(identify_languages("").empty());
}

}  // namespace
}  // namespace bowerbird
