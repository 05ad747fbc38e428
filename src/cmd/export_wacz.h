// The options of `bowerbird export --as wacz`, and how it is run.
#pragma once

#include <string>
#include <vector>

#include "cmd/app.h"

namespace bowerbird {

// The options as given. Texts are parsed when the command runs.
struct WaczFlags {
  std::string title;
  std::string split;  // a size
  bool text = false;
};

void add_wacz_options(CLI::App& command, WaczFlags& flags);

// out: empty for a name made from the first input.
Status run_wacz_export(const std::vector<std::string>& inputs, const std::string& out, const WaczFlags& flags,
                       bool respect_noarchive, const CommonOptions& common);

}  // namespace bowerbird
