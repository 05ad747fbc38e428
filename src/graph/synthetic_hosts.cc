#include "graph/synthetic_hosts.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/rng.h"

namespace bowerbird {

namespace {

constexpr unsigned kGuideBits = 12;
constexpr std::uint64_t kLayoutStream = 0x6c61796f7574;

struct SizeClass {
  std::uint32_t low;
  std::uint32_t high;  // exclusive
  double expected;     // hosts of this size in a web of one host
};

double mean_size(const SizeClass& c) {
  return 0.5 * static_cast<double>(c.low + c.high - 1);
}

// Sizes 1, 2, 3 ... then in steps of an eighth, each with its share of a power law.
std::vector<SizeClass> size_classes(std::uint32_t largest, double exponent) {
  std::vector<SizeClass> classes;
  for (std::uint64_t low = 1; low <= largest;) {
    const std::uint64_t high =
        std::min<std::uint64_t>(low + std::max<std::uint64_t>(1, low / 8), largest + 1ull);
    SizeClass c{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high), 0};
    c.expected = static_cast<double>(high - low) * std::pow(mean_size(c), -exponent);
    classes.push_back(c);
    low = high;
  }
  return classes;
}

}  // namespace

const std::vector<SyntheticDomain>& synthetic_domains() {
  static const std::vector<SyntheticDomain> domains = {{"com", 44},  {"org", 10}, {"net", 7},   {"de", 7},
                                                       {"co.uk", 5}, {"edu", 4},  {"it", 4},    {"fr", 3},
                                                       {"nl", 3},    {"pl", 3},   {"jp", 2},    {"com.br", 2},
                                                       {"ch", 2},    {"info", 2}, {"ac.uk", 1}, {"gov", 1}};
  return domains;
}

StepTable::StepTable(std::vector<std::uint32_t> starts) : starts_(std::move(starts)) {
  while ((limit() >> shift_) >= (1u << kGuideBits)) ++shift_;
  guide_.resize((limit() >> shift_) + 2);
  std::uint32_t step = 0;
  for (std::uint64_t i = 0; i < guide_.size(); ++i) {
    while (step + 1 < steps() && starts_[step + 1] <= (i << shift_)) ++step;
    guide_[i] = step;
  }
}

std::vector<HostLayout::Segment> HostLayout::plan(const SyntheticOptions& options) const {
  const auto& domains = synthetic_domains();
  double total_weight = 0;
  for (const auto& domain : domains) total_weight += domain.weight;

  const double share = std::ceil(options.largest_host * static_cast<double>(options.pages));
  const auto largest = static_cast<std::uint32_t>(
      std::clamp(share, 1.0, static_cast<double>(std::min(options.host_pages, options.pages))));
  std::vector<SizeClass> classes = size_classes(largest, options.host_exponent);
  double pages_of_one = 0;
  for (const SizeClass& c : classes) pages_of_one += c.expected * mean_size(c);

  // From the largest hosts down, each class rounded so that the sum stays right. The remainder is distributed
  // among the smaller ones, so that one large host more or less hardly changes the number of hosts.
  std::vector<std::vector<Segment>> by_domain(domains.size());
  Rng rng(options.seed ^ kLayoutStream);
  std::uint64_t left = options.pages;
  double cumulated = 0.5;
  auto add = [&](std::size_t domain, std::uint32_t size, std::uint64_t hosts) {
    hosts = std::min<std::uint64_t>(hosts, left / size);
    if (hosts == 0) return;
    left -= hosts * size;
    static constexpr std::uint16_t kSiteHosts[] = {1, 1, 1, 1, 1, 1, 2, 2, 3, 6};
    by_domain[domain].push_back({size, static_cast<std::uint32_t>(hosts), static_cast<std::uint16_t>(domain),
                                 kSiteHosts[rng.below(std::size(kSiteHosts))]});
  };
  auto random_size = [&](const SizeClass& c) {
    return c.low + static_cast<std::uint32_t>(rng.below(c.high - c.low));
  };
  for (auto c = classes.rbegin(); c != classes.rend(); ++c) {
    const auto before = static_cast<std::uint64_t>(cumulated);
    cumulated += c->expected * static_cast<double>(left) / pages_of_one;
    pages_of_one -= c->expected * mean_size(*c);
    const std::uint64_t hosts = static_cast<std::uint64_t>(cumulated) - before;
    double weight = 0;
    const double offset = rng.unit();
    for (std::size_t d = 0; d < domains.size(); ++d) {
      auto upto = [&](double w) {
        return static_cast<std::uint64_t>(w / total_weight * static_cast<double>(hosts) + offset);
      };
      std::uint64_t here = upto(weight + domains[d].weight) - upto(weight);
      weight += domains[d].weight;
      // Two runs of each size, so that a domain does not look like a list sorted by size.
      if (here > 64) {
        add(d, random_size(*c), here / 2);
        here -= here / 2;
      }
      add(d, random_size(*c), here);
    }
  }
  for (auto c = classes.rbegin(); c != classes.rend(); ++c)
    add(rng.below(domains.size()), c->low, left / c->low);
  CHECK(left == 0);

  std::vector<Segment> segments;
  for (auto& list : by_domain) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng.below(i)]);
    segments.insert(segments.end(), list.begin(), list.end());
  }
  return segments;
}

HostLayout::HostLayout(const SyntheticOptions& options) : segments_(plan(options)) {
  std::vector<std::uint32_t> pages{0};
  std::vector<std::uint32_t> hosts{0};
  for (const Segment& segment : segments_) {
    pages.push_back(pages.back() + segment.hosts * segment.size);
    hosts.push_back(hosts.back() + segment.hosts);
  }
  pages_ = StepTable(std::move(pages));
  hosts_ = StepTable(std::move(hosts));
}

HostLayout::Site HostLayout::site(HostId host) const {
  const std::uint32_t s = hosts_.find(host);
  const std::uint32_t width = segments_[s].site_hosts;
  const std::uint32_t index = (host - hosts_.start(s)) / width * width;
  return {hosts_.start(s) + index, std::min(width, segments_[s].hosts - index)};
}

}  // namespace bowerbird
