#include "parse/sha1_pairs.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

// Each message is in memory of its own size, so that a sanitizer sees what is read behind it.
void expect_as_alone(const std::vector<std::size_t>& sizes, Rng& rng) {
  std::vector<std::vector<char>> bytes;
  std::vector<std::string_view> messages;
  for (const std::size_t size : sizes) {
    bytes.emplace_back(size);
    for (char& c : bytes.back()) c = static_cast<char>(rng.next());
  }
  for (const std::vector<char>& one : bytes) messages.emplace_back(one.data(), one.size());
  std::vector<Sha1> digests(messages.size());
  sha1_of_all(messages, digests);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(base32(digests[i]), base32(sha1(messages[i])))
        << "message " << i << " of " << sizes[i] << " bytes";
  }
}

TEST(Sha1Pairs, OfManyMessagesIsThatOfEach) {
  Rng rng(1);
  expect_as_alone({}, rng);
  expect_as_alone({5}, rng);
  std::vector<std::size_t> all;
  for (std::size_t size = 0; size < 300; ++size) all.push_back(size);
  expect_as_alone(all, rng);
  for (std::size_t a = 0; a < 130; a += 3) {
    for (std::size_t b = 0; b < 200; b += 7) expect_as_alone({a, b}, rng);
  }
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> sizes(rng.next() % 9);
    for (std::size_t& size : sizes) size = rng.next() % 5000;
    expect_as_alone(sizes, rng);
  }
}

}  // namespace
}  // namespace bowerbird
