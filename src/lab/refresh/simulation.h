// Simulates keeping the pages of a web fresh: the live crawler's queue (frontier/refresh_queue.h) over pages
// that change at random times.
//
// Every page changes as a Poisson process. Fetch k happens at day k/R; its result is passed to the queue.
// Without discovery all pages are fetched at day 0. With discovery only the seeds are known at first, a
// page's links are found when it is fetched, and fetches of new pages use the same budget. Each page has its
// own random stream of changes, so that they are the same for all policies. The reference set has one stream
// for all, with one draw for each page at day 0 and another after each fetch that found a change. Changes may
// also be given (lab/refresh/truth.h); then pages can appear later, and are found on pages that are fetched
// after that, or at once without discovery. Deterministic. Threads: any, each with its own run.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "frontier/refresh_queue.h"
#include "graph/graph.h"
#include "lab/refresh/meter.h"

namespace bowerbird {

// The simulated pages 0 ... n-1: those of a graph that its seeds reach. Outlives the runs.
struct RefreshWorld {
  std::vector<double> importance;            // sums to 1
  std::vector<double> rates;                 // changes per day
  std::vector<HostId> hosts;                 // empty: one host
  std::vector<std::vector<double>> changes;  // days, ascending, by page; empty: they are drawn
  std::vector<double> born;                  // days; empty: all pages exist from the start

  // For discovery: the links, in the numbers of the graph, and the mapping between its pages and ours.
  const Graph* graph = nullptr;
  std::vector<PageId> in_graph;  // by page
  std::vector<PageId> of_graph;  // by page of the graph; kNoPage: not reachable
  std::vector<PageId> seeds;

  PageId pages() const { return static_cast<PageId>(importance.size()); }
};

struct RefreshRun {
  std::string policy = std::string(kDefaultRefresh);
  bool known_rates = false;  // the queue gets the true rates; otherwise it learns them
  bool host_rates = true;    // RefreshOptions::host_rates
  bool discovery = false;
  bool dates = false;  // a page that has changed says when (Last-Modified); not with one_stream
  double per_day = 0;  // fetches
  double days = 300;
  double warm_up = 150;
  std::uint64_t seed = 1;   // of the changes
  bool one_stream = false;  // one stream of changes for all pages, with the seed as its state
  std::size_t slices = 0;   // of the curves
  Duration shortest = kHour;
  Duration longest = 90 * kDay;
  double least_new = 0, most_new = 1;
};

struct RefreshResult {
  RefreshMeans means;  // after the warm-up
  std::vector<RefreshMeans> curve;
  std::uint64_t fetches = 0;          // all
  std::uint64_t new_fetches = 0;      // first fetches of a page
  std::uint64_t overdue_fetches = 0;  // fetches because of the longest interval
  double changed = 0;                 // share of fetches after the warm-up that found a change
  double rate_error = 0;              // mean of |ln(learned rate / rate)| at the end
  std::uint64_t bytes = 0;            // of the queue
  RefreshWork work;                   // of the queue
  double seconds = 0;
  bool stopped = false;
};

// Fails on an unknown policy, or a corrupt graph file. Ends early once `stop` is set.
Result<RefreshResult> simulate_refresh(const RefreshWorld& world, const RefreshRun& run,
                                       const std::atomic<bool>& stop);

}  // namespace bowerbird
