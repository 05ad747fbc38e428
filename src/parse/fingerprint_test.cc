#include "parse/fingerprint.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "parse/text_words.h"

namespace bowerbird {
namespace {

std::string random_text(std::size_t words, std::uint64_t seed) {
  Rng rng(seed);
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += "word" + std::to_string(rng.below(5000)) + " ";
  return text;
}

TEST(Words, AreRunsOfLettersInAnyCase) {
  const auto hashes = [](std::string_view text) {
    std::vector<std::uint64_t> out;
    for (TextWords words(text); words.next();) out.push_back(words.hash());
    return out;
  };
  EXPECT_EQ(hashes("The quick-brown fox."), hashes("the QUICK brown (fox)"));
  EXPECT_EQ(hashes("a b").size(), 2u);
  EXPECT_NE(hashes("ab"), hashes("ba"));
  EXPECT_EQ(hashes("").size(), 0u);
  EXPECT_EQ(hashes("caf\u00E9\u2014bar\u00A0x").size(), 3u);
  EXPECT_EQ(hashes("\u65E5\u672C\u8A9E").size(), 3u);  // no spaces there: each character is a word
  EXPECT_EQ(hashes("\u041F\u0440\u0438\u0432\u0435\u0442").size(), 1u);
  EXPECT_EQ(hashes("x\xFF\xFEy \xC3").size(), 2u);
}

TEST(Simhash, EqualTextsHaveEqualFingerprints) {
  const TextFingerprint a = fingerprint_text("One, two; three FOUR", {});
  const TextFingerprint b = fingerprint_text("one two three\nfour", {});
  EXPECT_EQ(a.simhash, b.simhash);
  EXPECT_EQ(a.words, 4u);
  EXPECT_NE(a.simhash, fingerprint_text("four three two one", {}).simhash);
}

TEST(Simhash, AFewChangedWordsChangeFewBits) {
  const std::string text = random_text(2000, 1);
  std::string changed = text;
  changed.replace(changed.find(' ', 5000), 1, " inserted ");
  const auto a = fingerprint_text(text, {}).simhash;
  EXPECT_LE(hamming_distance(a, fingerprint_text(changed, {}).simhash), kNearBits);
  EXPECT_GT(hamming_distance(a, fingerprint_text(random_text(2000, 2), {}).simhash), 15);
}

TEST(Simhash, WeakTextCountsWhereThereIsLittleOwnText) {
  const auto distance = [&](std::size_t own_words, std::uint32_t enough) {
    const std::string own = random_text(own_words, 3) + "one two three ";
    const auto print = [&](const std::string& menu) {
      const TextSpan weak[] = {
          {static_cast<std::uint32_t>(own.size()), static_cast<std::uint32_t>(menu.size())}};
      return fingerprint_text(own + menu, weak, {enough}).simhash;
    };
    return hamming_distance(print(random_text(300, 4)), print(random_text(300, 5)));
  };
  EXPECT_EQ(distance(100, 64), 0);
  EXPECT_EQ(distance(100, 0), 0);
  EXPECT_GT(distance(20, 64), 5);
  EXPECT_GT(distance(20, 200), distance(100, 200));
}

TEST(Simhash, APageOfLinksAloneIsKnownByThem) {
  const std::string a = random_text(100, 6), b = random_text(100, 7);
  const TextSpan all_a[] = {{0, static_cast<std::uint32_t>(a.size())}};
  const TextSpan all_b[] = {{0, static_cast<std::uint32_t>(b.size())}};
  EXPECT_EQ(fingerprint_text(a, all_a, {0}).simhash, fingerprint_text(a, {}, {0}).simhash);
  EXPECT_GT(hamming_distance(fingerprint_text(a, all_a).simhash, fingerprint_text(b, all_b).simhash), 15);
}

TEST(Simhash, ShortTextsHaveASmallWordCount) {
  EXPECT_EQ(fingerprint_text("", {}).words, 0u);
  EXPECT_NE(fingerprint_text("a", {}).simhash, fingerprint_text("b", {}).simhash);
  EXPECT_NE(fingerprint_text("a b", {}).simhash, fingerprint_text("b", {}).simhash);
}

// The lanes never overflow: votes equal a plain count.
TEST(Simhash, IsTheMajorityOfTheShinglesBits) {
  const std::string once = "alpha beta gamma";
  std::string often;
  for (int i = 0; i < 1000; ++i) often += once + " ";
  // 3 shingles take turns; the majority of the three decides each bit.
  const auto a = fingerprint_text("alpha beta gamma", {}).simhash;
  const auto b = fingerprint_text("beta gamma alpha", {}).simhash;
  const auto c = fingerprint_text("gamma alpha beta", {}).simhash;
  EXPECT_EQ(fingerprint_text(often, {}).simhash, (a & b) | (b & c) | (a & c));
}

}  // namespace
}  // namespace bowerbird
