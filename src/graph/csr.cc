#include "graph/csr.h"

#include <algorithm>
#include <limits>

namespace bowerbird {

CsrGraph::CsrGraph(std::vector<std::uint64_t> offsets, std::vector<PageId> targets,
                   std::vector<std::uint32_t> weights) {
  CHECK(!offsets.empty() && offsets.back() == targets.size());
  CHECK(weights.empty() || weights.size() == targets.size());
  auto arrays = std::make_shared<Arrays>(Arrays{std::move(offsets), std::move(targets), std::move(weights)});
  offsets_ = arrays->offsets;
  targets_ = arrays->targets;
  weights_ = arrays->weights;
  keeper_ = std::move(arrays);
}

CsrGraph::CsrGraph(std::span<const std::uint64_t> offsets, std::span<const PageId> targets,
                   std::span<const std::uint32_t> weights, std::shared_ptr<const void> keeper)
    : keeper_(std::move(keeper)), offsets_(offsets), targets_(targets), weights_(weights) {
  CHECK(!offsets.empty());
}

Status CsrGraph::validate() const {
  if (offsets_.front() != 0) return error("the first offset is {}, not 0", offsets_.front());
  if (offsets_.back() != targets_.size()) {
    return error("the last offset is {}, but there are {} links", offsets_.back(), targets_.size());
  }
  if (!weights_.empty() && weights_.size() != targets_.size()) {
    return error("there are {} weights for {} links", weights_.size(), targets_.size());
  }
  const PageId n = pages();
  for (PageId page = 0; page < n; ++page) {
    if (offsets_[page + 1] < offsets_[page] || offsets_[page + 1] > targets_.size()) {
      return error("page {}: its offsets are {} to {}", page, offsets_[page], offsets_[page + 1]);
    }
    std::uint64_t least = 0;
    for (const PageId target : out(page)) {
      if (target >= n) return error("page {}: a link to {}, but there are only {} pages", page, target, n);
      if (target < least) return error("page {}: its links are not ascending and distinct", page);
      least = std::uint64_t{target} + 1;
    }
  }
  return {};
}

CsrBuilder::CsrBuilder(std::uint64_t expected_pages, std::uint64_t expected_links) {
  offsets_.reserve(expected_pages + 1);
  targets_.reserve(expected_links);
  offsets_.push_back(0);
}

void CsrBuilder::add(std::span<PageId> row, std::span<const std::uint32_t> weights) {
  if (weights.empty()) {
    if (!std::is_sorted(row.begin(), row.end())) std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0 || row[i] != row[i - 1]) targets_.push_back(row[i]);
    }
  } else {
    CHECK(weights.size() == row.size());
    CHECK(weights_.size() == targets_.size());
    sorting_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) sorting_.emplace_back(row[i], weights[i]);
    std::sort(sorting_.begin(), sorting_.end());
    for (const auto& [target, weight] : sorting_) {
      if (targets_.size() > offsets_.back() && targets_.back() == target) {
        const std::uint64_t sum = std::uint64_t{weights_.back()} + weight;
        weights_.back() = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
      } else {
        targets_.push_back(target);
        weights_.push_back(weight);
      }
    }
  }
  offsets_.push_back(targets_.size());
}

CsrGraph CsrBuilder::finish() && {
  offsets_.shrink_to_fit();
  targets_.shrink_to_fit();
  return CsrGraph(std::move(offsets_), std::move(targets_), std::move(weights_));
}

namespace {
constexpr std::uint64_t kLikelyDegree = 64;
}

Result<CsrGraph> to_csr(const Graph& graph) {
  std::vector<std::uint64_t> offsets;
  std::vector<PageId> targets;
  offsets.reserve(std::size_t{graph.pages()} + 1);
  offsets.push_back(0);
  // The number of links comes from a file, so the reserved memory is limited by the number of pages.
  targets.reserve(std::min(graph.links().value_or(0), std::uint64_t{graph.pages()} * kLikelyDegree));
  graph.scan(0, graph.pages(), [&](PageId, std::span<const PageId> links) {
    targets.insert(targets.end(), links.begin(), links.end());
    offsets.push_back(targets.size());
    return true;
  });
  BB_TRY_VOID(graph.status());
  return CsrGraph(std::move(offsets), std::move(targets));
}

CsrGraph transpose(const CsrGraph& graph) {
  std::vector<std::uint64_t> offsets(std::size_t{graph.pages()} + 1, 0);
  for (const PageId target : graph.targets()) ++offsets[target + 1];
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<PageId> targets(graph.targets().size());
  for (PageId page = 0; page < graph.pages(); ++page) {
    for (const PageId target : graph.out(page)) targets[next[target]++] = page;
  }
  return CsrGraph(std::move(offsets), std::move(targets));
}

}  // namespace bowerbird
