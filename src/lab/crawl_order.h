// How well a crawl kept the order that its ordering wanted.
//
// Problem: gates, slow hosts and many requests at once make a live crawl take pages in another order than its
// ordering would have. What that cost is measured on the crawl's own graph: the pages it got done and the
// links it followed between them, with PageRank over these as importance. Judged are the order in which the
// pages were done, the order in which the same ordering takes them when every host may be asked at any time
// and answers at once (a run of the lab), and the best order there is. Pages that were given up are part of
// the graph, without links. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "store/links.h"

namespace bowerbird {

struct CrawlOrderOptions {
  std::string policy;
  std::string strategy = "all";
  std::uint64_t random_seed = 1;
  std::vector<SeedPage> seeds;  // as the crawl numbers them
  AdmittedLinks admitted;
  std::size_t best = 50;  // so many of the most important pages are named
  unsigned threads = 1;
};

struct RankedPage {
  std::string url;
  double importance = 0;       // share of all PageRank
  std::uint64_t in_links = 0;  // from other pages
  std::uint64_t done_as = 0;   // 1 for the first page that was done
};

// An order: the share of all importance after `points[i]` pages, and the mean height of that curve.
struct JudgedOrder {
  std::vector<double> curve;
  double auc = 0;
};

struct CrawlOrder {
  std::uint64_t pages = 0;
  std::uint64_t links = 0;
  std::vector<std::uint64_t> points;
  JudgedOrder real;
  JudgedOrder unconstrained;  // empty where `trouble` says why
  JudgedOrder ideal;
  std::string trouble;
  std::vector<RankedPage> best;
  std::vector<float> gathered;  // [i]: the share of all importance after i pages, in the order they were done
};

Result<CrawlOrder> judge_crawl_order(const std::string& folder, const CrawlOrderOptions& options,
                                     const Progress& progress = {});

}  // namespace bowerbird
