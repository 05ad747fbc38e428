// How closely a crawl followed its ordering.
//
// Problem: gates, slow hosts and parallel requests make a live crawl take pages in another order than its
// ordering would. The loss is measured on the crawl's own graph: the pages that are done and the links it
// followed between them, with PageRank over these as importance. It compares the order in which the pages
// were done, the order of the same ordering without politeness and with immediate responses (a run of the
// lab), and the best possible order. Pages that were given up are part of the graph, without links. Threads:
// any.
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
  std::vector<SeedPage> seeds;  // in the page numbers of the crawl
  AdmittedLinks admitted;
  std::size_t best = 50;  // how many of the most important pages are listed
  unsigned threads = 1;
};

struct RankedPage {
  std::string url;
  double importance = 0;       // share of all PageRank
  std::uint64_t in_links = 0;  // from other pages
  std::uint64_t done_as = 0;   // 1 for the first page done
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
  JudgedOrder unconstrained;  // empty if `problem` says why
  JudgedOrder ideal;
  std::string problem;
  std::vector<RankedPage> best;
  std::vector<float>
      collected;  // [i]: the share of all importance after i pages, in the order they were done
};

Result<CrawlOrder> judge_crawl_order(const std::string& folder, const CrawlOrderOptions& options,
                                     const Progress& progress = {});

}  // namespace bowerbird
