#include "export/site_blocks.h"

#include <algorithm>

#include "base/hash.h"

namespace bowerbird {

std::uint64_t site_of(const Url& url) {
  return hash64(url.hostname());
}

std::vector<std::size_t> sampled_pages(std::size_t count) {
  std::vector<std::size_t> sampled;
  if (count < SiteBlocks::kFewestPages) return sampled;
  const std::size_t size = std::min(count, SiteBlocks::kSampledPages);
  for (std::size_t i = 0; i < size; ++i) sampled.push_back(i * count / size);
  return sampled;
}

void SiteBlocks::add_page(std::vector<std::uint64_t> pairs) {
  pairs.resize(std::min(pairs.size(), kMostPairsOfPage));
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    PairCount& count = counts_[pairs[i]];
    ++count.times;
    if (i == 0 || pairs[i] != pairs[i - 1]) ++count.pages;
  }
  if (!pairs.empty()) ++pages_;
}

void SiteBlocks::end_site(std::uint64_t site) {
  const std::size_t enough = std::max(kFewest, (pages_ + 1) / 2);
  std::vector<std::uint64_t> repeated;
  for (const auto& [pair, count] : counts_) {
    if (count.pages >= enough && count.times <= kMostTimes * count.pages) repeated.push_back(pair);
  }
  std::sort(repeated.begin(), repeated.end());
  if (pages_ >= kFewestPages && !repeated.empty() && pairs_.size() + repeated.size() <= kMostPairs) {
    sites_[site] = {pairs_.size(), pairs_.size() + repeated.size()};
    pairs_.insert(pairs_.end(), repeated.begin(), repeated.end());
  }
  counts_.clear();
  pages_ = 0;
}

std::span<const std::uint64_t> SiteBlocks::of(std::uint64_t site) const {
  const auto found = sites_.find(site);
  if (found == sites_.end()) return {};
  return std::span(pairs_).subspan(found->second.begin, found->second.end - found->second.begin);
}

}  // namespace bowerbird
