#include "url/site.h"

#include <libpsl.h>

#include <algorithm>

namespace bowerbird {

namespace {

// Never destroyed: threads may still use it while the process ends.
const psl_ctx_t* suffix_list() {
  static const psl_ctx_t* const list = psl_latest(nullptr);
  return list;
}

}  // namespace

bool is_address(std::string_view name) {
  return name.starts_with('[') || (std::count(name.begin(), name.end(), '.') == 3 &&
                                   name.find_first_not_of("0123456789.") == std::string_view::npos);
}

bool is_public_suffix(std::string_view name) {
  const psl_ctx_t* list = suffix_list();
  if (list == nullptr) return name.find('.') == name.npos;
  return psl_is_public_suffix(list, std::string(name).c_str()) == 1;
}

std::string site_of_host(std::string_view host) {
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : std::string_view::npos;
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string name(host.substr(0, colon));
  while (name.ends_with('.')) name.pop_back();
  const psl_ctx_t* list = suffix_list();
  if (list == nullptr || is_address(name)) return name;
  const char* domain = psl_registrable_domain(list, name.c_str());
  return domain != nullptr ? std::string(domain) : name;
}

}  // namespace bowerbird
