#include "replay/site_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/hash.h"
#include "store/file_names.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestSitePath = 220;

// Names that Windows reserves for devices, with any extension.
bool is_device_name(std::string_view name) {
  const std::string stem = lowered(name.substr(0, name.find('.')));
  if (stem == "con" || stem == "prn" || stem == "aux" || stem == "nul") return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && is_ascii_digit(stem[3]);
}

std::string safe_part(std::string_view part) {
  std::string name(part);
  if (name.ends_with('.')) name.back() = '_';
  if (name.starts_with('.')) name.front() = '_';
  return is_device_name(name) ? "_" + name : name;
}

// Adds the extension that a browser needs to recognise the type.
std::string with_ending(std::string path, std::string_view type) {
  struct Ending {
    std::string_view type;
    std::string_view ending;
    std::string_view other;
  };
  constexpr std::array<Ending, 7> kEndings = {{{"text/html", ".html", ".htm"},
                                               {"application/xhtml+xml", ".xhtml", ".xht"},
                                               {"text/css", ".css", ".css"},
                                               {"image/svg+xml", ".svg", ".svg"},
                                               {"text/javascript", ".js", ".mjs"},
                                               {"application/javascript", ".js", ".mjs"},
                                               {"application/pdf", ".pdf", ".pdf"}}};
  for (const Ending& known : kEndings) {
    if (type != known.type) continue;
    const std::string lower = lowered(path);
    if (!lower.ends_with(known.ending) && !lower.ends_with(known.other)) path += known.ending;
    return path;
  }
  // An image with the extension of a page would be shown as text.
  const std::string lower = lowered(path);
  if (lower.ends_with(".html") || lower.ends_with(".htm") || lower.ends_with(".xhtml")) path += ".bin";
  return path;
}

std::string escaped_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (is_ascii_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/' || c == '=' ||
        c == ',' || c == '+' || c == '@' || c == '(' || c == ')') {
      out.push_back(c);
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}",
                     static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace

SiteFiles::SiteFiles(const std::string& index) {
  files_.insert(lowered(index));
}

bool SiteFiles::take(const std::string& path) {
  const std::string key = lowered(path);
  if (files_.contains(key) || folders_.contains(key)) return false;
  for (std::size_t slash = key.find('/'); slash != std::string::npos; slash = key.find('/', slash + 1)) {
    if (files_.contains(key.substr(0, slash))) return false;
  }
  for (std::size_t slash = key.find('/'); slash != std::string::npos; slash = key.find('/', slash + 1))
    folders_.insert(key.substr(0, slash));
  files_.insert(key);
  return true;
}

std::string SiteFiles::add(std::string_view url, std::string_view type) {
  const std::string raw = file_path_of_url(url);
  std::string path;
  for (std::string_view rest = raw; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (!path.empty()) path += '/';
    path += safe_part(part);
  }
  path = with_ending(path, type);
  if (path.size() <= kLongestSitePath && take(path)) return path;
  const std::string number = fmt::format("{:016x}", hash64(url));
  const std::string host = path.substr(0, std::min<std::size_t>(path.find('/'), 100));
  for (int i = 0;; ++i) {
    std::string other =
        fmt::format("{}/_/{}{}", host, number, i == 0 ? std::string() : fmt::format("~{}", i));
    other = with_ending(std::move(other), type);
    if (take(other)) return other;
    if (i == 0) continue;
    other = with_ending(fmt::format("_/{}~{}", number, i), type);
    if (take(other)) return other;
  }
}

std::string relative_reference(std::string_view from, std::string_view to) {
  std::size_t common = 0;  // length of the common prefix, up to a '/'
  for (std::size_t i = 0; i < from.size() && i < to.size() && from[i] == to[i]; ++i) {
    if (from[i] == '/') common = i + 1;
  }
  std::string out;
  for (const char c : from.substr(common)) {
    if (c == '/') out += "../";
  }
  const std::string rest = escaped_path(to.substr(common));
  // A ':' before the first '/' would look like a scheme; escaped_path() escapes it.
  return out + rest;
}

}  // namespace bowerbird
