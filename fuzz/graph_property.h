// Shared by the fuzz targets of the graph formats: checks that two graphs are the same.
#pragma once

#include <algorithm>

#include "base/check.h"
#include "graph/csr.h"

namespace bowerbird {

inline void check_same(const CsrGraph& a, const CsrGraph& b) {
  CHECK(a.validate().ok());
  CHECK(b.validate().ok());
  CHECK(std::ranges::equal(a.offsets(), b.offsets()));
  CHECK(std::ranges::equal(a.targets(), b.targets()));
  CHECK(std::ranges::equal(a.weights(), b.weights()));
}

}  // namespace bowerbird
