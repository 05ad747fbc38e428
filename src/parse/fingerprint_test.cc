#include "parse/fingerprint.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "parse/text_words.h"

namespace bowerbird {
namespace {

TEST(Sha1, IsTheDigestThatArchivesName) {
  // RFC 3174 section 7.3, and the empty payload as WARC files show it.
  EXPECT_EQ(sha1("abc")[0], 0xA9);
  EXPECT_EQ(base32(sha1("")), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

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

TEST(Simhash, WeakTextWeighsLess) {
  const std::string own = random_text(300, 3);
  const std::string menu_a = random_text(300, 4);
  const std::string menu_b = random_text(300, 5);
  const auto distance = [&](std::uint32_t weak_weight) {
    const auto print = [&](const std::string& menu) {
      const TextSpan weak[] = {
          {static_cast<std::uint32_t>(own.size()), static_cast<std::uint32_t>(menu.size())}};
      return fingerprint_text(own + menu, weak, {4, weak_weight}).simhash;
    };
    return hamming_distance(print(menu_a), print(menu_b));
  };
  EXPECT_LT(distance(1), distance(4));
  EXPECT_LE(distance(0), 1);
}

TEST(Simhash, ShortTextsAreSaidToBeShort) {
  EXPECT_EQ(fingerprint_text("", {}).words, 0u);
  EXPECT_NE(fingerprint_text("a", {}).simhash, fingerprint_text("b", {}).simhash);
  EXPECT_NE(fingerprint_text("a b", {}).simhash, fingerprint_text("b", {}).simhash);
}

// The lanes overflow nowhere: votes are those of a plain count.
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
