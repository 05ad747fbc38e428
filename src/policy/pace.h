// The pace of orderings that change during the crawl: the expected number of pages, and the number of crawled
// pages between two updates.
#pragma once

#include <algorithm>
#include <cstdint>

#include "policy/registry.h"

namespace bowerbird {

struct Pace {
  std::uint64_t every = 0;     // k; 0: a fortieth of the expected pages
  std::uint64_t expected = 0;  // 0: the known pages so far

  // Reads the parameters `k` and `expected`. Without `expected`, the context's number is used.
  static Pace read(SpecReader& reader, const PolicyContext& context) {
    Pace pace;
    pace.every = reader.count("k").value_or(0);
    pace.expected = reader.count("expected").value_or(context.expected_pages);
    return pace;
  }

  std::uint64_t expected_at(const Visit& visit) const { return expected != 0 ? expected : visit.known; }
  std::uint64_t k(const Visit& visit) const {
    return every != 0 ? every : std::max<std::uint64_t>(1, expected_at(visit) / 40);
  }
};

}  // namespace bowerbird
