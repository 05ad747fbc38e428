// File names for the URLs of an archive, so that a browser can open them from a folder.
//
// Names are safe on any file system: no "..", no reserved names, at most 180 bytes per name and 220 per
// path. Names are distinct even if case is ignored, and none is both a file and a folder. Types that
// browsers recognise by name have the right extension (.html, .css). The names depend only on the URLs
// and their order. Threads: one user.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace bowerbird {

class SiteFiles {
 public:
  // index: a name that is already in use.
  explicit SiteFiles(const std::string& index);
  // A free path, with / between folders. type: the media type.
  std::string add(std::string_view url, std::string_view type);

 private:
  bool take(const std::string& path);

  std::unordered_set<std::string> files_;    // in lower case
  std::unordered_set<std::string> folders_;  // likewise
};

// The relative reference from one path to another: "../b/c%20d.html".
std::string relative_reference(std::string_view from, std::string_view to);

}  // namespace bowerbird
