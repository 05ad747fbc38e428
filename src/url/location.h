// The location metric IL of [004]: what a URL tells of a page's importance before anything is fetched.
//
// IL = 1/(1 + slashes) + 0.5 for each bonus that applies, the slashes being those of the path; a URL without
// a path counts as its home page "/".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct LocationOptions {
  std::vector<std::string> host_suffixes = {".com"};  // bonus when the host ends so
  std::vector<std::string> strings = {"home"};        // bonus when the URL holds it
  double bonus = 0.5;
};

double location_score(std::string_view url, const LocationOptions& options = {});

}  // namespace bowerbird
