// One self-contained page: data, scripts and styles in a single file that works from disk, offline.
//
// Shared by all reports. A report provides its data as JSON and names the script that displays it (an asset,
// after the shared plot.js and kit.js). The page has a content security policy that allows only these scripts
// to run and nothing to be loaded. Pure function.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

struct PageParts {
  std::string title;
  std::string description;     // one sentence, for search and previews
  std::string data;            // JSON; the scripts find it as the text of #data
  std::string_view script;     // "lab.js"
  std::string without_script;  // plain text for browsers without scripts
};

std::string html_page(const PageParts& parts);

}  // namespace bowerbird
