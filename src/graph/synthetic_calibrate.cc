// How the synthetic web gets the degree, the inter-host share and the dangling share it was asked for: a
// sample of pages is measured, and the scales of menus, external links and files are set anew, a few times.
#include <algorithm>
#include <vector>

#include "graph/synthetic_model.h"

namespace bowerbird {

namespace {

constexpr std::uint32_t kSamples = 16384;
constexpr int kRounds = 5;
constexpr std::uint32_t kLargestScale = 64 * 256;
constexpr std::uint32_t kAllDangling = 4096;

// One page of each of equal stretches, ascending; all pages of a small web.
std::vector<PageId> sample(PageId pages, std::uint64_t seed) {
  const std::uint32_t samples = std::min<std::uint32_t>(pages, kSamples);
  std::vector<PageId> chosen(samples);
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t first = i * pages / samples;
    const std::uint64_t last = (i + 1) * pages / samples;
    chosen[i] = static_cast<PageId>(first + to_below(draw(seed, i), last - first));
  }
  return chosen;
}

std::uint32_t rescaled(std::uint32_t scale, double wanted, double found) {
  if (wanted <= 0) return 0;
  if (found <= 0) return scale;
  return static_cast<std::uint32_t>(std::clamp(scale * wanted / found, 1.0, 1.0 * kLargestScale));
}

}  // namespace

// The number of dangling pages grows with its scale and depends on nothing else: bisection.
void SyntheticModel::calibrate_dangling(const SyntheticOptions& options) {
  const std::vector<PageId> pages = sample(layout_.pages(), options.seed);
  auto common = std::make_unique<Common>();
  const double wanted = options.dangling * static_cast<double>(pages.size());
  std::uint32_t low = 0;
  std::uint32_t high = kAllDangling;
  while (low < high) {
    scale_.dangling = (low + high) / 2;
    std::uint32_t found = 0;
    for (const PageId page : pages) {
      locate(page, *common);
      found += dangling(page, page_bits(page), common->place);
    }
    if (found < wanted) {
      low = scale_.dangling + 1;
    } else {
      high = scale_.dangling;
    }
  }
  scale_.dangling = low;
}

void SyntheticModel::calibrate(const SyntheticOptions& options) {
  calibrate_dangling(options);
  const std::vector<PageId> pages = sample(layout_.pages(), options.seed);
  auto common = std::make_unique<Common>();
  std::vector<PageId> row(kMaxRow);
  auto measure = [&](std::uint64_t& all, std::uint64_t& external) {
    all = external = 0;
    common->menu_of = kNoPage;
    for (const PageId page : pages) {
      prepare(page, *common);
      const std::uint32_t n = links(page, *common, row.data());
      all += n;
      for (std::uint32_t i = 0; i < n; ++i) external += row[i] - common->host.first >= common->host.size;
    }
  };
  const double wanted = options.degree * static_cast<double>(pages.size());
  std::uint64_t all;
  std::uint64_t external;
  scale_.menu = 0;
  measure(all, external);
  const double without_menus = static_cast<double>(all - external);
  scale_.menu = 256;
  for (int round = 0; round < kRounds; ++round) {
    measure(all, external);
    scale_.external = rescaled(scale_.external, options.inter * wanted, static_cast<double>(external));
    scale_.menu = rescaled(scale_.menu, wanted * (1 - options.inter) - without_menus,
                           static_cast<double>(all - external) - without_menus);
  }
}

}  // namespace bowerbird
