#include "graph/synthetic_tree.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kTreeStream = 0x74726565;

struct StyleMix {
  Style style;
  unsigned share;  // of 256 directories
  double low;      // limits are log-uniform from here ...
  double high;     // ... to here
};

// Tuned on cnr-2000, uci-ics-2019 and hollins, as are the shares below (docs/synthetic-web.md).
constexpr StyleMix kStyles[] = {
    {Style::kList, 96, 4, 50},     {Style::kList, 10, 60, DirectoryTree::kMaxMembers},
    {Style::kContents, 24, 6, 60}, {Style::kChain, 10, 5, 40},
    {Style::kMesh, 44, 5, 36},     {Style::kNear, 28, 8, 120},
    {Style::kPaged, 12, 30, 3000}, {Style::kFiles, 32, 10, 400},
};
constexpr double kSequences = 50 / 256.;
constexpr double kSites = 140 / 256.;
constexpr double kHidden = 180 / 256.;
constexpr double kClosed = 100 / 256.;
constexpr double kSmallestSite = 60;
constexpr double kSiteSpread = 10;
constexpr double kFewestParts = 4;

}  // namespace

DirectoryTree::DirectoryTree() {
  Rng rng(kTreeStream);
  make_plans(rng);
  make_cuts(rng);
}

void DirectoryTree::make_plans(Rng& rng) {
  std::size_t next = 0;
  for (const StyleMix& mix : kStyles) {
    for (unsigned i = 0; i < mix.share; ++i) {
      CHECK(next < plans_.size());
      DirectoryPlan& plan = plans_[next++];
      plan.style = mix.style;
      plan.limit = static_cast<std::uint16_t>(mix.low * std::pow(mix.high / mix.low, (i + 0.5) / mix.share));
      plan.group =
          static_cast<std::uint8_t>(mix.style == Style::kPaged ? 8 + rng.below(32) : 1 + rng.below(4));
      plan.sequence = rng.unit() < kSequences;
      const double site_size = kSmallestSite * std::pow(kSiteSpread, rng.unit());
      plan.site_size = rng.unit() < kSites ? static_cast<std::uint16_t>(site_size) : 0xffff;
      plan.hidden = rng.unit() < kHidden;
      plan.closed = rng.unit() < kClosed;
    }
  }
  CHECK(next == plans_.size());
}

void DirectoryTree::make_cuts(Rng& rng) {
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    Cuts& cuts = cuts_[c];
    const double quantile = (static_cast<double>(c) + 0.5) / static_cast<double>(cuts_.size());
    cuts.parts = static_cast<std::uint32_t>(kFewestParts * std::pow(kMaxParts / kFewestParts, quantile));
    std::array<double, kMaxParts> weight{};
    for (std::uint32_t i = 0; i < cuts.parts; ++i) weight[i] = 0.02 + rng.unit() * rng.unit() * rng.unit();
    double sum = 0;
    for (const double w : weight) sum += w;
    // No part takes more than half, so that the tree stays shallow.
    const double largest = *std::max_element(weight.begin(), weight.end());
    const double even = largest > 0.45 * sum ? largest : 0.0;
    sum += even * cuts.parts;
    double upto = 0;
    for (std::uint32_t i = 0; i < cuts.parts; ++i) {
      cuts.at[i] = static_cast<std::uint32_t>(upto / sum * 65536);
      upto += weight[i] + even;
    }
    for (std::uint32_t i = cuts.parts; i <= kMaxParts; ++i) cuts.at[i] = 65536;
    for (std::uint32_t i = 0; i < cuts.guide.size(); ++i) {
      std::uint32_t part = 0;
      while (part + 1 < cuts.parts && cuts.at[part + 1] <= i << 10) ++part;
      cuts.guide[i] = static_cast<std::uint8_t>(part);
    }
  }
}

std::uint32_t DirectoryTree::part_of(const Directory& directory, PageId page) const {
  const Cuts& cuts = cuts_of(directory);
  const std::uint64_t position = page - directory.first - 1;
  std::uint32_t number = cuts.guide[((position << 16) / (directory.size - 1)) >> 10];
  while (cut(directory, cuts, number + 1) <= page) ++number;
  return number;
}

void DirectoryTree::enter(const Directory& root, Place& place) const {
  place.path[0] = root;
  place.depth = 0;
  place.site = 0;
}

void DirectoryTree::move(PageId page, Place& place) const {
  int depth = place.depth;
  while (!place.at(depth).contains(page)) --depth;
  if (place.site > depth) {
    place.site = depth;
    while (place.site > 0 && !site(place.at(place.site))) --place.site;
  }
  for (;;) {
    const Directory& directory = place.at(depth);
    place.leaf = leaf(directory);
    if (place.leaf || page == directory.first) break;
    const std::uint32_t number = part_of(directory, page);
    CHECK(depth + 1 < Place::kMaxDepth);
    ++depth;
    place.path[static_cast<std::size_t>(depth)] = part(directory, number);
    place.number[static_cast<std::size_t>(depth)] = static_cast<std::uint8_t>(number);
    if (site(place.at(depth))) place.site = depth;
  }
  place.depth = depth;
}

bool DirectoryTree::before_hidden(PageId page, const Place& place) const {
  int level = place.depth;
  while (place.at(level).last() == page) {
    if (level == 0) return false;
    --level;
  }
  if (level == place.depth) return false;
  const Directory& parent = place.at(level);
  std::uint32_t number = place.number[static_cast<std::size_t>(level) + 1];
  Directory next{};
  while (next.size == 0) next = part(parent, ++number);
  return hidden(next, number, parent);
}

}  // namespace bowerbird
