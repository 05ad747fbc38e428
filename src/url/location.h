// The location metric IL of [004]: what a URL shows about a page's importance before anything is fetched.
//
// IL = 1/(1 + slashes) + 0.5 for each bonus that applies, counting the slashes of the path; a URL without a
// path counts as its home page "/".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct LocationOptions {
  std::vector<std::string> host_suffixes = {".com"};  // bonus if the host ends with it
  std::vector<std::string> strings = {"home"};        // bonus if the URL contains it
  double bonus = 0.5;
};

double location_score(std::string_view url, const LocationOptions& options = {});

}  // namespace bowerbird
