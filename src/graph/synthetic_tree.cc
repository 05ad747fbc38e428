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

// docs/synthetic-web.md compares these shares and sizes with real webs; they were found by trial.
constexpr StyleMix kStyles[] = {
    {Style::kList, 90, 4, 100},    {Style::kList, 20, 60, DirectoryTree::kMaxMembers},
    {Style::kContents, 24, 6, 60}, {Style::kChain, 10, 5, 40},
    {Style::kMesh, 40, 5, 36},     {Style::kNear, 28, 8, 120},
    {Style::kPaged, 12, 30, 3000}, {Style::kFiles, 32, 10, 600},
};
constexpr double kSequences = 0.2;    // of inner directories
constexpr double kSites = 0.8;        // of directories that are large enough,
constexpr double kLargestSite = 600;  // ... which is from kSmallestSite pages for some to this for others
constexpr double kClosed = 0.7;       // of sites
constexpr double kFewestParts = 3;
constexpr double kMostParts = 30;
constexpr std::size_t kFirstAlike = 26;  // cuts into many parts may be into parts of one kind,
constexpr double kAlike = 0.75;          // ... and most are

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
      const double site_size = kSmallestSite * std::pow(kLargestSite / kSmallestSite, rng.unit());
      plan.site_size = rng.unit() < kSites ? static_cast<std::uint32_t>(site_size) : 0xffffffffu;
      plan.closed = rng.unit() < kClosed;
    }
  }
  CHECK(next == plans_.size());
}

void DirectoryTree::make_cuts(Rng& rng) {
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    Cuts& cuts = cuts_[c];
    const double quantile = (static_cast<double>(c) + 0.5) / static_cast<double>(cuts_.size());
    cuts.parts = static_cast<std::uint32_t>(kFewestParts * std::pow(kMostParts / kFewestParts, quantile));
    cuts.alike = c >= kFirstAlike && rng.unit() < kAlike ? ~0xffffffffull : 0;
    std::array<double, kMaxParts> weight{};
    for (std::uint32_t i = 0; i < cuts.parts; ++i)
      weight[i] = cuts.alike != 0 ? 0.7 + 0.6 * rng.unit() : 0.02 + rng.unit() * rng.unit() * rng.unit();
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
      while (part + 1 < cuts.parts && cuts.at[part + 1] <= i << (16 - kGuideBits)) ++part;
      cuts.guide[i] = static_cast<std::uint8_t>(part);
    }
  }
}

void DirectoryTree::move(PageId page, TreePosition& position) const {
  int depth = position.depth;
  while (!position.at(depth).contains(page)) --depth;
  if (position.site > depth) {
    position.site = depth;
    while (position.site > 0 && !site(position.at(position.site))) --position.site;
    position.top = std::min(position.top, position.site);
    while (position.top > 0 && !(site(position.at(position.top)) && plan(position.at(position.top)).closed))
      --position.top;
  }
  int site_depth = position.site;  // unpredictable, so chosen without a branch
  int top = position.top;
  for (;;) {
    const Directory& directory = position.at(depth);
    position.leaf = leaf(directory);
    if (position.leaf || page == directory.first) break;
    const std::uint32_t number = part_of(directory, page);
    const Directory next = part(directory, number);
    CHECK(depth + 1 < TreePosition::kMaxDepth);
    ++depth;
    position.path[static_cast<std::size_t>(depth)] = next;
    position.number[static_cast<std::size_t>(depth)] = static_cast<std::uint8_t>(number);
    const bool is_site = site(next);
    site_depth = is_site ? depth : site_depth;
    top = is_site && plan(next).closed ? depth : top;
  }
  position.site = site_depth;
  position.top = top;
  position.depth = depth;
}

bool DirectoryTree::before_hidden(PageId page, const TreePosition& position) const {
  int level = position.depth;
  while (position.at(level).last() == page) {
    if (level == 0) return false;
    --level;
  }
  if (level == position.depth) return false;
  const Directory& parent = position.at(level);
  std::uint32_t number = position.number[static_cast<std::size_t>(level) + 1];
  Directory next{};
  while (next.size == 0) next = part(parent, ++number);
  return hidden(next, number, parent);
}

}  // namespace bowerbird
