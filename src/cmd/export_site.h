// How `bowerbird export --as site` is run.
#pragma once

#include <string>
#include <vector>

#include "cmd/app.h"

namespace bowerbird {

// title: empty for the name of the first input.
Status run_site_export(const std::vector<std::string>& inputs, const std::string& out,
                       const std::string& title, bool respect_noarchive, const CommonOptions& common);

}  // namespace bowerbird
