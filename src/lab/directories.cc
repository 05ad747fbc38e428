#include "lab/directories.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bowerbird {

namespace {

// "http://h/a/b?c" has the directory "http://h/a/".
std::string_view directory_of(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return url.substr(0, url.rfind('/') + 1);
}

}  // namespace

GroupOf directories_of(const PageNames& names) {
  const auto numbers = std::make_shared<std::unordered_map<std::string, std::uint32_t>>();
  return [&names, numbers](PageId page) {
    const std::string url = names.name(page);
    const auto next = static_cast<std::uint32_t>(numbers->size());
    return numbers->emplace(directory_of(url), next).first->second;
  };
}

}  // namespace bowerbird
