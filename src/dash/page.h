// One self-contained page: data, scripts and styles in a single file that works from disk, offline.
//
// The kit that all reports share. A report brings its data as JSON and names the script of its own that shows
// it (an asset, after the shared plot.js and kit.js); the page carries a content security policy that lets
// nothing run but these very scripts and nothing be loaded from anywhere. Pure function.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

struct PageParts {
  std::string title;
  std::string description;     // one sentence, for search and previews
  std::string data;            // JSON; the scripts find it as the text of #data
  std::string_view script;     // "lab.js"
  std::string without_script;  // text for those who run no scripts, shown as it is
};

std::string html_page(const PageParts& parts);

}  // namespace bowerbird
