// How many robots.txt decisions per second does one core make, how fast is a file parsed, and how much
// memory do the rules of a host need? Five kinds of files that are typical of sites, with the paths of real
// URLs (the graphs in BOWERBIRD_DATA) or, if there are none, generated ones. Every answer is verified with
// the obvious matcher first, and that matcher is timed too.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "parse/robots.h"
#include "parse/robots_reference.h"
#include "sys/line_reader.h"
#include "url/canonical.h"

namespace bowerbird {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> real_targets() {
  std::vector<std::string> targets;
  const char* data = std::getenv("BOWERBIRD_DATA");
  const fs::path folder =
      data != nullptr ? fs::path(data) : fs::path(BOWERBIRD_SOURCE_DIR) / "../shared/data";
  if (!fs::exists(folder)) return targets;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.path().string().ends_with(".urls.gz")) continue;
    auto stream = InputStream::open(entry.path().string());
    if (!stream.ok()) continue;
    LineReader lines(**stream);
    std::string_view line;
    Url url;
    for (std::size_t i = 0;; ++i) {
      const auto more = lines.next(line);
      if (!more.ok() || !*more) break;
      if (i % 7 == 0 && canonical_url(line, nullptr, url) == UrlFault::kNone)
        targets.emplace_back(url.target());
    }
  }
  return targets;
}

const std::vector<std::string>& targets() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list = real_targets();
    Rng rng(1);
    while (list.size() < 10'000)
      list.push_back(fmt::format("/{}/{}/page-{}.html", rng.below(50), rng.below(9), rng.below(999)));
    return list;
  }();
  return all;
}

// The first folders of the targets, so that rules and paths match.
std::string folder_of(Rng& rng) {
  const std::string& target = targets()[rng.below(targets().size())];
  const std::size_t depth = rng.below(3);
  std::size_t end = 0;
  for (std::size_t i = 0; i <= depth && end != std::string::npos; ++i) end = target.find('/', end + 1);
  return target.substr(0, end == std::string::npos ? end : end + 1);
}

std::string file_of(int shape) {
  Rng rng(static_cast<std::uint64_t>(shape));
  std::string text = "user-agent: *\n";
  const auto prefixes = [&](int count) {
    for (int i = 0; i < count; ++i)
      text += fmt::format("{}: {}\n", rng.below(5) ? "disallow" : "allow", folder_of(rng));
  };
  const auto wildcards = [&](int count) {
    static constexpr std::string_view kShapes[] = {"/*?*sort_by={}", "/*/{}/*.pdf$", "/*%2B{}",
                                                   "/{}*/print",     "/*&page={}",   "/*.{}$",
                                                   "*/feed{}/",      "/{}/*/*.json"};
    for (int i = 0; i < count; ++i) {
      text += fmt::format("{}: {}\n", rng.below(5) ? "disallow" : "allow",
                          fmt::format(fmt::runtime(kShapes[rng.below(std::size(kShapes))]), rng.below(1000)));
    }
  };
  switch (shape) {
    case 0:  // a blog: two rules
      return text + "disallow: /wp-admin/\nallow: /wp-admin/admin-ajax.php\n";
    case 1:  // an institution
      prefixes(20);
      break;
    case 2:  // a shop
      prefixes(30);
      wildcards(40);
      break;
    case 3:  // an encyclopedia
      prefixes(400);
      wildcards(10);
      break;
    default:  // everything
      prefixes(3000);
      wildcards(300);
  }
  return text;
}

void verify(const RobotsText& text, const RobotsRules& rules) {
  for (std::size_t i = 0; i < targets().size(); i += 499) {
    if (rules.allows(targets()[i]) == reference_allows(text, "Bowerbird", targets()[i])) continue;
    fmt::print(stderr, "wrong decision on {}\n", targets()[i]);
    std::exit(1);
  }
}

void BM_Decide(benchmark::State& state) {
  const RobotsText text = parse_robots(file_of(static_cast<int>(state.range(0))));
  const RobotsRules rules = RobotsRules::make(text, "Bowerbird");
  verify(text, rules);
  std::size_t allowed = 0;
  for (auto _ : state) {
    allowed = 0;
    for (const std::string& target : targets()) allowed += rules.allows(target);
    benchmark::DoNotOptimize(allowed);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * targets().size()));
  state.counters["rules"] = static_cast<double>(rules.size());
  state.counters["bytes"] = static_cast<double>(rules.memory());
  state.counters["allowed"] = static_cast<double>(allowed) / static_cast<double>(targets().size());
}

void BM_ObviousMatcher(benchmark::State& state) {
  const RobotsText text = parse_robots(file_of(static_cast<int>(state.range(0))));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(reference_allows(text, "Bowerbird", targets()[i]));
    i = (i + 499) % targets().size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void BM_Parse(benchmark::State& state) {
  const std::string file = file_of(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(RobotsRules::make(parse_robots(file), "Bowerbird"));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * file.size()));
}

// 0 a blog, 1 an institution, 2 a shop, 3 an encyclopedia, 4 thousands of rules.
BENCHMARK(BM_Decide)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ObviousMatcher)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Parse)->DenseRange(0, 4)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
