// How often the pages of a simulated web change: drawn, read from a file, or learned from visits.
//
//   lognormal:median=0.05,sigma=1.5       drawn for each page, in changes per day (the default)
//   power:exponent=1.5,least=0.001,most=24  density proportional to rate^-exponent
//   per-host:median=0.05,sigma=1,within=1 lognormal for each host, and around that for its pages
//   file:NAME                             one rate per page and line, in the order of the graph's pages
//   visits:NAME                           learned from a list of visits: page, day, and 1 if it had changed
//   visits                                learned from the visits of the crawl whose folder the graph is
//   truth:NAME                            those of a test Web (lab/refresh/truth.h), with its change times
//
// In files '#' begins a comment. Drawn rates depend on the random seed and the page's number in the graph.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "policy/registry.h"

namespace bowerbird {

struct RateSpec {
  enum class Kind { kLognormal, kPower, kPerHost, kFile, kVisits, kTruth };

  Kind kind = Kind::kLognormal;
  double median = 0.05, sigma = 1.5, within = 1;
  double exponent = 1.5, least = 0.001, most = 24;
  std::string file;  // of kFile, kVisits and kTruth; empty with kVisits: the crawl's own
  std::string text = "lognormal";

  bool from_crawl() const { return kind == Kind::kVisits && file.empty(); }

  static Result<RateSpec> parse(std::string_view text);
};

// A visit of a page; the first one of a page only starts its clock.
struct PageVisit {
  PageId page = 0;
  double day = 0;
  bool changed = false;
};

// For pages 0 ... pages-1, each visited in order of time. Pages without visits have the rate of their host.
std::vector<double> rates_from_visits(std::span<const PageVisit> visits, PageId pages, const HostOf& hosts);

// visits: those of the crawl, if the graph is a crawl folder; otherwise empty. kTruth: all are 0, until
// set_truth() is called.
Result<std::vector<double>> choose_rates(const RateSpec& spec, PageId pages, const HostOf& hosts,
                                         std::uint64_t random_seed, std::span<const PageVisit> visits = {});

}  // namespace bowerbird
