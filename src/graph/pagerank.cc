#include "graph/pagerank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowerbird {

namespace {

// Ranges of pages for one thread at a time; more than threads, so that uneven ones balance out.
constexpr unsigned kParts = 64;
// Fewer links than this are not worth a thread.
constexpr std::uint64_t kLinksPerThread = 50'000;

struct PartSums {
  double change = 0;
  double dangling = 0;
};

class Iteration {
 public:
  Iteration(const CsrGraph& sources, std::span<const std::uint32_t> out_degrees, const RankArrays& arrays,
            const PageRankOptions& options)
      : sources_(sources), degrees_(out_degrees), arrays_(arrays), options_(options) {
    const PageId n = sources.pages();
    for (PageId page = 0; page < n; ++page) {
      arrays_.rank[page] = 1.0 / n;
      if (degrees_[page] == 0) dangling_ += arrays_.rank[page];
      arrays_.given[page] = given(page);
    }
  }

  // Returns the L1 change.
  double step() {
    const auto n = static_cast<double>(sources_.pages());
    const double base = (1 - options_.damping + options_.damping * dangling_) / n;
    std::vector<PartSums> sums(kParts);
    const std::uint64_t worth = sources_.links().value_or(0) / kLinksPerThread + 1;
    const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(options_.threads, worth));
    parallel_ranges(sources_.pages(), kParts, threads,
                    [&](unsigned part, std::uint64_t first, std::uint64_t last) {
                      sums[part] = pull(static_cast<PageId>(first), static_cast<PageId>(last), base);
                    });
    std::swap(arrays_.given, arrays_.next_given);
    dangling_ = 0;
    double change = 0;
    for (const PartSums& sum : sums) {
      dangling_ += sum.dangling;
      change += sum.change;
    }
    return change;
  }

 private:
  double given(PageId page) const {
    return degrees_[page] == 0 ? 0 : arrays_.rank[page] / static_cast<double>(degrees_[page]);
  }

  PartSums pull(PageId first, PageId last, double base) {
    PartSums sums;
    for (PageId page = first; page < last; ++page) {
      double received = 0;
      for (const PageId source : sources_.out(page)) received += arrays_.given[source];
      const double rank = base + options_.damping * received;
      sums.change += std::fabs(rank - arrays_.rank[page]);
      arrays_.rank[page] = rank;
      if (degrees_[page] == 0) sums.dangling += rank;
      arrays_.next_given[page] = given(page);
    }
    return sums;
  }

  const CsrGraph& sources_;  // the reversed graph
  std::span<const std::uint32_t> degrees_;
  RankArrays arrays_;  // given: rank / out-degree, what each link of a page passes on
  const PageRankOptions& options_;
  double dangling_ = 0;
};

// Progress, of 1000: the change shrinks by about the damping factor per step, so its logarithm shows it.
std::uint64_t progress_of(const PageRank& state, const PageRankOptions& options) {
  if (options.tolerance <= 0 || options.tolerance >= 1) {
    return std::uint64_t{1000} * state.iterations / options.max_iterations;
  }
  const double change = std::clamp(state.change, options.tolerance, 1.0);
  return static_cast<std::uint64_t>(1000 * std::log(change) / std::log(options.tolerance));
}

}  // namespace

Result<PageRank> pagerank_of_sources(const CsrGraph& sources, std::span<const std::uint32_t> out_degrees,
                                     const RankArrays& arrays, const PageRankOptions& options,
                                     const Progress& progress) {
  PageRank result;
  if (sources.pages() == 0) {
    result.converged = true;
    return result;
  }
  Iteration iteration(sources, out_degrees, arrays, options);
  while (result.iterations < options.max_iterations && !result.converged) {
    result.change = iteration.step();
    ++result.iterations;
    result.converged = result.change < options.tolerance;
    const std::string what =
        fmt::format("PageRank iteration {}, change {:.1e}", result.iterations, result.change);
    if (!progress.tick(what, progress_of(result, options), 1000)) {
      return error("PageRank was stopped after {} iterations", result.iterations);
    }
  }
  return result;
}

Result<PageRank> pagerank(const CsrGraph& graph, const PageRankOptions& options, const Progress& progress) {
  const PageId n = graph.pages();
  std::vector<std::uint32_t> degrees(n);
  for (PageId page = 0; page < n; ++page) degrees[page] = static_cast<std::uint32_t>(graph.degree(page));
  std::vector<double> rank(n), given(n), next_given(n);
  BB_TRY(PageRank result,
         pagerank_of_sources(transpose(graph), degrees, {rank, given, next_given}, options, progress));
  result.rank = std::move(rank);
  return result;
}

std::vector<std::uint32_t> in_degrees(const CsrGraph& graph) {
  std::vector<std::uint32_t> degrees(graph.pages(), 0);
  for (const PageId target : graph.targets()) ++degrees[target];
  return degrees;
}

std::vector<PageId> top_pages(const std::vector<double>& value, std::uint64_t k) {
  std::vector<PageId> pages(value.size());
  std::iota(pages.begin(), pages.end(), PageId{0});
  k = std::min<std::uint64_t>(k, pages.size());
  const auto better = [&](PageId a, PageId b) { return value[a] != value[b] ? value[a] > value[b] : a < b; };
  std::partial_sort(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(k), pages.end(), better);
  pages.resize(k);
  return pages;
}

}  // namespace bowerbird
