// How fast are the digests of stored pages: one after the other with OpenSSL, and two at a time with
// parse/sha1_pairs.h, which exists only for this gain? Messages of the size of pages, between 2 and 60 KB.
// Verified: both ways agree on every digest.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "parse/sha1_pairs.h"

namespace bowerbird {
namespace {

constexpr std::size_t kPages = 64;  // as many as may be waiting for a writer

std::vector<std::string> pages() {
  Rng rng(1);
  std::vector<std::string> all(kPages);
  for (std::string& page : all) {
    page.resize(2'000 + rng.below(58'000));
    for (char& c : page) c = static_cast<char>(rng.below(256));
  }
  return all;
}

void one_by_one(std::span<const std::string_view> messages, std::span<Sha1> digests) {
  for (std::size_t i = 0; i < messages.size(); ++i) digests[i] = sha1(messages[i]);
}

template <typename Way>
void measure(benchmark::State& state, Way&& way) {
  const std::vector<std::string> texts = pages();
  const std::vector<std::string_view> messages(texts.begin(), texts.end());
  std::vector<Sha1> expected(kPages), digests(kPages);
  one_by_one(messages, expected);
  for (auto _ : state) way(std::span(messages), std::span(digests));
  if (digests != expected) state.SkipWithError("a digest is wrong");
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void BM_OpenSsl(benchmark::State& state) {
  measure(state, one_by_one);
}
BENCHMARK(BM_OpenSsl)->Unit(benchmark::kMillisecond);

void BM_Pairs(benchmark::State& state) {
  measure(state, sha1_of_all);
}
BENCHMARK(BM_Pairs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
