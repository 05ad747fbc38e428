// How well do simhashes find nearly equal pages, and does it help to give menus and links less weight?
//
//   similarity_bench [FOLDER] [PAGES]      (default 12,000 pages, spread over the folder; html_corpus.h says
//   which)
//
// The truth is the share of shingles (three words in a row, as a set) that two pages have in common
// (Jaccard): of their own text if both have 16 shingles of it, else of all text. Candidate pairs are found by
// MinHash (128 values in 32 bands of 4, which miss a pair of Jaccard 0.8 once in 10^7); the share is then
// exact. Pages are counted: of those with a partner that shares 90 % or more, how many have such a partner
// within a number of bits; and of those considered near copies of another page, how many share less than 80 %
// or 50 % with all such pages. The index is compared with a scan of all fingerprints, and timed.
#include <fmt/format.h>

#include <ctime>
#include <set>
#include <unordered_map>

#include "base/check.h"
#include "base/rng.h"
#include "html_corpus.h"
#include "parse/fingerprint.h"
#include "parse/page_reader.h"
#include "parse/simhash_index.h"
#include "parse/text_words.h"

namespace bowerbird::bench {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Shingles = std::vector<std::uint64_t>;  // sorted, distinct

struct Sample {
  std::string file;
  std::string text;
  std::vector<TextSpan> weak;
  Shingles all, own;
};

struct Weighing {
  std::string_view name;
  bool all_own;  // nothing is considered weak
  SimhashOptions options;
};

constexpr Weighing kWeighings[] = {
    {"all words alike", true, {}},    {"own text alone", false, {0}},   {"filled up to 16", false, {16}},
    {"filled up to 32", false, {32}}, {"filled up to 64", false, {64}}, {"filled up to 128", false, {128}},
};

double seconds_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void take_shingles(Sample& sample) {
  std::vector<std::uint64_t> words;
  std::vector<bool> weak;
  std::size_t span = 0;
  for (TextWords word(sample.text); word.next();) {
    words.push_back(word.hash());
    while (span < sample.weak.size() && sample.weak[span].at + sample.weak[span].size <= word.begin()) ++span;
    weak.push_back(span < sample.weak.size() && sample.weak[span].at <= word.begin());
  }
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::uint64_t shingle = mix64(words[i] + mix64(words[i - 1] + mix64(words[i - 2])));
    sample.all.push_back(shingle);
    if (!weak[i] && !weak[i - 1] && !weak[i - 2]) sample.own.push_back(shingle);
  }
  for (Shingles* shingles : {&sample.all, &sample.own}) {
    std::sort(shingles->begin(), shingles->end());
    shingles->erase(std::unique(shingles->begin(), shingles->end()), shingles->end());
  }
}

std::vector<Sample> load(const std::string& folder, std::size_t wanted) {
  std::vector<Sample> samples;
  const std::vector<std::string> files = html_files(folder);
  const std::size_t step = std::max<std::size_t>(1, files.size() / wanted);
  PageReader reader;
  HtmlPage page;
  std::set<std::string> seen;
  std::size_t equal = 0, short_texts = 0;
  // Adjacent files are most likely to be similar: runs of 20 files.
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i / 20 % step != 0) continue;
    reader.read(read_whole(files[i]), {}, page);
    Sample sample{files[i].substr(folder.size()), page.text, page.weak, {}, {}};
    take_shingles(sample);
    if (fingerprint_text(page.text, page.weak).words < kFewWords) {
      ++short_texts;
    } else if (!seen.insert(page.text).second) {
      ++equal;
    } else {
      samples.push_back(std::move(sample));
    }
  }
  fmt::print("{} pages with different texts of {} words or more ({} shorter, {} with a text seen before)\n",
             samples.size(), kFewWords, short_texts, equal);
  return samples;
}

double jaccard(const Shingles& a, const Shingles& b) {
  if (a.empty() && b.empty()) return 1;
  std::size_t both = 0, i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    both += a[i] == b[j] ? 1u : 0u;
    const bool step_a = a[i] <= b[j];
    const bool step_b = b[j] <= a[i];
    i += step_a ? 1u : 0u;
    j += step_b ? 1u : 0u;
  }
  return static_cast<double>(both) / static_cast<double>(a.size() + b.size() - both);
}

// Pairs that share a band of their MinHash values.
std::set<Pair> candidates(const std::vector<Sample>& samples, Shingles Sample::*which) {
  constexpr std::size_t kBands = 32, kRows = 4;
  std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>> bands(kBands);
  for (std::uint32_t i = 0; i < samples.size(); ++i) {
    for (std::size_t band = 0; band < kBands; ++band) {
      std::uint64_t key = band;
      for (std::size_t row = 0; row < kRows; ++row) {
        std::uint64_t least = ~0ull;
        for (const std::uint64_t shingle : samples[i].*which) {
          least = std::min(least, mix64(shingle + (band * kRows + row + 1) * 0x9e3779b97f4a7c15u));
        }
        key = mix64(key ^ least);
      }
      bands[band][key].push_back(i);
    }
  }
  std::set<Pair> pairs;
  for (const auto& band : bands) {
    for (const auto& [key, members] : band) {
      for (std::size_t a = 0; a < members.size(); ++a) {
        for (std::size_t b = a + 1; b < members.size() && b < a + 200; ++b)
          pairs.insert({members[a], members[b]});
      }
    }
  }
  return pairs;
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// What two pages have in common: of their own text if both have enough of it, else of all.
double share_of(const Sample& a, const Sample& b) {
  constexpr std::size_t kEnough = 16;
  const bool enough = a.own.size() >= kEnough && b.own.size() >= kEnough;
  return enough ? jaccard(a.own, b.own) : jaccard(a.all, b.all);
}

// For each page the best of its partners.
struct Best {
  double share = 0;  // largest share with a candidate
  int bits90 = 65;   // smallest distance to a page with a share of 90 %
  int bits95 = 65;
  double found[7] = {-1, -1, -1, -1, -1, -1, -1};  // largest share among the pages within this many bits
};

std::vector<Best> judge_pages(const std::vector<Sample>& samples, const std::set<Pair>& pairs,
                              const std::vector<std::uint64_t>& print) {
  std::vector<Best> best(samples.size());
  for (const auto& [a, b] : pairs) {
    const double share = share_of(samples[a], samples[b]);
    const int bits = hamming_distance(print[a], print[b]);
    for (const std::uint32_t page : {a, b}) {
      best[page].share = std::max(best[page].share, share);
      if (share >= 0.90) best[page].bits90 = std::min(best[page].bits90, bits);
      if (share >= 0.95) best[page].bits95 = std::min(best[page].bits95, bits);
    }
  }
  for (std::size_t a = 0; a < print.size(); ++a) {
    for (std::size_t b = a + 1; b < print.size(); ++b) {
      const int distance = hamming_distance(print[a], print[b]);
      if (distance > 6) continue;
      const double share = share_of(samples[a], samples[b]);
      for (int bits = distance; bits <= 6; ++bits) {
        best[a].found[bits] = std::max(best[a].found[bits], share);
        best[b].found[bits] = std::max(best[b].found[bits], share);
      }
    }
  }
  return best;
}

void judge(const std::vector<Sample>& samples, const std::vector<std::vector<std::uint64_t>>& prints) {
  std::set<Pair> pairs = candidates(samples, &Sample::own);
  pairs.merge(candidates(samples, &Sample::all));
  fmt::print("{:<18} {:>5} {:>16} {:>16} {:>10} {:>12} {:>12}\n", "weighing", "bits", "found of 90 %",
             "found of 95 %", "taken", "under 80 %", "under 50 %");
  for (std::size_t w = 0; w < prints.size(); ++w) {
    const std::vector<Best> best = judge_pages(samples, pairs, prints[w]);
    const auto count = [&](auto holds) {
      return static_cast<std::size_t>(std::count_if(best.begin(), best.end(), holds));
    };
    const std::size_t alike90 = count([](const Best& page) { return page.bits90 <= 64; });
    const std::size_t alike95 = count([](const Best& page) { return page.bits95 <= 64; });
    for (const int bits : {0, 1, 2, 3, 4, 6}) {
      const std::size_t taken = count([&](const Best& page) { return page.found[bits] >= 0; });
      const auto wrong = [&](double least) {
        return percent(
            count([&](const Best& page) { return page.found[bits] >= 0 && page.found[bits] < least; }),
            taken);
      };
      const std::size_t found90 = count([&](const Best& page) { return page.bits90 <= bits; });
      const std::size_t found95 = count([&](const Best& page) { return page.bits95 <= bits; });
      fmt::print("{:<18} {:>5} {:>5} {:>8.1f} % {:>5} {:>8.1f} % {:>10} {:>10.1f} % {:>10.1f} %\n",
                 kWeighings[w].name, bits, found90, percent(found90, alike90), found95,
                 percent(found95, alike95), taken, wrong(0.80), wrong(0.50));
    }
  }
}

void time_fingerprints(const std::vector<Sample>& samples) {
  std::size_t bytes = 0;
  const double start = seconds_used();
  std::uint64_t sum = 0;
  for (const Sample& sample : samples) {
    bytes += sample.text.size();
    sum += fingerprint_text(sample.text, sample.weak).simhash;
  }
  const double took = seconds_used() - start;
  fmt::print("\nfingerprints: {:.0f} MB/s of text ({:x})\n", static_cast<double>(bytes) / 1e6 / took, sum);
}

void time_index(std::size_t count) {
  SimhashIndex index;
  Rng rng(1);
  std::vector<std::uint64_t> prints(count);
  for (std::uint64_t& print : prints) print = rng.next();
  double start = seconds_used();
  for (std::size_t i = 0; i < count; ++i) index.add(prints[i], static_cast<std::uint32_t>(i));
  const double added = seconds_used() - start;
  std::vector<SimhashIndex::Match> matches;
  constexpr std::size_t kQueries = 200'000;
  std::size_t found = 0;
  start = seconds_used();
  for (std::size_t i = 0; i < kQueries; ++i) {
    index.find(prints[rng.below(count)] ^ (std::uint64_t{1} << rng.below(64)), matches);
    found += matches.size();
  }
  const double looked = seconds_used() - start;
  CHECK(found >= kQueries);  // each query differs from a stored one by one bit
  fmt::print("index of {} fingerprints: {:.0f} bytes each, {:.2f} us to add, {:.2f} us to look up\n", count,
             static_cast<double>(index.bytes()) / static_cast<double>(count),
             1e6 * added / static_cast<double>(count), 1e6 * looked / static_cast<double>(kQueries));
}

void check_index(const std::vector<std::uint64_t>& prints) {
  SimhashIndex index;
  for (std::size_t i = 0; i < prints.size(); ++i) index.add(prints[i], static_cast<std::uint32_t>(i));
  const std::set<std::uint64_t> kept(prints.begin(), prints.end());
  std::vector<SimhashIndex::Match> matches;
  for (std::size_t i = 0; i < prints.size(); i += 10) {
    index.find(prints[i], matches);
    const auto expected = std::count_if(kept.begin(), kept.end(), [&](std::uint64_t print) {
      return hamming_distance(print, prints[i]) <= kNearBits;
    });
    CHECK(matches.size() == static_cast<std::size_t>(expected));
  }
}

}  // namespace

int run(int argc, char** argv) {
  const std::vector<Sample> samples = load(pages_folder(argc, argv), argc > 2 ? std::stoul(argv[2]) : 12'000);
  if (!samples.empty()) {
    std::vector<std::vector<std::uint64_t>> prints;
    for (const Weighing& weighing : kWeighings) {
      auto& list = prints.emplace_back();
      for (const Sample& sample : samples) {
        const std::span<const TextSpan> weak =
            weighing.all_own ? std::span<const TextSpan>() : std::span<const TextSpan>(sample.weak);
        list.push_back(fingerprint_text(sample.text, weak, weighing.options).simhash);
      }
    }
    check_index(prints[3]);
    judge(samples, prints);
    time_fingerprints(samples);
  }
  for (const std::size_t count : {100'000u, 1'000'000u, 10'000'000u}) time_index(count);
  return 0;
}

}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  return bowerbird::bench::run(argc, argv);
}
