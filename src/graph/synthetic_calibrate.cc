// Calibrates the degree, the inter-host share and the dangling share of the synthetic web: a sample of pages
// is measured repeatedly while the scales of files, menus and external links are adjusted.
#include <algorithm>
#include <vector>

#include "graph/synthetic_model.h"

namespace bowerbird {

namespace {

constexpr std::uint32_t kSamples = 16384;
constexpr std::uint32_t kLargestMenu = 32 * 256;
constexpr double kMostExternal = 128 * 256;
constexpr double kFewestPerRoot = 0.2;
constexpr double kMostPerRoot = 50;
constexpr std::uint32_t kAllDangling = 4096;

// One page of each of equal ranges, ascending; all pages of a small web.
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

}  // namespace

// The number of dangling pages depends only on its scale, and grows with it: bisection.
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
      found += dangling(page, page_bits(page), common->position);
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
  auto measure = [&] {
    std::uint64_t all = 0;
    std::uint64_t external = 0;
    common->menu_of = kNoPage;
    for (const PageId page : pages) {
      prepare(page, *common);
      const std::uint32_t n = links(page, *common, row.data());
      all += n;
      for (std::uint32_t i = 0; i < n; ++i) external += row[i] - common->host.first >= common->host.size;
    }
    return std::pair(all, external);
  };
  const double wanted = options.degree * static_cast<double>(pages.size());
  const double wanted_external = options.inter * wanted;
  auto too_few = [&] {
    const auto [all, external] = measure();
    if (external > 0) {  // proportional to their scale, so that a few rounds suffice
      const double factor = wanted_external / static_cast<double>(external);
      scale_.external = static_cast<std::uint32_t>(std::clamp(scale_.external * factor, 1.0, kMostExternal));
    }
    return static_cast<double>(all - external) < wanted - wanted_external;
  };
  // Links within hosts grow with the largest size of menus, and with their scale.
  scale_.menu = kLargestMenu;
  for (menu_per_root_ = kFewestPerRoot; menu_per_root_ < kMostPerRoot && too_few();) menu_per_root_ *= 1.25;
  std::uint32_t low = 0;
  std::uint32_t high = kLargestMenu;
  while (low < high) {
    scale_.menu = (low + high) / 2;
    if (too_few()) {
      low = scale_.menu + 1;
    } else {
      high = scale_.menu;
    }
  }
  scale_.menu = low;
}

}  // namespace bowerbird
