#include "url/location.h"

#include <algorithm>

namespace bowerbird {

double location_score(std::string_view url, const LocationOptions& options) {
  std::string_view rest = url;
  if (const auto scheme = rest.find("://"); scheme != std::string_view::npos) rest.remove_prefix(scheme + 3);
  std::string_view path = rest.substr(std::min(rest.find('/'), rest.size()));
  std::string_view host = rest.substr(0, rest.size() - path.size());
  path = path.substr(0, path.find_first_of("?#"));
  host = host.substr(0, host.find_first_of(":?#"));
  const auto slashes = std::max<std::ptrdiff_t>(1, std::count(path.begin(), path.end(), '/'));
  double score = 1.0 / (1.0 + static_cast<double>(slashes));
  for (const std::string& suffix : options.host_suffixes) {
    if (host.ends_with(suffix)) score += options.bonus;
  }
  for (const std::string& text : options.strings) {
    if (url.find(text) != std::string_view::npos) score += options.bonus;
  }
  return score;
}

}  // namespace bowerbird
