// File names for the URLs of an archive, so that a browser can open them from a folder.
//
// Names are safe on any file system: no "..", no reserved names, at most 180 bytes per name and 220 per path;
// no two are equal in any case of letters, and none is both a file and a folder. What a browser judges by the
// name has the right ending (.html, .css). The names depend on the URLs and the order in which they are given
// alone. Threads: one user.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace bowerbird {

class SiteFiles {
 public:
  // `index` is taken by a page of our own.
  explicit SiteFiles(const std::string& index);
  // A path that is not taken, with / between folders. type: the media type.
  std::string add(std::string_view url, std::string_view type);

 private:
  bool take(const std::string& path);

  std::unordered_set<std::string> files_;    // in lower case
  std::unordered_set<std::string> folders_;  // likewise
};

// The reference that leads from one path to another: "../b/c%20d.html".
std::string relative_reference(std::string_view from, std::string_view to);

}  // namespace bowerbird
