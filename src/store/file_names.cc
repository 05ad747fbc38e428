#include "store/file_names.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "parse/fingerprint.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestName = 180;
constexpr std::size_t kLongestPath = 2000;

bool stays(char c) {
  return is_ascii_alnum(c) || std::string_view("-._~=&,+@%()").find(c) != std::string_view::npos;
}

// A number that distinguishes truncated names.
std::string number_of(std::string_view text) {
  return base32(sha1(text)).substr(0, 10);
}

}  // namespace

std::string file_name_of(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kLongestName)) name.push_back(stays(c) ? c : '_');
  if (text.size() > kLongestName) name.append("~").append(number_of(text));
  if (name.empty() || name.find_first_not_of('.') == std::string::npos) return "_";
  return name;
}

std::string file_path_of_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return "other/" + file_name_of(url);
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t slash = rest.find_first_of("/?");
  std::string path = file_name_of(rest.substr(0, slash));
  rest.remove_prefix(std::min(rest.size(), slash));
  const std::size_t mark = rest.find('?');
  const std::string_view query = mark == std::string_view::npos ? std::string_view() : rest.substr(mark);
  rest = rest.substr(0, mark);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(part.size());
    const bool last = rest.empty();
    if (!last && part.empty()) continue;
    path.append("/").append(file_name_of(last ? std::string(part.empty() ? "index.html" : part).append(query)
                                              : std::string(part)));
    if (last) break;
  }
  if (path.find('/') == std::string::npos)
    path.append("/").append(file_name_of("index.html" + std::string(query)));
  if (path.size() > kLongestPath) return path.substr(0, path.find('/')) + "/" + number_of(url);
  return path;
}

}  // namespace bowerbird
