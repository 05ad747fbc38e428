// Fingerprints: the index finds the same as a scan of all fingerprints; a text in another case has the same
// one. Input: eight bytes per fingerprint; odd ones are first moved near the previous one.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/fingerprint.h"
#include "parse/simhash_index.h"

using namespace bowerbird;

namespace {

void check_index(const std::vector<std::uint64_t>& prints) {
  static SimhashIndex index;  // creating one takes longer than using it
  static std::map<std::uint64_t, std::uint32_t> naive;
  if (naive.size() > 2000) {
    index = SimhashIndex();
    naive.clear();
  }
  std::vector<SimhashIndex::Match> matches;
  for (const std::uint64_t print : prints) {
    const auto id = static_cast<std::uint32_t>(naive.size());
    CHECK(index.add(print, id) == naive.emplace(print, id).first->second);
  }
  for (const std::uint64_t print : prints) {
    index.find(print, matches);
    std::size_t expected = 0;
    for (const auto& [kept, id] : naive) expected += std::popcount(kept ^ print) <= kNearBits ? 1u : 0u;
    CHECK(matches.size() == expected);
    for (const SimhashIndex::Match& match : matches) {
      CHECK(match.distance == hamming_distance(match.simhash, print) && match.distance <= kNearBits);
      CHECK(naive.at(match.simhash) == match.id);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> prints;
  for (std::size_t at = 0; at + 8 <= size && prints.size() < 64; at += 8) {
    std::uint64_t print;
    std::memcpy(&print, data + at, 8);
    if (prints.size() % 2 == 1) {
      print = prints.back() ^ (std::uint64_t{1} << (print & 63)) ^ (std::uint64_t{1} << (print >> 8 & 63)) ^
              (std::uint64_t{1} << (print >> 16 & 63)) ^ (print >> 24 & 1);
    }
    prints.push_back(print);
  }
  check_index(prints);

  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  const TextSpan weak[] = {{static_cast<std::uint32_t>(size / 4), static_cast<std::uint32_t>(size / 4)}};
  const TextFingerprint a = fingerprint_text(text, weak);
  const TextFingerprint b = fingerprint_text(lower, weak);
  CHECK(a.simhash == b.simhash && a.words == b.words && a.words <= size);
  return 0;
}
